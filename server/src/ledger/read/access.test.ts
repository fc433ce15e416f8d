import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { idsOf, type LedgerStage, openLedgerStage, PII, readAll, refusal } from './testing/ledger-stage.ts'

let stage: LedgerStage
beforeAll(async () => {
  stage = await openLedgerStage()
})
afterAll(() => stage.close())

describe('when the caller’s access has changed', () => {
  test('a person who became an editor gets 410 with the reason, and has all records after a new listing', async () => {
    const [here, there] = [await stage.raising(), await stage.raising()]
    const old = await stage.invest(there.offering)
    await stage.publish()
    const get = await stage.asUser(here.founder)
    const { meta } = await get('/investments')
    await stage.role(there.company, here.founder, 'editor')
    await stage.publish()
    const rejected = await get(`/investments?cursor=${meta.next_cursor}`)
    expect(refusal(rejected)).toEqual([410, 'gone'])
    expect(rejected.error.message).toBe('Your access changed: list again.')
    const again = await readAll(get, '/investments?per_page=10')
    expect(again.rows.map(({ id }) => id)).toEqual([old])
    expect((await get(`/investments?cursor=${again.next}`)).status).toBe(200)
  })

  test('a former editor gets 410 too, and so does a person who became an editor again', async () => {
    const { company, founder, offering } = await stage.raising()
    await stage.invest(offering)
    await stage.publish()
    const get = await stage.asUser(founder)
    const { meta } = await get('/investments')
    await stage.noRole(company, founder)
    await stage.publish()
    expect(refusal(await get(`/investments?cursor=${meta.next_cursor}`))).toEqual([410, 'gone'])
    const without = await get('/investments')
    expect(without.list).toEqual([])
    await stage.role(company, founder)
    await stage.publish()
    for (const cursor of [meta.next_cursor, without.meta.next_cursor]) {
      expect(refusal(await get(`/investments?cursor=${cursor}`))).toEqual([410, 'gone'])
    }
  })

  test('a sync between the change and its publication succeeds, and the next sync gets 410', async () => {
    const [here, there] = [await stage.raising(), await stage.raising()]
    await stage.invest(there.offering)
    await stage.publish()
    const get = await stage.asUser(here.founder)
    const { meta } = await get('/investments')
    await stage.role(there.company, here.founder, 'admin')
    const between = await get(`/investments?cursor=${meta.next_cursor}`)
    expect(between.status).toBe(200)
    await stage.publish()
    expect(refusal(await get(`/investments?cursor=${between.meta.next_cursor}`))).toEqual([410, 'gone'])
  })

  test('a listing that began before the change gets 410 too', async () => {
    const { founder, offering } = await stage.raising()
    for (let at = 0; at < 3; at++) await stage.invest(offering)
    await stage.publish()
    const get = await stage.asUser(founder)
    const { meta } = await get('/investments?per_page=1')
    await stage.role((await stage.raising()).company, founder)
    await stage.publish()
    expect(refusal(await get(`/investments?per_page=1&cursor=${meta.next_cursor}`))).toEqual([410, 'gone'])
  })

  test('a second role at the same company and changes of other people cause no 410', async () => {
    const { company, founder } = await stage.raising()
    const get = await stage.asUser(founder)
    const { meta } = await get('/investments')
    await stage.role(company, founder, 'admin')
    await stage.role(company, await stage.user(), 'admin')
    await stage.publish()
    expect((await get(`/investments?cursor=${meta.next_cursor}`)).status).toBe(200)
  })

  test('installations get no 410, because their target does not change', async () => {
    const { company, founder } = await stage.raising()
    const [asCompany, asPerson] = [await stage.asInstalledOn(company), await stage.asInstalledOn(founder)]
    const cursors = [
      (await asCompany('/investments')).meta.next_cursor,
      (await asPerson('/investments')).meta.next_cursor,
    ]
    await stage.noRole(company, founder)
    await stage.publish()
    expect((await asCompany(`/investments?cursor=${cursors[0]}`)).status).toBe(200)
    expect((await asPerson(`/investments?cursor=${cursors[1]}`)).status).toBe(200)
  })

  test('with updated_since, a person who became an editor since then gets all records of the company, page by page', async () => {
    const [here, there] = [await stage.raising(), await stage.raising()]
    const old = [await stage.invest(there.offering), await stage.invest(there.offering)]
    await stage.publish()
    await stage.advance('5 minutes')
    await stage.role(there.company, here.founder)
    await stage.publish()
    const get = await stage.asUser(here.founder)
    const [row] = await stage.db.sql<{ at: string }>(
      `select to_char(test.world_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`,
    )
    const { rows } = await readAll(get, `/investments?per_page=1&updated_since=${row?.at}`)
    expect(rows.map(({ id }) => id).toSorted()).toEqual(old.toSorted())
  })

  test('with updated_since, a person who is no longer an editor gets 410', async () => {
    const { company, founder } = await stage.raising()
    await stage.noRole(company, founder)
    await stage.publish()
    const get = await stage.asUser(founder)
    expect(refusal(await get('/investments?updated_since=2026-11-01T00:00:00Z'))).toEqual([410, 'gone'])
  })
})

