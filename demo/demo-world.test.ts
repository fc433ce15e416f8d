import { ID_PREFIX, type IdKind, parseId } from '@portico/server/kernel/ids.ts'
import { describe, expect, test } from 'vitest'
import { demoCompanies } from './companies.ts'
import { demoWorld } from './demo-world.ts'
import { DAY_MS, FIRST_FACT, LAST_FACT } from './timeline.ts'

const NOW = Date.parse('2026-11-15T09:30:00Z')
const { facts, people, ids } = demoWorld(NOW)

type Data = { readonly [key: string]: unknown }
const dataOf = (type: string) => facts.filter(({ fact }) => fact.type === type).map(({ fact }) => fact.data as Data)
const values = (type: string, field: string) => new Set(dataOf(type).map((data) => data[field]))

describe('the demo world', () => {
  test('is the same, byte for byte, for the same time', () => {
    expect(JSON.stringify(demoWorld(NOW))).toBe(JSON.stringify({ facts, people, ids }))
  })

  test('differs only in its dates for another time', () => {
    const later = demoWorld(NOW + 1_000 * DAY_MS)
    const undated = (world: typeof later) => JSON.stringify(world).replace(/\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?/g, 'then')
    expect(undated(later)).toBe(undated({ facts, people, ids }))
  })

  test('is in chronological order, and no fact is in the future', () => {
    const times = facts.map(({ fact }) => fact.occurred_at)
    expect(times).toEqual([...times].sort())
    expect(Date.parse(times.at(-1) ?? '')).toBeLessThanOrEqual(NOW)
  })

  test('has a unique id for every fact, and fixed ids for the first and the last fact', () => {
    const names = facts.map(({ fact }) => fact.id)
    expect(new Set(names).size).toBe(names.length)
    expect([names.at(0), names.at(-1)]).toEqual([FIRST_FACT, LAST_FACT])
  })

  test('refers to records by well-formed ids', () => {
    const idsInFacts = facts.flatMap(({ fact }) => JSON.stringify(fact.data).match(/"[a-z]+_[0-9A-Za-z]{24}"/g) ?? [])
    const kinds = Object.keys(ID_PREFIX) as IdKind[]
    const wellFormed = (id: string) => kinds.some((kind) => parseId(kind, id.slice(1, -1)) !== null)
    expect(idsInFacts.filter((id) => !wellFormed(id))).toEqual([])
  })
})

