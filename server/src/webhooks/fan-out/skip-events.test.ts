import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { fanOutRound } from './fan-out.ts'
import { passOverEvents } from './store.ts'
import { type FanStage, openFanStage } from './testing/stage.ts'

let stage: FanStage
beforeEach(async () => {
  stage = await openFanStage()
})
afterEach(() => stage.close())

const opened = (companyId: Id<'company'>) => stage.happen('offering.opened', { companyId })
const waiting = () => stage.db.sql('select event_id from test.event_queue')
const passOver = (first = 100) => stage.arrange((tx) => passOverEvents(tx, first))

describe('events without a listening receiver are skipped', () => {
  test('all events while there is no endpoint', async () => {
    const app = await stage.app()
    const company = await stage.company()
    await stage.install(app, { company }, ['read:companies'])
    await opened(company)
    await opened(await stage.company())
    await passOver()
    expect(await waiting()).toEqual([])
  })

  test('events of companies, syndicates and users without a listening app; all others stay', async () => {
    const [listening, silent] = [await stage.app(), await stage.app()]
    await stage.listen(listening)
    const [company, quiet] = [await stage.company(), await stage.company()]
    const [syndicate, user] = [await stage.syndicate(), await stage.user()]
    await stage.install(listening, { company }, ['read:companies'])
    await stage.install(silent, { company: quiet }, ['read:companies'])
    await stage.install(listening, { syndicate }, ['read:syndicates'])
    await stage.install(listening, { user }, ['read:investments'])
    await opened(quiet)
    await opened(company)
    await stage.happen('syndicate_member.applied', { syndicateId: syndicate })
    await stage.happen('investment.changed', { userId: user, companyId: quiet })
    await opened(await stage.company())
    await passOver()
    expect(await waiting()).toHaveLength(3)
    expect(await stage.deliveries(listening)).toHaveLength(3)
  })

  test('never events that name an app or an installation', async () => {
    const app = await stage.app()
    const [company, elsewhere] = [await stage.company(), await stage.company()]
    const installation = await stage.install(app, { company }, [])
    await stage.listen(app)
    await stage.happen('installation.created', { installationId: installation })
    await stage.happen('referral_cohorts.published', { appId: app })
    await opened(elsewhere)
    await passOver()
    expect(await waiting()).toHaveLength(2)
  })

  test('an app that listens in the other world is not a receiver in this one', async () => {
    const app = await stage.app()
    const company = await stage.company()
    await stage.install(app, { company }, ['read:companies'])
    await stage.listen(app, { world: 'live' })
    await opened(company)
    await passOver()
    expect(await waiting()).toEqual([])
  })

  test('only the first events are checked; an event that another worker has locked is left to it', async () => {
    const company = await stage.company()
    for (let n = 0; n < 4; n++) await opened(company)
    await stage.arrange(async (tx) => {
      await passOverEvents(tx, 1)
      await passOver(3)
      expect(await waiting()).toHaveLength(2)
    })
    expect(await waiting()).toHaveLength(1)
  })

  test('an event that was deleted with its time leaves the queue as well', async () => {
    await stage.listen(await stage.app())
    await stage.db.sql('insert into test.event_queue (event_id) values ($1)', [newId('event')])
    await passOver()
    expect(await waiting()).toEqual([])
  })
})

test('a round that takes a full batch skips the many events after it', async () => {
  const app = await stage.app()
  await stage.listen(app)
  const [company, nobodys] = [await stage.company(), await stage.company()]
  await stage.install(app, { company }, ['read:companies'])
  await stage.db.sql(
    `with made as (
       insert into test.events (id, name, occurred_at, company_id, data)
       select 'evt_' || lpad(n::text, 24, '0'), 'offering.opened', now(), $1, '{}' from generate_series(1, 1000) n
       returning id)
     insert into test.event_queue (event_id) select id from made order by id`,
    [nobodys],
  )
  await opened(company)
  const world = stage.db.databases.test
  expect(await fanOutRound(world)).toEqual({ tookSome: true, mayHaveMore: true })
  expect(await waiting()).toHaveLength(1)
  expect(await fanOutRound(world)).toEqual({ tookSome: true, mayHaveMore: false })
  expect(await stage.deliveries(app)).toHaveLength(1)
})