describe('the age of a cursor', () => {
  test('a cursor is valid for 90 days: older cursors of a sync or a listing and older times get 410', async () => {
    const { company, offering } = await stage.raising()
    const ids = [await stage.invest(offering), await stage.invest(offering)]
    await stage.publish()
    const before = await stage.asInstalledOn(company)
    const sync = (await before('/investments')).meta.next_cursor
    const list = (await before('/investments?per_page=1')).meta.next_cursor
    const [then] = await stage.db.sql<{ at: string }>(
      `select to_char(test.world_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`,
    )
    await stage.advance('89 days 23 hours')
    const soon = await stage.asInstalledOn(company)
    for (const query of [`cursor=${sync}`, `cursor=${list}`, `updated_since=${then?.at}`]) {
      expect((await soon(`/investments?${query}`)).status, query).toBe(200)
    }
    expect(idsOf(await soon(`/investments?updated_since=${then?.at}`))).toEqual(ids)
    await stage.advance('1 hour 1 minute')
    const late = await stage.asInstalledOn(company)
    for (const query of [`cursor=${sync}`, `cursor=${list}`, `updated_since=${then?.at}`]) {
      const response = await late(`/investments?${query}`)
      expect(refusal(response), query).toEqual([410, 'gone'])
      expect(response.error['remediation']).toContain('List again without `cursor` and `updated_since`')
    }
    expect(refusal(await late('/investments?updated_since=0000-01-01T00:00:00Z'))).toEqual([410, 'gone'])
  })

  test('the age counts from the time up to which the reader has seen everything, so a quiet ledger rejects no reader', async () => {
    const { company } = await stage.raising()
    let cursor = (await (await stage.asInstalledOn(company))('/investments')).meta.next_cursor
    for (let month = 0; month < 5; month++) {
      await stage.advance('60 days')
      const get = await stage.asInstalledOn(company)
      const page = await get(`/investments?cursor=${cursor}`)
      expect([page.status, page.list]).toEqual([200, []])
      cursor = page.meta.next_cursor
    }
  })
})

describe('a cursor belongs to the audience of its token', () => {
  test('an app that is installed again on the same company continues; on another company it gets 410', async () => {
    const [here, there] = [await stage.raising(), await stage.raising()]
    const first = await stage.asInstalledOn(here.company)
    const { meta } = await first('/investments')
    const again = await stage.asInstalledOn(here.company)
    expect((await again(`/investments?cursor=${meta.next_cursor}`)).status).toBe(200)
    const others = [
      await stage.asInstalledOn(there.company),
      await stage.asUser(here.founder),
      await stage.asInstalledOn(here.founder),
    ]
    for (const other of others) {
      const rejected = await other(`/investments?cursor=${meta.next_cursor}`)
      expect(refusal(rejected)).toEqual([410, 'gone'])
      expect(rejected.error.message).toContain('list again')
    }
  })

  test.each(['company', 'user'] as const)(
    'a reader that gained the right to identities must list again; a reader that lost this right continues without identities (%s)',
    async (kind) => {
      const { company, offering, founder } = await stage.raising()
      await stage.invest(offering)
      await stage.publish()
      const as = (scopes?: readonly string[]) =>
        kind === 'company' ? stage.asInstalledOn(company, scopes) : stage.asUser(founder, scopes)
      const { meta: plain } = await (await as())('/investments')
      const { meta: named } = await (await as(PII))('/investments')
      const rejected = await (await as(PII))(`/investments?cursor=${plain.next_cursor}`)
      expect(refusal(rejected)).toEqual([410, 'gone'])
      expect(rejected.error.message).toContain('list again')
      await stage.invest(offering)
      await stage.publish()
      const goesOn = await (await as())(`/investments?cursor=${named.next_cursor}`)
      expect(goesOn.list.map(({ investor }) => investor?.['name'])).toEqual([undefined])
      const back = await (await as(PII))(`/investments?cursor=${goesOn.meta.next_cursor}`)
      expect(refusal(back)).toEqual([410, 'gone'])
    },
  )
})
