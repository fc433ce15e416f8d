import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { narrowInstallations, revokeInstallation } from '#access/installations/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { testChangeContext } from '#test/installations.ts'
import { SHOWING_ROWS } from '../stats/detail.ts'
import { releaseWeek } from './release-week.ts'
import { type Code, type Company, type Credited, RELEASING, referralWorld } from './testing/referral-world.ts'

/**
 * "Learns nothing about one person": a person whom an app saw in a row is not one of the k people that a range needs. k
 * is 5.
 */

let db: TestDatabase
let world: ReturnType<typeof referralWorld>
beforeAll(async () => {
  db = await testDatabase()
  world = referralWorld(db)
})
afterAll(() => db.close())

type Place = { readonly code: Code; readonly company: Company }
const aPlace = async (): Promise<Place> => ({ code: await world.code(), company: await world.company() })

async function showRows({ code, company }: Place, scopes = ['read:attribution:anonymized']) {
  const id = newId('installation')
  await db.sql(
    `insert into test.installations (id, app_id, target_type, company_id, tier, scopes, installed_by_role)
     values ($1, $2, 'company', $3, 'founder', $4, 'founder')`,
    [id, code.app, company.id, scopes],
  )
  return id
}

const revoke = (id: Id<'installation'>) =>
  db.databases.test.transaction((tx) => revokeInstallation(tx, { id, role: 'founder' }, testChangeContext()))

async function monday(): Promise<void> {
  await world.pass(1)
  await world.release()
}

/** The ranges of the last published week. */
async function ranges({ code, company }: Place) {
  const [cohort] = await db.sql<{ ranges: string }>(
    `select ranges from test.referral_cohorts
      where code_id = $1 and company_id = $2 and week = (select max(week) from test.referral_weeks)`,
    [code.id, company.id],
  )
  return cohort === undefined ? null : JSON.parse(`{${cohort.ranges}}`)
}

const counts = async ({ code }: Place) =>
  db.sql('select investors_min::int, investors_max::int from test.referral_code_counts where code_id = $1', [code.id])

const cancel = ({ investment }: Credited) =>
  db.sql(
    `update test.investments set status = 'canceled', canceled_at = test.world_now(), status_before_cancel = 'active' where id = $1`,
    [investment],
  )

const FEW = { investors: { min: 5, max: 9 } }

