import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEpoch } from '../index.ts'
import { idsOf, type LedgerStage, openLedgerStage, readAll } from './testing/ledger-stage.ts'

let stage: LedgerStage
beforeAll(async () => {
  stage = await openLedgerStage()
})
afterAll(() => stage.close())

describe('after a restore', () => {
  test('an earlier cursor continues from the lower of the two positions: records are read again, never skipped', async () => {
    const { company, offering } = await stage.raising()
    const remaining = await stage.invest(offering)
    await stage.publish()
    const get = await stage.asInstalledOn(company)
    const early = (await get('/investments')).meta.next_cursor
    const [saved] = await stage.db.sql<{ position: string }>('select position::text from test.ledger')
    // The published states of these records will be lost, and their positions assigned to other records.
    for (let at = 0; at < 5; at++) await stage.invest(offering)
    await stage.publish()
    const lost = (await get('/investments')).meta.next_cursor
    const listing = (await get('/investments?per_page=1')).meta.next_cursor
    await stage.db.sql('delete from test.ledger_heads where investment_id <> $1', [remaining])
    await stage.db.sql('update test.ledger set position = $1', [saved?.position])
    await stage.arrange((tx) => startEpoch(tx, Number(saved?.position)))
    const added = await stage.invest(offering)
    await stage.publish()
    for (const cursor of [early, lost]) expect(idsOf(await get(`/investments?cursor=${cursor}`))).toEqual([added])
    // A listing that was in progress at the restore ends with a cursor of the old epoch. A sync with this cursor
    // skips nothing, either.
    const { next } = await readAll(get, '/investments?per_page=10', listing)
    const sync = await get(`/investments?cursor=${next}`)
    expect(idsOf(sync)).toEqual([added])
    expect((await get(`/investments?cursor=${sync.meta.next_cursor}`)).list).toEqual([])
  })

  test('changes that were published after the restore are not skipped: if the new epoch starts at position 0, everything is read again', async () => {
    const { company, offering } = await stage.raising()
    const remaining = await stage.invest(offering)
    await stage.publish()
    const get = await stage.asInstalledOn(company)
    const [saved] = await stage.db.sql<{ position: string }>('select position::text from test.ledger')
    for (let at = 0; at < 3; at++) await stage.invest(offering)
    await stage.publish()
    const lost = (await get('/investments')).meta.next_cursor
    await stage.db.sql('delete from test.ledger_heads where company_id = $1 and investment_id <> $2', [
      company,
      remaining,
    ])
    await stage.db.sql('update test.ledger set position = $1', [saved?.position])
    // Before the operator runs the command, positions that the reader has stored are assigned to other records.
    const added = [await stage.invest(offering), await stage.invest(offering)]
    await stage.publish()
    await stage.arrange((tx) => startEpoch(tx))
    const { rows, next } = await readAll(get, '/investments?per_page=2', lost)
    expect(rows.map(({ id }) => id).toSorted()).toEqual([remaining, ...added].toSorted())
    expect((await get(`/investments?cursor=${next}`)).list).toEqual([])
  })

  test('before the new epoch begins, a cursor beyond the end of the ledger gets no records, and a cursor to continue with', async () => {
    const { company, offering } = await stage.raising()
    await stage.invest(offering)
    await stage.publish()
    const get = await stage.asInstalledOn(company)
    const ahead = (await get('/investments')).meta.next_cursor
    await stage.db.sql('delete from test.ledger_heads where company_id = $1', [company])
    await stage.db.sql('update test.ledger set position = position - 1')
    const page = await get(`/investments?cursor=${ahead}`)
    expect([page.status, page.list]).toEqual([200, []])
    const added = await stage.invest(offering)
    await stage.publish()
    expect(idsOf(await get(`/investments?cursor=${page.meta.next_cursor}`))).toEqual([added])
  })
})
