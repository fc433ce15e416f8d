import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { fanOutRound } from './fan-out.ts'
import { skipEvents } from './store.ts'
import { type FanStage, openFanStage } from './testing/stage.ts'

let stage: FanStage
beforeEach(async () => {
  stage = await openFanStage()
})
afterEach(() => stage.close())

const opened = (companyId: Id<'company'>) => stage.happen('offering.opened', { companyId })
const waiting = () => stage.db.sql('select event_id from test.event_queue')
const skip = (first = 100) => stage.arrange((tx) => skipEvents(tx, first))

describe('skipping events without a receiver', () => {
  test('removes all events while no app has an endpoint or reads events', async () => {
    const app = await stage.app()
    const company = await stage.company()
    await stage.install(app, { company }, ['read:companies'])
    await opened(company)
    await opened(await stage.company())
    await skip()
    expect(await waiting()).toEqual([])
  })

  test('removes an event if no app listens on its company, syndicate or user, and leaves all others', async () => {
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
    await skip()
    expect(await waiting()).toHaveLength(3)
    expect(await stage.deliveries(listening)).toHaveLength(3)
  })

  test('removes no events that name an app or an installation', async () => {
    const app = await stage.app()
    const [company, elsewhere] = [await stage.company(), await stage.company()]
    const installation = await stage.install(app, { company }, [])
    await stage.listen(app)
    await stage.happen('installation.created', { installationId: installation })
    await stage.happen('referral_cohorts.published', { appId: app })
    await opened(elsewhere)
    await skip()
    expect(await waiting()).toHaveLength(2)
  })

  test('removes an event if the only app that could receive it has its endpoint in the other world', async () => {
    const app = await stage.app()
    const company = await stage.company()
    await stage.install(app, { company }, ['read:companies'])
    await stage.listen(app, { world: 'live' })
    await opened(company)
    await skip()
    expect(await waiting()).toEqual([])
  })

  test('checks only the first events, and does not remove an event that another worker has locked', async () => {
    const company = await stage.company()
    for (let n = 0; n < 4; n++) await opened(company)
    await stage.arrange(async (tx) => {
      await skipEvents(tx, 1)
      await skip(3)
      expect(await waiting()).toHaveLength(2)
    })
    expect(await waiting()).toHaveLength(1)
  })

  test('removes queue rows whose event was deleted because of its age', async () => {
    await stage.listen(await stage.app())
    await stage.db.sql('insert into test.event_queue (event_id) values ($1)', [newId('event')])
    await skip()
    expect(await waiting()).toEqual([])
  })
})

test('if no event of a full batch has a receiver, the same round also skips the following events without a receiver', async () => {
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
