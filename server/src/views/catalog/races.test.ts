import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { reportPastRounds, updateCompany } from '#market/companies/index.ts'
import { changeAmount, confirmInvestment, moveToOffering } from '#market/investments/index.ts'
import { updateOffering } from '#market/offerings/index.ts'
import { openDatabases } from '#system/postgres/open.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { PATIENT } from '#test/patient.ts'
import { refreshFigures } from './index.ts'
import { type CatalogStage, openCatalogStage } from './testing/catalog-stage.ts'

const AT_ONCE = 16
const TURNS = 12
const LATER = occasionAt('2026-02-03T00:00:00.000000Z')

let stage: CatalogStage
let databases: Awaited<ReturnType<typeof openDatabases>>
beforeAll(async () => {
  stage = await openCatalogStage()
  databases = await openDatabases({ url: stage.db.url, poolSize: AT_ONCE + 2, times: PATIENT, onError: () => {} })
})
afterAll(async () => {
  await databases.close()
  await stage.close()
})

async function companyWithOfferings() {
  const company = await stage.company()
  const raise = newId('raise')
  const offerings: Id<'offering'>[] = []
  for (let n = 0; n < 3; n++) offerings.push(await stage.offering({ company, raise }))
  const investments: Id<'investment'>[] = []
  for (const offering of offerings) investments.push(await stage.arrange((tx) => makeInvestment(tx, { offering })))
  return { company, offerings, investments }
}

test('concurrent facts of two companies never deadlock, and afterwards the catalogue agrees with the facts', async () => {
  const companies = [await companyWithOfferings(), await companyWithOfferings()]
  const one = <T>(list: readonly T[], at: number): T => list[at % list.length] as T
  const applyFact = (turn: number, at: number) => {
    const { company, offerings, investments } = one(companies, at + turn)
    const [offering, investment] = [one(offerings, at * 5 + turn), one(investments, at + turn)]
    return databases.test.transaction<unknown>(async (tx) => {
      switch ((at + turn) % 8) {
        case 0:
          return updateOffering(tx, { id: offering, min_investment_cents: ((1 + at) * 100) as Cents }, LATER)
        case 1:
          return updateCompany(
            tx,
            { id: company, industries: at % 2 === 0 ? ['energy'] : ['hardware', 'media'] },
            LATER,
          )
        case 2:
          return updateOffering(tx, { id: offering, listed: turn % 2 === 0 }, LATER)
        case 3:
          return makeInvestment(tx, { offering })
        case 4:
          return changeAmount(tx, { id: investment, amount_cents: ((1 + at) * 10_000) as Cents }, LATER)
        case 5:
          return makeOffering(tx, { company, listed: true })
        case 6:
          return moveToOffering(tx, { id: investment, offering }, LATER)
        default:
          return at % 2 === 0
            ? refreshFigures(tx, { changes: 5, offerings: 5 })
            : reportPastRounds(tx, { company, rounds: [{ exemption: 'reg_d' }] }, LATER)
      }
    })
  }
  let done = 0
  for (let turn = 0; turn < TURNS; turn++) {
    const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, (_, at) => applyFact(turn, at)))
    done += ended.filter(({ status }) => status === 'fulfilled').length
    // A fact may be rejected, such as a move to the offering that the investment is in. No fact may fail in another way, such as
    // by a deadlock.
    const reasons = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    expect(reasons.filter((reason) => !(reason instanceof ApiError))).toEqual([])
  }
  expect(done).toBeGreaterThan((TURNS * AT_ONCE) / 2)
  expect(await differences()).toEqual([])
})

/**
 * Rows that contradict each other: entries that differ from their offering or company, companies that GET /explore lists twice,
 * lists wrongly or omits (`explored_by`), and search names with a wrong `shown_to` or wrong trigrams.
 */