describe('A person whom an app saw in a row', () => {
  test('is not counted in later ranges, even if no earlier range counted the person: k others are needed', async () => {
    const place = await aPlace()
    const installation = await showRows(place)
    await world.credits(place.code, place.company, 4)
    await monday()
    await revoke(installation)
    await world.credits(place.code, place.company, 4)
    await monday()
    expect(await ranges(place)).toBeNull()
    await world.credits(place.code, place.company, 1)
    await monday()
    expect(await ranges(place)).toMatchObject({ credited: FEW, corrections: null })
    expect(await counts(place)).toEqual([{ investors_min: 5, investors_max: 9 }])
  })

  test('is not counted if the app loses the scope and the installation stays', async () => {
    const place = await aPlace()
    await showRows(place, ['read:companies', 'read:attribution:full'])
    await world.credits(place.code, place.company, 4)
    await monday()
    const removed = ['read:attribution:full']
    const narrowing = {
      world: 'test',
      app: place.code.app,
      allowed: ['read:companies'],
      removed,
      role: 'partner',
    } as const
    await db.databases.platform.transaction((tx) => narrowInstallations(tx, narrowing, testChangeContext()))
    await world.credits(place.code, place.company, 1)
    await monday()
    expect(await ranges(place)).toBeNull()
  })

  test('is not counted in the week in which the app lost access to the rows', async () => {
    const place = await aPlace()
    const installation = await showRows(place)
    await world.credits(place.code, place.company, 4)
    await revoke(installation)
    await world.credits(place.code, place.company, 1)
    await monday()
    expect(await ranges(place)).toBeNull()
  })

  test('is not counted with any code of the same app, but counts for another app and at another company', async () => {
    const place = await aPlace()
    const [again, foreign] = [await world.code(place.code.app), await world.code()]
    const elsewhere = await world.company()
    const installation = await showRows(place)
    const people = await world.credits(place.code, place.company, 4)
    await monday()
    await revoke(installation)
    const groups = [
      { code: again, company: place.company },
      { code: foreign, company: place.company },
      { code: place.code, company: elsewhere },
    ]
    for (const { code, company } of groups) {
      for (const { investor } of people) await world.credit(code, company, { investor })
      await world.credit(code, company)
    }
    await monday()
    const [ofOtherCode, ofOtherApp, atOtherCompany] = groups
    if (!ofOtherCode || !ofOtherApp || !atOtherCompany) throw new Error('there are three')
    expect(await ranges(ofOtherCode)).toBeNull()
    expect(await ranges(ofOtherApp)).toMatchObject({ credited: FEW })
    expect(await ranges(atOtherCompany)).toMatchObject({ credited: FEW })
  })

  test('is not counted in later corrections, even if earlier ranges counted the person', async () => {
    const place = await aPlace()
    const people = await world.credits(place.code, place.company, 5)
    await monday()
    expect(await ranges(place)).toMatchObject({ credited: FEW })
    await revoke(await showRows(place))
    for (const one of people) await cancel(one)
    await monday()
    expect(await ranges(place)).toBeNull()
  })

  test('is not counted if the app saw the row only after it was installed again', async () => {
    const place = await aPlace()
    await revoke(await showRows(place))
    const people = await world.credits(place.code, place.company, 4)
    await monday()
    expect(await ranges(place)).toBeNull()
    await revoke(await showRows(place))
    await world.credits(place.code, place.company, 1)
    for (const one of people) await cancel(one)
    await monday()
    expect(await ranges(place)).toBeNull()
  })
})

describe('While an app sees rows', () => {
  test('ranges count the people whom the app sees, but no investment that is hidden from the company', async () => {
    const place = await aPlace()
    await showRows(place)
    const [hidden] = await world.credits(place.code, place.company, 5)
    await db.sql('update test.investments set hidden = true where id = $1', [hidden?.investment])
    await monday()
    expect(await ranges(place)).toBeNull()
    expect(await counts(place)).toEqual([])
    await world.credits(place.code, place.company, 1)
    await monday()
    expect(await ranges(place)).toMatchObject({ credited: FEW })
    expect(await counts(place)).toEqual([{ investors_min: 5, investors_max: 9 }])
  })

  test('the app gets no ranges of a week if it loses access to the rows during the publication of that week', async () => {
    const place = await aPlace()
    await world.credits(place.code, place.company, 3)
    const installation = await showRows(place)
    await monday()
    await world.credits(place.code, place.company, 2)
    await world.pass(1)
    await db.databases.test.transaction((tx) => {
      const interrupted: typeof tx = Object.assign(Object.create(tx), {
        many: async (...args: Parameters<typeof tx.many>) => {
          // At this point all rows are written but not committed.
          if (args[0].name === 'referrals.lock_rows_shown') await revoke(installation)
          return tx.many(...args)
        },
      })
      return releaseWeek(interrupted, RELEASING)
    })
    expect(await ranges(place)).toBeNull()
    expect(await counts(place)).toEqual([])
    await monday()
    expect(await ranges(place)).toBeNull()
  })
})

test('the database records the end of each grant that shows rows, and of no other grant', async () => {
  const [trigger] = await db.sql<{ text: string }>(
    `select pg_get_triggerdef(oid) as text from pg_trigger
      where tgname = 'installations_noted_for_referrals' and tgrelid = 'test.installations'::regclass`,
  )
  const named = [...(trigger?.text.matchAll(/read:[a-z:]+/g) ?? [])].map(([name]) => name)
  expect(named.toSorted()).toEqual([...SHOWING_ROWS].toSorted())
  const place = await aPlace()
  await revoke(await showRows(place, ['read:companies', 'read:attribution:aggregate']))
  expect(await db.sql('select from test.referral_rows_shown where app_id = $1', [place.code.app])).toEqual([])
})
