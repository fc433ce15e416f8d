import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { referredEvent } from '#referrals/credit/credit-investment.ts'
import { entitledOf, readStats } from '#referrals/stats/routes.ts'
import { lookAtStats } from '#referrals/stats/store.ts'
import { opaqueTokens } from '#referrals/tokens/token-keys.ts'
import { RELEASE_RULES, type ReleaseRules } from '#referrals/weeks/cohort.ts'
import { releaseWeek } from '#referrals/weeks/release-week.ts'
import { countsOf } from '#referrals/weeks/store.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { type Faults, withFaults } from '../fault-injection.ts'
import { arranging, type Worlds } from './arrange.ts'
import { idOf } from './ids.ts'
import { type KeyOf, keyBox, keyOfPair } from './keys.ts'
import { credited, isHidden, seesRows, stateAt } from './reference-model.ts'
import { APP_NUMBERS, appOf, CODE_NUMBERS, creditedAt, type Investment, type MadeUpWorld, MOMENTS } from './worlds.ts'

/** The product with one defect. */
export type Wrong = {
  readonly rules?: Partial<ReleaseRules>
  readonly keyOf?: KeyOf
  readonly faults?: Faults
  /** SQL that changes the test world's schema. */
  readonly schema?: string
  /** For a mutant that sends `investment.referred` for hidden investments too. No mutant sets it yet. */
  readonly tellsHidden?: true
}

/** The data that the apps of a world read and received, in order. */
export type Learnt = readonly string[]

/**
 * Runs made-up worlds in one new database and returns what the apps of each world read and receive: at each moment the
 * stats and the counts of their codes and the events `investment.referred`, at the end the weeks that
 * `referral_cohorts.published` announced. The product's code publishes and reads; the first week begins at `monday`.
 */
export async function play(worlds: Worlds, { ks, monday, wrong = {} }: Playing): Promise<Learnt[]> {
  const test = await testDatabase()
  try {
    if (wrong.schema !== undefined) await test.sql(wrong.schema)
    return await playIn(test, worlds, { ks, monday, wrong })
  } finally {
    await test.close()
  }
}

export type Playing = { readonly ks: readonly number[]; readonly monday: string; readonly wrong?: Wrong }

async function playIn(test: TestDatabase, worlds: Worlds, { ks, monday, wrong }: Required<Playing>): Promise<Learnt[]> {
  const db = unhurried(withFaults(test.databases.test, wrong.faults ?? {}))
  const arranged = arranging(test, worlds, monday)
  const settings = { tokenKeys: keyBox(wrong.keyOf ?? keyOfPair), onUnopened: () => {} }
  const learnt = worlds.map((): string[] => [])
  await arranged.begin()
  for (let moment = 0; moment <= MOMENTS; moment++) {
    const [week, half] = [Math.floor(moment / 2), moment % 2]
    await arranged.clockAt(168 * week + 12 + 96 * half)
    await arranged.happen(moment)
    const read = await Promise.all(worlds.map((_, at) => readAll(db, at)))
    worlds.forEach((world, at) => {
      learnt[at]?.push(...(read[at] ?? []), ...referredIn(world, { at, moment, wrong }))
    })
    if (half === 0) continue
    await arranged.clockAt(168 * (week + 1) + 1)
    const release = { ...settings, peopleMin: ks[week] ?? 0 }
    await db.transaction((tx) => releaseWeek(tx, release, { ...RELEASE_RULES, ...wrong.rules }))
  }
  const announced = await test.sql<{ app: string; weeks: string }>(
    `select app_id as app, string_agg(data ->> 'week', ' ' order by data ->> 'week') as weeks
       from test.events where name = 'referral_cohorts.published' group by app_id`,
  )
  const weeksOf = new Map(announced.map(({ app, weeks }) => [app, weeks]))
  return learnt.map((texts, at) => [
    ...texts,
    ...APP_NUMBERS.map((app) => `${app} learned of ${weeksOf.get(idOf('app', at, app))}`),
  ])
}

/** Runs short reads without their time limit. Other tests check that limit, and this proof only compares results. */
function unhurried(db: WorldDatabase): WorldDatabase {
  return { ...db, short: (statement, values) => db.reads.many(statement, values) }
}

/** Returns the stats and the counts of all codes of a world, without the times at which weeks were published. */
async function readAll(db: WorldDatabase, world: number): Promise<string[]> {
  const ofApps = APP_NUMBERS.map(async (number) => {
    const app = idOf('app', world, number)
    const codes = CODE_NUMBERS.filter((code) => appOf(code) === number).map((code) => idOf('referralCode', world, code))
    const stats = await Promise.all(codes.map((code) => statsOf(db, { app, code })))
    return [...stats, `counts ${JSON.stringify([...(await countsOf(db.reads, app, codes))].toSorted())}`]
  })
  return (await Promise.all(ofApps)).flat()
}

async function statsOf(db: WorldDatabase, owned: { readonly app: Id<'app'>; readonly code: Id<'referralCode'> }) {
  const look = await lookAtStats(db, owned.code)
  if (look?.app !== owned.app) throw new Error('the code is unknown or belongs to another app')
  const request = { code: owned.code, place: null, size: 53, entries: 1_000, peopleMin: 0, sealed: () => '' }
  const text = await readStats(db.reads, request, { through: look.through, entitled: entitledOf(look) })
  return text.replaceAll(/"published_at":"[^"]*"/g, '"published_at":""')
}

type Receiving = { readonly at: number; readonly moment: number; readonly wrong: Wrong }

/**
 * Returns the data of the events `investment.referred` that apps receive at this moment. An app receives the event only
 * if its installation on the company may read rows, and not if the investment is hidden from the company.
 */
function referredIn(world: MadeUpWorld, { at, moment, wrong }: Receiving): string[] {
  return credited(world)
    .filter((one) => creditedAt(one) === moment && seesRows(world, one, moment))
    .filter((one) => wrong.tellsHidden || !isHidden(one, moment))
    .map((one) => referredText(one, { at, moment, wrong }))
    .toSorted()
}

function referredText(one: Investment, { at, moment, wrong }: Receiving): string {
  const [app, company] = [idOf('app', at, appOf(one.code)), idOf('company', at, one.company)]
  const [id, investor] = [idOf('investment', at, one.id), idOf('user', at, one.person)]
  const applied_at = '2026-01-01T00:00:00.000000Z' as WorldTime
  const invested = {
    ...{ id, investor, company, applied_at },
    status: stateAt(one, moment).status,
    amount_cents: 0 as Cents,
  }
  const code = { id: idOf('referralCode', at, one.code), app }
  const tokens = opaqueTokens((wrong.keyOf ?? keyOfPair)({ app, company }), { investment: id, investor })
  const event = referredEvent(
    { invested, code, clickedAt: applied_at, timeToInvest: one.time },
    { tokens, occurredAt: applied_at },
  )
  return JSON.stringify(event.data)
}