async function differences() {
  return stage.db.sql(
    `select e.offering_id from test.catalog_entries e join test.offerings o on o.id = e.offering_id
       join test.companies c on c.id = o.company_id
      where (e.status, e.min_investment_cents, e.industries, e.shown_to) is distinct from
            (o.status, o.min_investment_cents, c.industries, case when o.listed then 'public' end)
     union all
     select company_id from test.catalog_entries group by company_id
     having count(explored_by) <> (case when bool_or(shown_to is not null and status = 'open') then 1 else 0 end)
     union all
     select n.company_id from test.company_names n
      where n.shown_to is distinct from (select max(e.shown_to) from test.catalog_entries e where e.company_id = n.company_id)
         or (select count(*) from test.company_grams g
              where g.company_id = n.company_id and (g.shown_to, g.standing) = (n.shown_to, n.standing))
            <> case when n.shown_to is null then 0 else cardinality(n.grams) end
         or (select count(*) from test.company_grams g where g.company_id = n.company_id)
            <> case when n.shown_to is null then 0 else cardinality(n.grams) end`,
  )
}

test('an offering that becomes private is never shown again, also under concurrent reads', async () => {
  const id = await stage.offering()
  const path = `/offerings/${id}`
  let isPrivate = false
  const wrong: string[] = []
  const reading = Array.from({ length: 8 }, async () => {
    for (let n = 0; n < 60; n++) {
      // A request that is sent after the commit must not return the offering.
      const isSentAfter = isPrivate
      const [one, list] = await Promise.all([stage.everybody(path), stage.everybody('/explore?per_page=100')])
      if (isSentAfter && one.status !== 404) wrong.push('by id')
      if (isSentAfter && list.list.some((offering) => offering.id === id)) wrong.push('in the list')
    }
  })
  await stage.everybody(path)
  await stage.arrange((tx) => updateOffering(tx, { id, listed: false }, LATER))
  isPrivate = true
  await Promise.all(reading)
  expect(wrong).toEqual([])
  expect((await stage.everybody(path)).status).toBe(404)
})

test('investments confirmed during a summation are never lost', async () => {
  const offering = await stage.offering()
  await Promise.all(
    Array.from({ length: AT_ONCE }, () =>
      databases.test.transaction(async (tx) => {
        const id = await makeInvestment(tx, { offering })
        await confirmInvestment(tx, { id }, LATER)
        await refreshFigures(tx, { changes: 3, offerings: 3 })
      }),
    ),
  )
  await stage.refresh()
  const { amount_raised, investor_count } = (await stage.everybody(`/offerings/${offering}`)).data.attributes
  expect([amount_raised, investor_count]).toEqual([250 * AT_ONCE, AT_ONCE])
})

test.each(['most_raised', 'most_investors', 'newest', 'closing_soon'])(
  'pages sorted by %s have no row twice and miss no unchanged row while other rows change',
  async (sort) => {
    const staying: Id<'offering'>[] = []
    for (let n = 0; n < 12; n++) staying.push(await stage.offering())
    await stage.invest(staying[0] as Id<'offering'>, 300)
    await stage.refresh()
    const views = [stage.everybody, await stage.as(await stage.user())]
    let isOver = false
    const others = (async () => {
      while (!isOver) {
        const id = await stage.offering()
        await stage.invest(id, 100)
        await stage.refresh()
        await stage.arrange((tx) => updateOffering(tx, { id, listed: false }, LATER))
      }
    })()
    for (const get of views) {
      const seen: Id<'offering'>[] = []
      for (let cursor = ''; ; ) {
        const { list, meta } = await get(`/explore?sort=${sort}&per_page=2${cursor}`)
        seen.push(...list.map(({ id }) => id))
        if (meta['has_more'] !== true) break
        cursor = `&cursor=${meta['next_cursor']}`
      }
      expect(staying.filter((id) => !seen.includes(id))).toEqual([])
      expect(seen.length).toBe(new Set(seen).size)
    }
    isOver = true
    await others
  },
)
