import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Get, type LedgerStage, openLedgerStage, refusal } from './testing/ledger-stage.ts'

let stage: LedgerStage
let get: Get
let made: Awaited<ReturnType<LedgerStage['raising']>>
let sync: string
let list: string
beforeAll(async () => {
  stage = await openLedgerStage()
  made = await stage.raising()
  for (let at = 0; at < 3; at++) await stage.invest(made.offering)
  await stage.publish()
  get = await stage.asUser(made.founder)
  sync = (await get('/investments')).meta.next_cursor
  list = (await get('/investments?per_page=1')).meta.next_cursor
})
afterAll(() => stage.close())

const BAD = [400, 'invalid_request']

describe('a cursor that this list did not issue is 400', () => {
  test('a truncated, lengthened, altered or empty cursor, or another text', async () => {
    for (const cursor of [sync, list]) {
      const altered = [0, 7, 20, cursor.length - 1].map(
        (at) => cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1),
      )
      for (const wrong of [cursor.slice(0, -1), `${cursor}A`, cursor.slice(4), ...altered]) {
        expect(refusal(await get(`/investments?cursor=${wrong}`)), wrong).toEqual(BAD)
      }
    }
    for (const wrong of [
      '',
      '0',
      'null',
      '%00',
      '%F0%9F%99%82',
      'A'.repeat(1_024),
      'A'.repeat(5_000),
      `${sync}&cursor=${sync}`,
    ]) {
      expect(refusal(await get(`/investments?cursor=${wrong}`)), wrong).toEqual(BAD)
    }
  })

  test('a cursor of another endpoint, in both directions, or of another company', async () => {
    const path = `/companies/${made.company}/investments/changes`
    const changes = await get(path)
    expect(refusal(await get(`/investments?cursor=${changes.meta.next_cursor}`))).toEqual(BAD)
    for (const cursor of [sync, list]) expect(refusal(await get(`${path}?cursor=${cursor}`))).toEqual(BAD)
    const other = await stage.raising()
    const theirs = await (await stage.asUser(other.founder))(`/companies/${other.company}/investments/changes`)
    expect(refusal(await get(`${path}?cursor=${theirs.meta.next_cursor}`))).toEqual(BAD)
  })

  test('a cursor of the other world', async () => {
    const live = await stage.raising('live')
    const asLive = await stage.asUser(live.founder, ['read:investments'], 'live')
    const { meta } = await asLive('/investments')
    expect(refusal(await get(`/investments?cursor=${meta.next_cursor}`))).toEqual(BAD)
    expect(refusal(await asLive(`/investments?cursor=${sync}`))).toEqual(BAD)
  })

  test('but a cursor of this list works in an older version of the API, too', async () => {
    const older = await get(`/investments?cursor=${sync}`, { 'wefunder-version': '2025-01-15' })
    expect(older.status).toBe(200)
    expect((await get(`/investments?cursor=${older.meta.next_cursor}`)).status).toBe(200)
  })
})

describe('updated_since', () => {
  test.each(['', 'now', '2026-11-15', '2026-02-30T00:00:00Z', '1794731400', '%00'])(
    '%s is 400, also together with a cursor',
    async (text) => {
      expect(refusal(await get(`/investments?updated_since=${text}`))).toEqual(BAD)
      expect(refusal(await get(`/investments?updated_since=${text}&cursor=${sync}`))).toEqual(BAD)
    },
  )

  test('of year 0 is a valid time that is too old: 410', async () => {
    expect(refusal(await get('/investments?updated_since=0000-01-01T00:00:00Z'))).toEqual([410, 'gone'])
    expect(refusal(await get('/investments?updated_since=0001-01-01T00:00:00%2B14:00'))).toEqual([410, 'gone'])
  })

  test('of the last possible day is accepted', async () => {
    expect((await get('/investments?updated_since=9999-12-31T23:59:59.999999Z')).status).toBe(200)
  })
})

describe('ids in paths', () => {
  test('that are malformed are 404', async () => {
    for (const path of [
      '/investments/inv_1',
      `/investments/${made.company}`,
      '/offerings/ofr_1/stats',
      `/offerings/${made.company}/stats`,
      '/companies/co_1/investments/changes',
      `/companies/${made.offering}/investments/changes`,
    ]) {
      expect(refusal(await get(path)), path).toEqual([404, 'not_found'])
    }
  })
})
