import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { cancelInvestment, changeAmount } from '#market/investments/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { isoWeek, keyOfPair } from '../credit/credit-investment.ts'
import { opaqueTokens } from '../tokens/token-keys.ts'
import { RELEASE_RULES } from './cohort.ts'
import { lookAtPairs, makeRows, publishPairs, releaseWeek } from './release-week.ts'
import { insertWeek, lockDueWeek } from './store.ts'
import { type Code, type Company, type Credited, RELEASING, referralWorld } from './testing/referral-world.ts'

let db: TestDatabase
let world: ReturnType<typeof referralWorld>
beforeAll(async () => {
  db = await testDatabase()
  world = referralWorld(db)
})
afterAll(() => db.close())

const LAST = '(select max(week) from test.referral_weeks)'

/** The ranges of a code and a company in the last released week. */
async function ranges(code: Code, company: Company) {
  const [cohort] = await db.sql<{ ranges: string }>(
    `select ranges from test.referral_cohorts where code_id = $1 and company_id = $2 and week = ${LAST}`,
    [code.id, company.id],
  )
  return cohort === undefined ? null : JSON.parse(`{${cohort.ranges}}`)
}

async function rows(code: Code, company: Company) {
  const stored = await db.sql<{ corrected: boolean; said: string }>(
    `select corrected, said from test.referral_rows where code_id = $1 and company_id = $2 and week = ${LAST} order by token`,
    [code.id, company.id],
  )
  const of = (corrected: boolean) =>
    stored.filter((row) => row.corrected === corrected).map((row): Record<string, string> => JSON.parse(row.said))
  return { rows: of(false), corrections: of(true) }
}

const saysNothing = async (code: Code, company: Company) => {
  expect(await ranges(code, company)).toBeNull()
  expect(await rows(code, company)).toEqual({ rows: [], corrections: [] })
}

async function nextMonday(): Promise<void> {
  await world.pass(1)
  expect(await world.release()).toBe(1)
}

const announced = (app: Id<'app'>) =>
  db.sql<{ week: string }>(
    `select data ->> 'week' as week from test.events where name = 'referral_cohorts.published' and app_id = $1 order by recorded_at`,
    [app],
  )

const now = async () => {
  const [row] = await db.sql<{ at: WorldTime }>(
    `select to_char(test.world_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`,
  )
  return row?.at ?? ''
}

async function cancel({ investment }: Credited): Promise<void> {
  const at = await now()
  await db.databases.test.transaction((tx) => cancelInvestment(tx, { id: investment }, occasionAt(at)))
}

