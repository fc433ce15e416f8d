import fc from 'fast-check'
import { Type } from 'typebox'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ApiError } from '#kernel/errors.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import { open } from './access.ts'
import { listOf, openCursor, page, pageQuery, pageSize, shortListPage } from './pagination.ts'
import { route } from './route.ts'
import { serveProbes } from './testing/probe-app.ts'
import { probe } from './testing/probe-route.ts'

const sealer: CursorSealer = cursorSealer(sealedBox(keyring('secret')('cursors')))
const THINGS = { kind: 'things', version: 1 }

describe('a list', () => {
  test('page by page has every row once, in order, and then ends', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 20 }), (total, perPage) => {
        const rows = Array.from({ length: total }, (_, at) => at + 1)
        const size = pageSize(perPage)
        const seen: number[] = []
        let cursor: string | undefined
        for (;;) {
          const after = Number(openCursor(sealer, THINGS, cursor)?.[0] ?? 0)
          const { data, meta } = page({
            rows: rows.filter((row) => row > after).slice(0, size + 1),
            size,
            item: (row) => row,
            next: (row) => sealer.seal(THINGS, [row]),
          })
          seen.push(...data)
          expect(meta.page_count).toBe(data.length)
          expect(meta.has_more).toBe(meta.next_cursor !== null)
          if (!meta.has_more) break
          cursor = meta.next_cursor ?? undefined
        }
        expect(seen).toEqual(rows)
      }),
      { numRuns: 30 },
    )
  })

  const short = (query: { per_page?: number; cursor?: string }, lists: 'paged' | 'whole', rows = [3, 1, 2]) =>
    shortListPage({ rows, query, lists, cursors: sealer, kind: THINGS, place: (row) => [row], item: (row) => row })

  test('that is short is ordered by its sort key, and a page may start after a deleted row', () => {
    const first = short({ per_page: 2 }, 'paged')
    expect(first).toEqual({ data: [1, 2], meta: { has_more: true, page_count: 2, next_cursor: expect.any(String) } })
    const cursor = first.meta.next_cursor ?? ''
    expect(short({ cursor }, 'paged', [1, 3, 4]).data).toEqual([3, 4])
  })

  test('that older versions return unpaged has all its rows in these versions, unless per_page is sent', () => {
    const rows = Array.from({ length: 40 }, (_, at) => at)
    expect(short({}, 'whole', rows).meta).toEqual({ has_more: false, page_count: 40, next_cursor: null })
    expect(short({}, 'paged', rows).meta).toMatchObject({ has_more: true, page_count: 25 })
    expect(short({ per_page: 3 }, 'whole', rows).meta).toMatchObject({ has_more: true, page_count: 3 })
  })
})

describe('a list over HTTP', () => {
  const ROWS = ['a', 'b', 'c', 'd', 'e']
  const things = route({
    ...probe,
    operation: 'listThings',
    method: 'GET',
    path: '/things',
    access: open('a probe'),
    schema: { query: Type.Object(pageQuery()), response: { 200: listOf(Type.String()) } },
    handler: async ({ query }) => {
      const size = pageSize(query.per_page)
      const after = String(openCursor(sealer, THINGS, query.cursor)?.[0] ?? '')
      const rows = ROWS.filter((row) => row > after).slice(0, size + 1)
      const body = page({ rows, size, item: (row) => row, next: (row) => sealer.seal(THINGS, [row]) })
      return { status: 200, body }
    },
  })

  test('has data and meta, continues with its cursor, and gives 400 for a changed cursor', async () => {
    const edge = await serveProbes([things])
    onTestFinished(() => edge.close())
    type ApiResponse = { data: string[]; meta: { page_count: number; next_cursor: string }; error: { type: string } }
    const get = async (query: string) => (await (await fetch(`${edge.url}/things?${query}`)).json()) as ApiResponse
    const first = await get('per_page=3')
    expect(first).toEqual({
      data: ['a', 'b', 'c'],
      meta: { has_more: true, page_count: 3, next_cursor: expect.any(String) },
    })
    const cursor = first.meta.next_cursor
    expect(await get(`per_page=3&cursor=${cursor}`)).toEqual({
      data: ['d', 'e'],
      meta: { has_more: false, page_count: 2, next_cursor: null },
    })
    const changed = (cursor[0] === 'A' ? 'B' : 'A') + cursor.slice(1)
    expect((await get(`cursor=${changed}`)).error).toMatchObject({ type: 'invalid_request' })
    expect((await get('per_page=0')).meta.page_count).toBe(5)
  })
})

describe('a cursor', () => {
  test('that is empty counts as a missing cursor', () => {
    expect(openCursor(sealer, THINGS, '')).toBeNull()
  })

  test.each(['abc', '25', sealer.seal({ kind: 'others', version: 1 }, [1]), `${sealer.seal(THINGS, [1])}A`])(
    '%s that is not from this list gives 400',
    (cursor) => {
      const opening = () => openCursor(sealer, THINGS, cursor)
      expect(opening).toThrow(ApiError)
      expect(opening).toThrow(expect.objectContaining({ type: 'invalid_request', status: 400 }))
    },
  )
})
