import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import { fanOut } from '../fan-out/fan-out.ts'
import { type FanStage, openFanStage } from '../fan-out/testing/stage.ts'
import { placeRound, purgeEntries } from './queue-store.ts'
import { happened, settled } from './testing/stage.ts'

let stage: FanStage
beforeAll(async () => {
  stage = await openFanStage()
})
afterAll(() => stage.close())

const SCOPES = ['read:webhooks', 'read:companies']

async function installedOnCompany(scopes: readonly string[] = SCOPES) {
  const app = await stage.app({ scopes })
  const company = await stage.company()
  return { app, company, installation: await stage.install(app, { company }, ['read:companies']) }
}

const opened = (company: Id<'company'>) => happened(stage, { name: 'offering.opened', subject: { companyId: company } })

const entriesOf = async (app: Id<'app'>) => {
  const rows = await stage.db.sql<{ event_id: string }>(
    'select event_id from test.event_stream_entries where app_id = $1 order by position',
    [app],
  )
  return rows.map(({ event_id }) => event_id)
}

describe('positions', () => {
  test('are assigned without gaps to events of apps that declare the scope, even without endpoints', async () => {
    const [reader, other] = [await installedOnCompany(), await installedOnCompany(['read:companies'])]
    const events = [await opened(reader.company), await opened(reader.company)]
    await opened(other.company)
    await settled(stage)
    expect([await entriesOf(reader.app), await entriesOf(other.app)]).toEqual([events, []])
    const [found] = await stage.db.sql(
      `select (select position from test.event_stream)::int as head, count(*)::int as all, max(position)::int as last
         from test.event_stream_entries`,
    )
    expect(found).toMatchObject({ head: found?.['all' as never], last: found?.['all' as never] })
  })

  test('are not assigned while an earlier event is not fanned out', async () => {
    const { app, company } = await installedOnCompany()
    const [first, second] = [await opened(company), await opened(company)]
    await stage.arrange(async (tx) => {
      // This worker has taken the first event; another worker finishes the second event earlier.
      await fanOut(tx, 1)
      expect(await stage.arrange((other) => fanOut(other, 10))).toBe(1)
      await placeRound(stage.db.databases.test)
      expect(await entriesOf(app)).toEqual([])
    })
    await settled(stage)
    expect(await entriesOf(app)).toEqual([first, second])
  })

  test('are not assigned to events of an app while an earlier event of that app is deferred; other apps do not wait', async () => {
    const [busy, free] = [await installedOnCompany(), await installedOnCompany()]
    const [first, later] = [await opened(busy.company), await opened(free.company)]
    await stage.arrange(async (tx) => {
      await stage.db.sql('begin')
      await stage.db.sql('select 1 from test.installations where id = $1 for update', [busy.installation])
      await fanOut(tx, 10)
    })
    await stage.db.sql('commit')
    const second = await opened(busy.company)
    // The deferred event is retried only later. Until then fan-out continues with the second event.
    await stage.db.sql(`update test.deferred_events set tried_at = clock_timestamp() + interval '1 hour'`)
    await settled(stage)
    expect([await entriesOf(busy.app), await entriesOf(free.app)]).toEqual([[], [later]])
    await stage.db.sql(`update test.deferred_events set tried_at = clock_timestamp() - interval '1 hour'`)
    await settled(stage)
    expect(await entriesOf(busy.app)).toEqual([first, second])
  })

  test('are assigned once to each event, also by ten workers at the same time', async () => {
    const { app, company } = await installedOnCompany()
    const events: string[] = []
    for (let at = 0; at < 30; at++) events.push(await opened(company))
    const workers = Array.from({ length: 10 }, async () => {
      for (let turn = 0; turn < 10; turn++) {
        await stage.arrange((tx) => fanOut(tx, 2))
        await placeRound(stage.db.databases.test, 3)
      }
    })
    await Promise.all(workers)
    await settled(stage)
    expect(await entriesOf(app)).toEqual(events)
  })

  test('are deleted with their entries after 90 days', async () => {
    const { app, company } = await installedOnCompany()
    const [first, second] = [await opened(company), await opened(company)]
    await settled(stage)
    await stage.db.sql(
      `update test.event_stream_entries set placed_at = placed_at - interval '91 days' where event_id <> $1`,
      [second],
    )
    await stage.arrange((tx) => purgeEntries(tx, 1_000))
    expect([await entriesOf(app), first === second]).toEqual([[second], false])
  })
})