describe('Weeks are published once, on Monday UTC', () => {
  test('a week is published after its end, and once only', async () => {
    await world.release()
    const before = await world.weeks()
    expect(await world.release()).toBe(0)
    const week = isoWeek((await now()) as WorldTime)
    await nextMonday()
    expect(await world.release()).toBe(0)
    expect(await world.weeks()).toEqual([...before, week])
  })

  test('if three weeks are due, each is published once, in order, and sends its event to an app with an active code', async () => {
    const code = await world.code()
    await world.pass(3)
    expect(await world.release()).toBe(3)
    const weeks = (await announced(code.app)).map(({ week }) => week)
    expect(weeks).toEqual((await world.weeks()).slice(-3))
    expect(new Set(weeks).size).toBe(3)
  })

  test('each week is dated with the Monday on which it was due, however late it is published', async () => {
    const code = await world.code()
    await world.release()
    await world.pass(3)
    // As if no worker had run for a day and a half.
    await db.sql(`update test.world_clock set ahead = ahead + interval '36 hours'`)
    expect(await world.release()).toBe(3)
    const weeks = await db.sql<{ week: string; on_time: boolean; monday: string }>(
      `select week, released_at = begins_at + interval '168 hours' as on_time,
              to_char(released_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as monday
         from test.referral_weeks order by week desc limit 3`,
    )
    expect(weeks.map(({ on_time }) => on_time)).toEqual([true, true, true])
    const events = await db.sql<{ week: string; published_at: string; occurred_at: string; late: boolean }>(
      `select data ->> 'week' as week, data ->> 'published_at' as published_at,
              to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at,
              recorded_at + clock_ahead >= occurred_at + interval '36 hours' as late
         from test.events where name = 'referral_cohorts.published' and app_id = $1 order by data ->> 'week' desc`,
      [code.app],
    )
    expect(events).toEqual(
      weeks.map(({ week, monday }) => ({ week, published_at: monday, occurred_at: monday, late: true })),
    )
  })

  test('if ten workers run at the same time, each week is published by one of them', async () => {
    const code = await world.code()
    await world.credits(code, await world.company(), 2)
    await world.pass(4)
    const worker = async () => {
      let released = 0
      for (let round = 0; round < 8; round++) {
        if (await db.databases.test.transaction((tx) => releaseWeek(tx, RELEASING))) released += 1
      }
      return released
    }
    const released = await Promise.all(Array.from({ length: 10 }, worker))
    const left = await world.release()
    expect(released.reduce((sum, count) => sum + count, left)).toBe(4)
    expect((await announced(code.app)).map(({ week }) => week)).toEqual((await world.weeks()).slice(-4))
  })

  test('a process that is killed before its commit changes nothing, and the next process publishes the week', async () => {
    const [code, company] = [await world.code(), await world.company()]
    await world.credits(code, company, 6)
    await world.pass(1)
    const weeks = await world.weeks()
    const killed = db.databases.test.transaction(async (tx) => {
      expect(await releaseWeek(tx, RELEASING)).toBe(true)
      await db.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and state = 'idle in transaction' and pid <> pg_backend_pid()`,
      )
      await releaseWeek(tx, RELEASING)
    })
    await expect(killed).rejects.toThrow()
    expect(await world.weeks()).toEqual(weeks)
    expect(await announced(code.app)).toEqual([])
    expect(await world.release()).toBe(1)
    expect(await announced(code.app)).toHaveLength(1)
    expect(await ranges(code, company)).toMatchObject({ credited: { investors: { min: 5, max: 9 } } })
  })

  test('a published week is immutable: the database rejects changes', async () => {
    await expect(db.sql(`update test.referral_weeks set people_min = 2`)).rejects.toThrow('referral_weeks_immutable')
    await expect(db.sql(`delete from test.referral_weeks`)).rejects.toThrow('referral_weeks_immutable')
    await expect(db.sql(`update test.referral_cohorts set ranges = null`)).rejects.toThrow('referral_cohorts_immutable')
    await expect(db.sql(`delete from test.referral_cohorts`)).rejects.toThrow('referral_cohorts_immutable')
    await expect(db.sql(`update test.referral_rows set said = ''`)).rejects.toThrow('referral_rows_immutable')
    await expect(db.sql(`delete from test.referral_rows`)).rejects.toThrow('referral_rows_immutable')
  })
})

describe('referral_cohorts.published', () => {
  test('is sent to every app with a code active that week, whether or not anything converted; once for two codes', async () => {
    const code = await world.code()
    await world.code(code.app)
    await nextMonday()
    expect(await announced(code.app)).toHaveLength(1)
  })

  test('is not sent to an app whose codes were paused all week; is sent if a code was paused or resumed in that week', async () => {
    const [paused, pausedIn, resumedIn] = [await world.code(), await world.code(), await world.code()]
    const end = (code: Code) =>
      db.sql('update test.referral_code_spans set ended_at = test.world_now() where code_id = $1', [code.id])
    await end(paused)
    await end(resumedIn)
    await nextMonday()
    await end(pausedIn)
    await db.sql('insert into test.referral_code_spans (code_id, began_at) values ($1, test.world_now())', [
      resumedIn.id,
    ])
    await nextMonday()
    expect(await announced(paused.app)).toHaveLength(1)
    expect(await announced(pausedIn.app)).toHaveLength(2)
    expect(await announced(resumedIn.app)).toHaveLength(2)
  })

  test('is not sent to an app whose first code was created after the week', async () => {
    await world.pass(1)
    const code = await world.code()
    await world.release()
    expect(await announced(code.app)).toEqual([])
    await nextMonday()
    expect(await announced(code.app)).toHaveLength(1)
  })

  test('is not sent to a deleted app, although its codes stay', async () => {
    const code = await world.code()
    await db.sql('update platform.apps set deleted_at = now(), disabled_at = now() where id = $1', [code.app])
    await nextMonday()
    expect(await announced(code.app)).toEqual([])
  })
})

describe('The ranges of a week', () => {
  test('count people and not investments', async () => {
    const [code, company] = [await world.code(), await world.company()]
    const [one] = await world.credits(code, company, 4)
    if (one === undefined) throw new Error('nobody invested')
    await world.credits(code, company, 3, { investor: one.investor })
    await nextMonday()
    expect(await ranges(code, company)).toBeNull()
  })

  test('wait for the next week if there are too few people, and then include the people of both weeks', async () => {
    const [code, company] = [await world.code(), await world.company()]
    await world.credits(code, company, 4)
    const since = isoWeek((await now()) as WorldTime)
    await nextMonday()
    expect(await ranges(code, company)).toBeNull()
    await world.credits(code, company, 1)
    await nextMonday()
    expect(await ranges(code, company)).toMatchObject({ since, credited: { investors: { min: 5, max: 9 } } })
    await nextMonday()
    await saysNothing(code, company)
  })

  test('withhold values that could be found by subtraction', async () => {
    const [code, company] = [await world.code(), await world.company()]
    await world.credits(code, company, 11)
    await world.credits(code, company, 5, { time: 'delayed' })
    await world.credits(code, company, 1, { time: 'assisted' })
    await nextMonday()
    const { credited } = await ranges(code, company)
    expect(credited.by_time_to_invest).toEqual({ direct: { min: 10, max: 19 }, assisted: null, delayed: null })
  })

  test('never change once published: later changes are corrections of a later week, once they concern k people', async () => {
    const [code, company] = [await world.code(), await world.company()]
    const people = await world.credits(code, company, 12)
    await nextMonday()
    const everything = () =>
      db.sql(
        `select week::text, ranges as said from test.referral_cohorts where code_id = $1
         union all select week::text, said from test.referral_rows where code_id = $1 order by week, said`,
        [code.id],
      )
    const publishedBefore = await everything()
    for (const one of people.slice(0, 4)) await cancel(one)
    await nextMonday()
    expect(await ranges(code, company)).toBeNull()
    for (const one of people.slice(4, 6)) await cancel(one)
    await nextMonday()
    expect(await ranges(code, company)).toMatchObject({
      credited: null,
      corrections: { investors: { min: 5, max: 9 }, by_amount_tier: { small: null, medium: null, large: null } },
    })
    expect((await everything()).slice(0, publishedBefore.length)).toEqual(publishedBefore)
  })

  test('keep their `since` in a week with only corrections', async () => {
    const [code, company] = [await world.code(), await world.company()]
    const people = await world.credits(code, company, 5)
    await nextMonday()
    const since = isoWeek((await now()) as WorldTime)
    await world.credits(code, company, 2)
    for (const one of people) await cancel(one)
    await nextMonday()
    expect(await ranges(code, company)).toMatchObject({ since, credited: null, corrections: { investors: { min: 5 } } })
    await world.credits(code, company, 3)
    await nextMonday()
    expect(await ranges(code, company)).toMatchObject({ since, credited: { investors: { min: 5 } }, corrections: null })
  })

  test('use the k that is set when the week is published', async () => {
    const [code, company] = [await world.code(), await world.company()]
    await world.credits(code, company, 3)
    await world.pass(1)
    await world.release({ peopleMin: 3 })
    expect(await ranges(code, company)).toMatchObject({ credited: { investors: { min: 3 } } })
    expect(await db.sql('select people_min from test.referral_weeks order by week desc limit 1')).toEqual([
      { people_min: 3 },
    ])
  })

  test('include waiting people in the next week after k becomes smaller, even if nothing about them changed', async () => {
    const [code, company] = [await world.code(), await world.company()]
    await world.credits(code, company, 4)
    await nextMonday()
    expect(await ranges(code, company)).toBeNull()
    await world.pass(1)
    await world.release({ peopleMin: 4 })
    expect(await ranges(code, company)).toMatchObject({ credited: { investors: { min: 4 } } })
  })
})

describe('A code with many credited investments', () => {
  test('is published in parts of a fixed maximum, and the week has all of its content', async () => {
    const [code, company] = [await world.code(), await world.company()]
    await world.crowd(code, company, 25)
    await world.pass(1)
    await db.databases.test.transaction(async (tx) => {
      const [week, most] = [await lockDueWeek(tx), { rows: 0 }]
      if (week === null) throw new Error('no week is due')
      await insertWeek(tx, week, 5)
      const watched: typeof tx = Object.assign(Object.create(tx), {
        many: async (...args: Parameters<typeof tx.many>) => {
          const rows = await tx.many(...args)
          most.rows = Math.max(most.rows, rows.length)
          return rows
        },
      })
      const releasing = { ...RELEASING, week, limit: 10, rules: RELEASE_RULES }
      const atHand = await lookAtPairs(watched, [{ code: code.id, app: code.app, company: company.id }], releasing)
      await publishPairs(watched, await makeRows(atHand, releasing), releasing)
      expect(most.rows).toBe(10)
    })
    expect((await rows(code, company)).rows).toHaveLength(25)
    expect(await ranges(code, company)).toMatchObject({ credited: { investors: { min: 20 } } })
    await nextMonday()
    await saysNothing(code, company)
  })

  test('is published with every person once if it has more people than one part', async () => {
    const [code, company] = [await world.code(), await world.company()]
    await world.crowd(code, company, 2_100)
    await nextMonday()
    const { rows: publishedRows } = await rows(code, company)
    expect(new Set(publishedRows.map((row) => row['investment_token'])).size).toBe(2_100)
    expect(await ranges(code, company)).toMatchObject({ credited: { investors: { min: 2_000 } } })
  })
})

describe('What the next week reads', () => {
  const noted = async (code: Code) =>
    (await db.sql('select investment_id from test.referral_changes where code_id = $1', [code.id])).length

  test('is the credits and changes of the week; waiting people are read again only with a change for their code and company', async () => {
    const [code, company] = [await world.code(), await world.company()]
    const [one, two] = await world.credits(code, company, 2)
    expect(await noted(code)).toBe(2)
    await nextMonday()
    expect(await noted(code)).toBe(0)
    await db.sql('update test.investments set status = status, amount_cents = amount_cents where id = $1', [
      one?.investment,
    ])
    expect(await noted(code)).toBe(0)
    if (two !== undefined) await cancel(two)
    expect(await noted(code)).toBe(1)
    await world.credits(code, company, 3)
    await nextMonday()
    expect(await noted(code)).toBe(0)
    expect(await ranges(code, company)).toMatchObject({ credited: { investors: { min: 5 } } })
  })

  test('includes a change that was made during a release, which does not wait for the release', async () => {
    const [code, company] = [await world.code(), await world.company()]
    const [one] = await world.credits(code, company, 2)
    if (one === undefined) throw new Error('nobody invested')
    await world.pass(1)
    await db.databases.test.transaction(async (tx) => {
      expect(await releaseWeek(tx, RELEASING)).toBe(true)
      await cancel(one)
    })
    expect((await rows(code, company)).rows.map((row) => row['status'])).toEqual(['active', 'active'])
    await nextMonday()
    expect((await rows(code, company)).corrections.map((row) => row['status'])).toEqual(['canceled'])
  })

  test('includes an investment that is shown again to the company, as a correction', async () => {
    const [code, company] = [await world.code(), await world.company()]
    const { investment } = await world.credit(code, company)
    const hide = (hidden: boolean) =>
      db.sql('update test.investments set hidden = $2 where id = $1', [investment, hidden])
    await hide(true)
    await nextMonday()
    await saysNothing(code, company)
    await hide(false)
    await nextMonday()
    expect((await rows(code, company)).corrections).toHaveLength(1)
  })
})

describe('A key that cannot be opened', () => {
  test('excludes its app and company until it can be opened; all others are published', async () => {
    const [broken, fine] = [await world.code(), await world.code()]
    const company = await world.company()
    await world.credits(broken, company, 5)
    await world.credits(fine, company, 5)
    await db.databases.test.transaction((tx) =>
      keyOfPair(tx, RELEASING.tokenKeys, { app: broken.app, company: company.id }),
    )
    const seal = (sql: string) =>
      db.sql(`update test.referral_token_keys set sealed = ${sql} where app_id = $1`, [broken.app])
    await seal(`'\\x00' || sealed`)
    await world.pass(1)
    const unopened: string[] = []
    expect(await world.release({ onUnopened: ({ app }) => unopened.push(app) })).toBe(1)
    expect(unopened).toEqual([broken.app])
    await saysNothing(broken, company)
    expect((await rows(fine, company)).rows).toHaveLength(5)
    await seal('substring(sealed from 2)')
    await nextMonday()
    expect((await rows(broken, company)).corrections).toHaveLength(5)
    expect(await ranges(broken, company)).toMatchObject({ credited: { investors: { min: 5 } } })
  })
})

describe('The rows of a week', () => {
  test('are one for each credited investment, with the tokens of investment.referred', async () => {
    const [code, company] = [await world.code(), await world.company()]
    const people = await world.credits(code, company, 3, { cents: 1_000_000, time: 'assisted' })
    const week = isoWeek((await now()) as WorldTime)
    await nextMonday()
    const pair = { app: code.app, company: company.id }
    const key = await db.databases.test.transaction((tx) => keyOfPair(tx, RELEASING.tokenKeys, pair))
    const expected = people.map((one) => ({
      ...opaqueTokens(key, one),
      ...{ week, amount_tier: 'large', status: 'active', time_to_invest: 'assisted' },
    }))
    const published = await rows(code, company)
    expect(published.corrections).toEqual([])
    expect(published.rows).toHaveLength(3)
    expect(published.rows).toEqual(expect.arrayContaining(expected))
  })

  test('have corrections in the next week for a change and for an investment that was reported too late', async () => {
    const [code, company] = [await world.code(), await world.company()]
    const [changed, canceled] = await world.credits(code, company, 2)
    if (changed === undefined || canceled === undefined) throw new Error('nobody invested')
    await nextMonday()
    const first = await rows(code, company)
    await cancel(canceled)
    const at = await now()
    await db.databases.test.transaction((tx) =>
      changeAmount(tx, { id: changed.investment, amount_cents: 100_000 as Cents }, occasionAt(at)),
    )
    await world.credit(code, company, { weeksAgo: 1 })
    await nextMonday()
    const { rows: fresh, corrections } = await rows(code, company)
    expect(fresh).toEqual([])
    expect(corrections).toHaveLength(3)
    const tokensBefore = first.rows.map((row) => row['investor_token'])
    const again = corrections.filter((row) => tokensBefore.includes(row['investor_token']))
    expect(again.map((row) => `${row['status']} ${row['amount_tier']}`).sort()).toEqual([
      'active medium',
      'canceled small',
    ])
    expect(new Set(corrections.map((row) => row['week'])).size).toBe(1)
    await nextMonday()
    await saysNothing(code, company)
  })

  test('have no correction for a change of the amount within its tier', async () => {
    const [code, company] = [await world.code(), await world.company()]
    const { investment } = await world.credit(code, company)
    await nextMonday()
    const at = await now()
    await db.databases.test.transaction((tx) =>
      changeAmount(tx, { id: investment, amount_cents: 30_000 as Cents }, occasionAt(at)),
    )
    await nextMonday()
    await saysNothing(code, company)
  })
})
