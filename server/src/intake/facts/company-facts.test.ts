import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { BUSINESS_MODELS, INDUSTRIES, PAST_ROUNDS_MAX } from '#market/companies/index.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { FACT_SETTINGS } from '#test/fact-settings.ts'
import { makeUser } from '#test/people.ts'
import { applyFact } from './apply-fact.ts'
import { companyFacts } from './company-facts.ts'
import { factTable } from './fact-type.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const rules = { table: factTable(companyFacts), settings: FACT_SETTINGS }

async function sendFact(type: string, data: object): Promise<string> {
  const fact = { id: randomUUID(), type, occurred_at: '2026-01-15T12:00:00Z', data }
  const outcome = await applyFact(db.databases.test, rules, fact)
  if (outcome.status !== 'refused') return outcome.status
  const { type: refusal, field, code } = outcome.error
  return refusal === 'invalid_fact' ? `${field} ${code}` : `${refusal} ${field}`
}

const company = (more: object = {}) => ({ id: newId('company'), name: 'Engines', page_url: '/engines', ...more })
const aCompany = () => db.databases.test.transaction((tx) => makeCompany(tx))
const aUser = () => db.databases.test.transaction((tx) => makeUser(tx))

describe('facts about a company', () => {
  test('the examples are applied after their people were registered', async () => {
    await db.databases.test.transaction(async (tx) => {
      for (const name of ['Founder00000', 'Editor000000', 'Investor0000']) {
        await makeUser(tx, { id: `usr_0ExampleNoun${name}` as ReturnType<typeof newId<'user'>> })
      }
    })
    for (const { type, example } of companyFacts)
      expect([type, await sendFact(type, example as object)]).toEqual([type, 'applied'])
  })

  test('facts that contradict stored records are rejected, each with its code', async () => {
    const [known, user, unknownUser] = [company({ slug: 'engines' }), await aUser(), newId('user')]
    expect(await sendFact('company.created', known)).toBe('applied')
    expect(await sendFact('company.created', known)).toBe('data.id already_exists')
    expect(await sendFact('company.created', company({ slug: 'engines' }))).toBe('data.slug taken')
    expect(await sendFact('company.updated', company())).toBe('unknown_reference data.id')
    const role = { company: known.id, user, role: 'editor' }
    expect(await sendFact('company.person_ended', role)).toBe('data.role not_held')
    expect(await sendFact('company.person_set', { ...role, user: unknownUser })).toBe('unknown_reference data.user')
    expect(await sendFact('company.person_set', { ...role, company: newId('company') })).toBe(
      'unknown_reference data.company',
    )
    expect(await sendFact('company.followed', { company: known.id, user: unknownUser })).toBe(
      'unknown_reference data.user',
    )
    const comment = { id: newId('comment'), author: user, body: 'Why?' }
    expect(await sendFact('question.asked', { ...comment, company: newId('company') })).toBe(
      'unknown_reference data.company',
    )
    expect(await sendFact('comment.posted', { ...comment, parent: newId('comment') })).toBe(
      'unknown_reference data.parent',
    )
    expect(await sendFact('comment.updated', { id: comment.id, highlighted: true })).toBe('unknown_reference data.id')
  })

  test('a wrong past round is rejected with an error about its field, and so is a list of too many rounds', async () => {
    const id = await aCompany()
    const report = (rounds: readonly object[]) => sendFact('company.past_rounds_reported', { company: id, rounds })
    const full = Array.from({ length: PAST_ROUNDS_MAX }, () => ({ exemption: 'other' }))
    expect(await report(full)).toBe('applied')
    expect(await report([...full, { exemption: 'other' }])).toBe('data.rounds too_long')
    expect(await report([{ exemption: 'reg_z' }])).toMatch('data.rounds[0].exemption')
    expect(await report([{ exemption: 'other', amount_raised_cents: 100 }])).toBe('data.rounds[0].currency required')
    expect(await report([{ exemption: 'other', amount_raised_cents: 150, currency: 'usd' }])).toMatch(
      'amount_raised_cents',
    )
    expect(await report([{ exemption: 'other', amount_raised_cents: 2 ** 53, currency: 'usd' }])).toMatch(
      'amount_raised_cents',
    )
    expect(await report([{ exemption: 'other', amount_raised_cents: -100, currency: 'usd' }])).toMatch(
      'amount_raised_cents',
    )
    expect(await report([{ exemption: 'other', investor_count: 2 ** 31 }])).toMatch('investor_count')
    // The same moment in two time zones, so the round does not close before it opens.
    const moment = { opened_at: '2024-01-01T01:00:00+01:00', closed_at: '2024-01-01T00:00:00Z' }
    expect(await report([{ exemption: 'other', ...moment, investor_count: 2 ** 31 - 1 }])).toBe('applied')
  })
})