describe('the content of the demo world', () => {
  test('has 300 people, each with a unique email address and a unique user name', () => {
    expect(dataOf('user.registered')).toHaveLength(300)
    expect(values('user.registered', 'email').size).toBe(300)
    expect(values('user.registered', 'username').size).toBe(300)
  })

  test('has at least 45 companies, some of which do not want promotion, and some of which are funds', () => {
    expect(dataOf('company.created').length).toBeGreaterThanOrEqual(45)
    expect(
      dataOf('company.created').filter((company) => company['promotion_opt_in'] === false).length,
    ).toBeGreaterThanOrEqual(2)
    expect(values('company.created', 'kind')).toEqual(new Set(['company', 'fund']))
    expect(dataOf('company.created').map(({ id }) => id)).toEqual(
      expect.arrayContaining(demoCompanies().map(({ id }) => id)),
    )
  })

  test('has at least 50 offerings; at least 32 of them are listed, open to everyone, and of companies that allow promotion', () => {
    const offerings = dataOf('offering.created')
    expect(offerings.length).toBeGreaterThanOrEqual(50)
    const ended = new Set(['offering.closing', 'offering.canceled'].flatMap((type) => [...values(type, 'id')]))
    const opened = values('offering.opened', 'id')
    const quiet = new Set(
      dataOf('company.created').flatMap(({ id, promotion_opt_in }) => (promotion_opt_in ? [] : [id])),
    )
    const open = offerings.filter(({ id, company, listed, accredited_only }) => {
      return listed === true && accredited_only === false && opened.has(id) && !ended.has(id) && !quiet.has(company)
    })
    expect(open.length).toBeGreaterThanOrEqual(32)
  })

  test('has every exemption and every kind of security', () => {
    const exemptions = ['reg_cf', 'reg_d_506b', 'reg_d_506c', 'reg_a', 'reg_s', 'ecsp']
    expect(values('offering.created', 'exemption')).toEqual(new Set(exemptions))
    const types = dataOf('offering.created').flatMap(({ security }) =>
      security === undefined ? [] : [(security as Data)['type']],
    )
    expect(new Set(types)).toEqual(
      new Set(['safe', 'equity', 'convertible_note', 'revenue_share', 'debt', 'fund', 'other']),
    )
  })

  test('has rounds that test the waters, rounds for accredited investors, and private rounds with invitations', () => {
    const testing = dataOf('offering.created').filter((offering) => offering['testing_the_waters'] === true)
    expect(testing.length).toBeGreaterThanOrEqual(3)
    expect(testing.some((offering) => offering['intended_security'] === undefined)).toBe(true)
    expect(values('offering.created', 'accredited_only')).toEqual(new Set([true, false]))
    const unlisted = dataOf('offering.created').filter((offering) => offering['listed'] === false)
    expect(unlisted.length).toBeGreaterThanOrEqual(3)
    expect(unlisted.map(({ id }) => id).filter((id) => !values('offering.user_invited', 'id').has(id))).toEqual([])
  })

  test('has 2,000 investments, all within the last 120 days', () => {
    const investments = facts.filter(({ fact }) => fact.type === 'investment.created')
    expect(investments).toHaveLength(2_000)
    const days = investments.map(({ fact }) => (NOW - Date.parse(fact.occurred_at)) / DAY_MS)
    expect(Math.max(...days)).toBeLessThanOrEqual(120)
    expect(Math.max(...days)).toBeGreaterThan(115)
    expect(Math.min(...days)).toBeLessThan(2)
  })

  test('has three syndicates: one with approval, one with automatic approval, and one with a fund', () => {
    const [approval, automatic, fund] = dataOf('syndicate.created')
    expect(dataOf('syndicate.created')).toHaveLength(3)
    expect(approval).toMatchObject({ auto_approval: false })
    expect(automatic).toMatchObject({ auto_approval: true })
    expect(fund).toMatchObject({ fund: { type: 'traditional_fund' } })
  })

  test.each([
    'company.past_rounds_reported',
    'company.followed',
    'company.pitch_published',
    'offering.perks_set',
    'offering.disclosures_filed',
    'company_update.published',
    'question.asked',
    'comment.posted',
    'portfolio.valued',
    'portfolio.exited',
    'portfolio.sold',
    'fund.holding_set',
    'syndicate.deal_added',
    'membership.invited',
    'join_session.created',
    'investment_session.created',
    'user.deactivated',
  ])('has at least two facts of type %s', (type) => {
    expect(dataOf(type).length).toBeGreaterThan(1)
  })

  test('has a pitch for every company; the founder’s company also has an offering with perks and disclosures, and a post of each visibility', () => {
    expect(dataOf('company.pitch_published')).toHaveLength(dataOf('company.created').length)
    expect(values('company.pitch_published', 'authored_by')).toEqual(new Set([undefined, 'platform']))
    expect(values('offering.perks_set', 'offering')).toContain(ids.offering_public)
    expect(values('offering.disclosures_filed', 'offering')).toContain(ids.offering_public)
    const posts = dataOf('company_update.published').filter(({ company }) => company === ids.company)
    expect(new Set(posts.map(({ visibility }) => visibility))).toEqual(
      new Set(['public', 'investors', 'community', 'private']),
    )
  })

  test('has people to sign in as: a founder and an editor of the company, and a manager of three syndicates', () => {
    expect(people.founder.companies).toEqual([ids.company])
    expect(people.editor.companies).toContain(ids.company)
    expect(people.manager.syndicates).toContain(ids.syndicate)
    expect(people.manager.syndicates).toHaveLength(3)
    const registered = values('user.registered', 'id')
    expect(Object.values(people).filter(({ id }) => !registered.has(id))).toEqual([])
  })

  test('has named ids for scripts: each belongs to a record of the kind that its name says', () => {
    const offering = (id: string) => dataOf('offering.created').find((each) => each['id'] === id)
    expect(offering(ids.offering_public)).toMatchObject({ listed: true, accredited_only: false, company: ids.company })
    expect(offering(ids.offering_private)).toMatchObject({ listed: false })
    expect(offering(ids.offering_testing_the_waters)).toMatchObject({ testing_the_waters: true, listed: true })
    expect(offering(ids.offering_accredited)).toMatchObject({ accredited_only: true, listed: true })
    const company = dataOf('company.created').find(({ id }) => id === ids.company_not_promoted)
    expect(company).toMatchObject({ promotion_opt_in: false })
    const investment = dataOf('investment.created').find(({ id }) => id === ids.investment)
    expect(investment).toMatchObject({ offering: ids.offering_public, investor: people.investor.id })
  })
})
