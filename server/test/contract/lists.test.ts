import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#http/route.ts'
import { describedRoutes } from '#main/generated-documents.ts'
import { type ListName, type ListStage, openListStage } from './lists-stage.ts'
import { type Answer, refusalOf } from './sender.ts'

/**
 * Checks "Every list takes `per_page` and `cursor`" for the service's route table, so that a new list cannot omit them.
 */
type Schema = { readonly type?: unknown; readonly properties?: Readonly<Record<string, Schema>> }

const isList = ({ method, schema }: Route) => {
  const { data, meta } = (schema.response[200] as Schema | undefined)?.properties ?? {}
  return method === 'GET' && data?.type === 'array' && meta !== undefined
}

const EVERY_LIST = describedRoutes()
  .filter(isList)
  .map((route) => [`${route.method} ${route.path}`, route] as const)

describe('every list of the route table', () => {
  test('is one of more than 40 lists', () => {
    expect(EVERY_LIST.length).toBeGreaterThan(40)
  })

  test.each(EVERY_LIST)('%s accepts per_page and cursor, and reports whether rows remain', (_name, { schema }) => {
    const query = (schema.query as Schema | undefined)?.properties ?? {}
    expect(query['per_page']).toMatchObject({ type: 'integer' })
    expect(query['cursor']).toMatchObject({ type: 'string' })
    const meta = (schema.response[200] as Schema).properties?.['meta']?.properties ?? {}
    expect(Object.keys(meta)).toEqual(expect.arrayContaining(['has_more', 'page_count', 'next_cursor']))
  })
})

/** Lists with three rows or more, for every kind of paging in the service. */
const LISTS = [
  ...(['connected apps', 'own companies', 'follows', 'campaigns', 'explore', 'search', 'eligible targets'] as const),
  ...(['activity', 'syndicates', 'syndicate members', 'syndicate deals', 'join themes', 'fundraises'] as const),
  ...(['company investors', 'investment sessions', 'invite links', 'webhook endpoints', 'positions'] as const),
] satisfies readonly ListName[]

let stage: ListStage
beforeAll(async () => {
  stage = await openListStage()
})
afterAll(() => stage.close())

const idsOf = ({ list }: Answer) => list.map(({ id, target_id }) => id ?? target_id)
const metaOf = ({ meta }: Answer) => [meta['has_more'], meta['page_count'], typeof meta['next_cursor']]

describe.each(LISTS)('the list of %s', (name) => {
  const get = (query: Readonly<Record<string, string>> = {}) => stage.get(name, query)

  test('returns the same rows in the same order one at a time, with has_more until the last', async () => {
    const whole = await get({ per_page: '100' })
    const ids = idsOf(whole)
    expect(ids.length).toBeGreaterThanOrEqual(3)
    expect(new Set(ids).size).toBe(ids.length)
    expect(metaOf(whole)).toEqual([false, ids.length, 'object'])
    const walked: unknown[] = []
    let cursor: string | null = ''
    for (const _ of ids) {
      const answer: Answer = await get({ per_page: '1', cursor })
      walked.push(...idsOf(answer))
      const more = walked.length < ids.length
      expect(metaOf(answer)).toEqual([more, 1, more ? 'string' : 'object'])
      cursor = answer.meta['next_cursor'] as string | null
      if (cursor === null) break
    }
    expect(walked).toEqual(ids)
  })

  test('returns two rows at a time, and accepts a per_page above 100, of zero or below zero', async () => {
    const ids = idsOf(await get())
    expect(idsOf(await get({ per_page: '2' }))).toEqual(ids.slice(0, 2))
    for (const per_page of ['1000000', '0', '-5']) expect(idsOf(await get({ per_page }))).toEqual(ids)
  })

  test.each([
    ['a per_page of words', { per_page: 'ten' }],
    ['half a row', { per_page: '1.5' }],
    ['a garbled cursor', { cursor: 'garbled' }],
    ['a number for a cursor', { cursor: '2' }],
  ])('400 for %s', async (_what, query) => {
    expect(refusalOf(await get(query))).toBe('400 invalid_request')
  })
})

describe('a list of 101 rows', () => {
  test.each([
    [{}, 25],
    [{ per_page: '0' }, 25],
    [{ per_page: '-1' }, 25],
    [{ per_page: '100' }, 100],
    [{ per_page: '101' }, 100],
    [{ per_page: '5000' }, 100],
  ])('%j: a page of %i', async (query, size) => {
    const answer = await stage.get('many invite links', query)
    expect([answer.list.length, ...metaOf(answer)]).toEqual([size, true, size, 'string'])
  })
})