const LONGEST: [string, string, string][] = [
  ['name', '𝒜'.repeat(200), '𝒜'],
  ['tagline', '𝒜'.repeat(500), '𝒜'],
  ['slug', 'a'.repeat(100), 'a'],
  ['page_url', `/${'a'.repeat(1999)}`, 'a'],
  ['logo_url', `https://${'a'.repeat(1992)}`, 'a'],
  ['card_image_url', `https://${'a'.repeat(1992)}`, 'a'],
]

describe('fields at their limits', () => {
  test.each(LONGEST)('%s may be as long as its column, but not longer', async (field, longest, more) => {
    expect(await sendFact('company.created', company({ [field]: longest }))).toBe('applied')
    expect(await sendFact('company.created', company({ [field]: longest + more }))).toMatch(`data.${field} `)
  })

  test('tags must be words of the vocabulary, each at most once', async () => {
    expect(await sendFact('company.created', company({ industries: INDUSTRIES.slice(0, 10) }))).toBe('applied')
    expect(await sendFact('company.created', company({ industries: INDUSTRIES.slice(0, 11) }))).toBe(
      'data.industries too_long',
    )
    expect(await sendFact('company.created', company({ business_models: BUSINESS_MODELS }))).toBe('applied')
    expect(await sendFact('company.created', company({ industries: ['energy', 'energy'] }))).toBe(
      'data.industries duplicate',
    )
    expect(await sendFact('company.created', company({ industries: ['Energy'] }))).toMatch('data.industries[0] ')
    expect(await sendFact('company.created', company({ business_models: ['barter'] }))).toMatch(
      'data.business_models[0] ',
    )
  })

  test.each<[string, unknown]>([
    ['name', 'Engines \u202esenignE'],
    ['name', 'Engines\u0000'],
    ['name', null],
    ['tagline', 'two\nlines'],
    ['kind', 'syndicate'],
    ['slug', 'Upper'],
    ['page_url', null],
    ['page_url', '//elsewhere.example.org'],
    ['page_url', 'ftp://example.org'],
    ['page_url', '/'],
    ['promotion_opt_in', 'yes'],
    ['founder', 'Ada'],
  ])('%s must not be %j', async (field, value) => {
    const wrong = company({ [field]: value })
    expect(await sendFact('company.created', wrong)).toMatch(`data.${field} `)
    expect(await db.sql('select id from test.companies where id = $1', [wrong.id])).toEqual([])
  })

  test('a change of a company’s kind is rejected, and so is an unknown role', async () => {
    const [id, user] = [await aCompany(), await aUser()]
    expect(await sendFact('company.updated', { id, kind: 'fund' })).toBe('data.kind unknown_field')
    expect(await sendFact('company.person_set', { company: id, user, role: 'owner' })).toMatch('data.role ')
  })

  test('a question has a text of at most 10,000 characters, without control characters', async () => {
    const who = { company: await aCompany(), author: await aUser() }
    const ask = (body: string) => sendFact('question.asked', { id: newId('comment'), ...who, body })
    expect(await ask('𝒜'.repeat(10_000))).toBe('applied')
    expect(await ask('𝒜'.repeat(10_001))).toBe('data.body too_long')
    for (const wrong of ['', 'a\u001b[31m', 'a\u202eb']) expect(await ask(wrong)).toMatch('data.body ')
    const asked = { id: newId('comment'), ...who, body: 'Why?', disclosure_key: 'friend' }
    expect(await sendFact('question.asked', asked)).toMatch('data.disclosure_key ')
  })
})
