import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { worldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { keyring } from '#system/crypto/keyring.ts'
import type { Tx } from '#system/postgres/database.ts'
import { anApp } from '#test/apps.ts'
import { causedBy, occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { REFERRAL_SETTINGS } from '#test/fact-settings.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import type { ReferralCode } from '../codes/code.ts'
import { createCode, updateCode } from '../codes/routes.ts'
import type { ReferralSettings } from '../settings.ts'
import { resealKeys, tokenKeyBox } from '../tokens/token-keys.ts'
import { recordVisit } from '../visits/follow-link.ts'
import { purgeVisits } from '../visits/store.ts'
import { creditInvestment } from './credit-investment.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const arrange = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)
const day = (nth: number) => `2026-03-${String(nth).padStart(2, '0')}T12:00:00.000000Z`

let app: Id<'app'>
let company: Id<'company'>
let offering: Id<'offering'>
let investor: Id<'user'>
beforeEach(async () => {
  app = await anApp(db)
  company = await arrange((tx) => makeCompany(tx))
  offering = await arrange((tx) => makeOffering(tx, { company }))
  investor = await arrange((tx) => makeUser(tx))
})

const aCode = () => arrange((tx) => createCode(tx, { app, wanted: {}, rules: { brand: 'wefunder', quota: 100 } }))
const clicks = ({ code }: ReferralCode, at: string) =>
  arrange((tx) => recordVisit(tx, { user: investor, company, code, clickedAt: worldTime(at) }, REFERRAL_SETTINGS))

async function invests(at: string, settings: Partial<ReferralSettings> = {}) {
  const occasion = occasionAt(at)
  const id = await arrange(async (tx) => {
    const made = await makeInvestment(tx, { offering, investor, at })
    await creditInvestment(tx, { id: made }, { occasion, settings: { ...REFERRAL_SETTINGS, ...settings } })
    return made
  })
  return { id, events: await causedBy(db.databases.test.reads, occasion) }
}

const creditedCodes = (investment: string) =>
  db.sql<{ code_id: string }>('select code_id from test.referral_credits where investment_id = $1', [investment])

describe('the settings for the credit model and the window', () => {
  test('the last click, or the first click, within the window is credited', async () => {
    const [one, two, three] = [await aCode(), await aCode(), await aCode()]
    await clicks(one, day(1))
    await clicks(two, day(8))
    await clicks(three, day(10))
    const last = await invests(day(12))
    expect(await creditedCodes(last.id)).toEqual([{ code_id: three.id }])
    expect(last.events.map(({ data }) => [data['referral_code'], data['week']])).toEqual([[three.id, '2026-W11']])
    const first = await invests(day(12), { model: 'first_click', windowDays: 7 })
    expect(await creditedCodes(first.id)).toEqual([{ code_id: two.id }])
    const short = await invests(day(20), { windowDays: 7 })
    expect(short).toMatchObject({ events: [] })
  })

  test('an investment that is reported late is credited to a click before it, not to a later one', async () => {
    const [one, two] = [await aCode(), await aCode()]
    await clicks(one, day(2))
    await clicks(two, day(9))
    expect(await creditedCodes((await invests(day(5))).id)).toEqual([{ code_id: one.id }])
    expect(await creditedCodes((await invests(day(1))).id)).toEqual([])
  })
})

describe('if a person has more clicks than the maximum', () => {
  const minute = (nth: number) => new Date(Date.parse(day(10)) + nth * 60_000).toISOString().replace('Z', '000Z')

  test('the last click stays stored, and also the first click, which the model first_click credits', async () => {
    const [first, one, two, last] = [await aCode(), await aCode(), await aCode(), await aCode()]
    await clicks(first, day(9))
    for (let nth = 0; nth < 210; nth++) await clicks(nth % 2 === 0 ? one : two, minute(nth))
    await clicks(last, minute(210))
    const visits = await db.sql('select from test.referral_visits where user_id = $1', [investor])
    expect(visits).toHaveLength(200)
    expect(await creditedCodes((await invests(day(12))).id)).toEqual([{ code_id: last.id }])
    const byFirst = await invests(day(12), { model: 'first_click' })
    expect(await creditedCodes(byFirst.id)).toEqual([{ code_id: first.id }])
  })
})

describe('a click that is reported late', () => {
  const spans = (id: string, ended: string) =>
    db.sql(
      `update test.referral_code_spans set began_at = '${day(1)}', ended_at = $2 where code_id = $1 and ended_at is null`,
      [id, ended],
    )

  test('counts if the code was active at the time of the click, even if the code was paused or resumed since', async () => {
    const code = await aCode()
    await spans(code.id, day(10))
    await clicks(code, day(11))
    expect((await invests(day(12))).events).toEqual([])
    await arrange((tx) => updateCode(tx, { app, id: code.id, change: { status: 'paused' } }))
    await clicks(code, day(9))
    const visits = await db.sql('select clicked_at from test.referral_visits where user_id = $1', [investor])
    expect(visits).toHaveLength(1)
    await arrange((tx) => updateCode(tx, { app, id: code.id, change: { status: 'active' } }))
    expect((await invests(day(12))).events).toHaveLength(1)
  })
})

describe('when the sealing secret is rotated', () => {
  const SECRETS = { first: 'the first of two long secrets', second: 'the second of two long secrets' }
  const boxOf = (current: string, previous: string[] = []) => tokenKeyBox(keyring(current, previous)('referral-tokens'))
  const investorToken = ({ events }: Awaited<ReturnType<typeof invests>>) => events[0]?.data['investor_token']

  test('the tokens of an investor stay the same, also after the old secret is removed', async () => {
    const { first, second } = SECRETS
    await clicks(await aCode(), day(1))
    const before = await invests(day(2), { tokenKeys: boxOf(first) })
    const rotated = boxOf(second, [first])
    const between = await invests(day(3), { tokenKeys: rotated })
    while ((await arrange((tx) => resealKeys(tx, rotated, 10))) > 0);
    const after = await invests(day(4), { tokenKeys: boxOf(second) })
    expect(investorToken(before)).toMatch(/^[\w-]{24}$/)
    expect([investorToken(between), investorToken(after)]).toEqual([investorToken(before), investorToken(before)])
  })

  test('without the secret the transaction fails: there is no credit and no investment', async () => {
    await clicks(await aCode(), day(1))
    await invests(day(2), { tokenKeys: boxOf(SECRETS.first) })
    const count = () => db.sql('select from test.investments where investor_id = $1', [investor])
    await expect(invests(day(3), { tokenKeys: boxOf(SECRETS.second) })).rejects.toThrow('previous sealing secret')
    expect(await count()).toHaveLength(1)
  })
})

describe('races', () => {
  test('if a credit and a pause happen at once, the pause is first and nothing is credited, or the credit is first', async () => {
    const code = await aCode()
    await clicks(code, day(1))
    const pausing = arrange((tx) => updateCode(tx, { app, id: code.id, change: { status: 'paused' } }))
    const made = await Promise.all(Array.from({ length: 4 }, () => invests(day(2))))
    await pausing
    for (const { id, events } of made) expect(await creditedCodes(id)).toHaveLength(events.length)
    expect((await invests(day(3))).events).toEqual([])
  })

  test('a credit waits for a pause in progress, and then credits nothing', async () => {
    const code = await aCode()
    await clicks(code, day(1))
    const { promise: paused, resolve: pause } = Promise.withResolvers<void>()
    const { promise: may, resolve: commit } = Promise.withResolvers<void>()
    const pausing = arrange(async (tx) => {
      await updateCode(tx, { app, id: code.id, change: { status: 'paused' } })
      pause()
      await may
    })
    await paused
    const investing = invests(day(2))
    const waits = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%referral_codes%'`
    await expect.poll(async () => (await db.sql(waits)).length).toBeGreaterThan(0)
    commit()
    await pausing
    expect((await investing).events).toEqual([])
  })
})

describe('the stored credit', () => {
  const change = (id: string, set: string) =>
    db.sql(`update test.referral_credits set ${set} where investment_id = $1`, [id])

  test('never changes; only the time of the click may be erased', async () => {
    const [code, other] = [await aCode(), await aCode()]
    await clicks(code, day(1))
    const { id } = await invests(day(2))
    await expect(change(id, `code_id = '${other.id}'`)).rejects.toThrow('referral_credits_immutable')
    await expect(change(id, `time_to_invest = 'delayed'`)).rejects.toThrow('referral_credits_immutable')
    await change(id, 'clicked_at = null')
  })
})

test('expired clicks are purged; a click that has not expired stays', async () => {
  const code = await aCode()
  await clicks(code, day(1))
  const left = () => db.sql('select from test.referral_visits where user_id = $1', [investor])
  // The clicks are dated in March, and the world's time is long after that.
  expect(await left()).toHaveLength(1)
  while ((await arrange((tx) => purgeVisits(tx, 10))) > 0);
  expect(await left()).toEqual([])
  await db.sql(
    `insert into test.referral_visits (user_id, company_id, clicked_at, code_id, kept_until)
     values ($1, $2, test.world_now(), $3, test.world_now() + interval '1 hour')`,
    [investor, company, code.id],
  )
  await arrange((tx) => purgeVisits(tx, 10))
  expect(await left()).toHaveLength(1)
})
