import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { FACT_SETTINGS } from '#test/fact-settings.ts'
import { applyFact } from './apply-fact.ts'
import { factTable } from './fact-type.ts'
import { userFacts } from './fact-types.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const rules = { table: factTable(userFacts), settings: FACT_SETTINGS }

/** Sends a fact and returns `applied` or the rejection, such as `data.email taken`. */
async function sendFact(type: string, data: object): Promise<string> {
  const fact = { id: randomUUID(), type, occurred_at: '2026-01-15T12:00:00Z', data }
  const outcome = await applyFact(db.databases.test, rules, fact)
  if (outcome.status !== 'refused') return outcome.status
  const { type: refusal, field, code } = outcome.error
  return refusal === 'invalid_fact' ? `${field} ${code}` : `${refusal} ${field}`
}

const person = (more: object = {}) => {
  const id = newId('user')
  return { id, name: 'Ada', email: `${id}@example.org`, ...more }
}

async function userOf(id: Id<'user'>): Promise<Record<string, unknown> | undefined> {
  const [row] = await db.sql<{ user: Record<string, unknown> }>(
    'select to_jsonb(u) as user from test.users u where id = $1',
    [id],
  )
  return row?.user
}

describe('facts about a user', () => {
  test('the examples of registered, updated and deactivated are applied', async () => {
    for (const { type, example } of userFacts) expect(await sendFact(type, example as object)).toBe('applied')
  })

  test('a person can be registered with a part of a location or address, and with a time in any zone', async () => {
    const all = person({
      location: { city: 'London', country: 'GB' },
      certified_at: '2026-01-01T02:00:00+02:00',
      address: { postal_code: 'SW1Y 4JH' },
    })
    expect(await sendFact('user.registered', all)).toBe('applied')
    expect(await userOf(all.id)).toMatchObject({
      city: 'London',
      state: null,
      country: 'GB',
      address: { postal_code: 'SW1Y 4JH' },
      certified_at: '2026-01-01T00:00:00+00:00',
      created_at: '2026-01-15T12:00:00+00:00',
    })
  })

  test('a location is replaced as a whole; null removes it, and an omitted location does not change', async () => {
    const ada = person({ location: { city: 'London', state: 'England' } })
    await sendFact('user.registered', ada)
    await sendFact('user.updated', { id: ada.id, location: { city: 'Paris' } })
    expect(await userOf(ada.id)).toMatchObject({ city: 'Paris', state: null })
    await sendFact('user.updated', { id: ada.id, bio: 'Hello' })
    expect(await userOf(ada.id)).toMatchObject({ city: 'Paris' })
    await sendFact('user.updated', { id: ada.id, location: null })
    expect(await userOf(ada.id)).toMatchObject({ city: null, state: null, country: null, bio: 'Hello' })
  })

  test('facts that contradict stored records are rejected, each with its code', async () => {
    const [ada, unknownUser] = [person({ username: 'ada' }), newId('user')]
    await sendFact('user.registered', ada)
    expect(await sendFact('user.registered', ada)).toBe('data.id already_exists')
    expect(await sendFact('user.registered', person({ email: ada.email.toUpperCase() }))).toBe('data.email taken')
    expect(await sendFact('user.registered', person({ username: 'ADA' }))).toBe('data.username taken')
    expect(await sendFact('user.updated', { id: unknownUser, name: 'X' })).toBe('unknown_reference data.id')
    expect(await sendFact('user.deactivated', { id: unknownUser })).toBe('unknown_reference data.id')
    await sendFact('user.deactivated', { id: ada.id })
    expect(await sendFact('user.updated', { id: ada.id, name: 'Back' })).toBe('data.id deactivated')
    expect(await sendFact('user.deactivated', { id: ada.id })).toBe('applied')
  })

  test('deactivating a person queues one ledger update, even if the fact is repeated', async () => {
    const ada = person()
    await sendFact('user.registered', ada)
    await sendFact('user.deactivated', { id: ada.id })
    await sendFact('user.deactivated', { id: ada.id })
    expect(await db.sql('select kind from test.investment_changes where id = $1', [ada.id])).toEqual([
      { kind: 'investor_deactivated' },
    ])
  })
})

/** [field, longest value, text that makes it too long]. A letter of four bytes counts as one character. */
const LONGEST: [string, string, string][] = [
  ['name', '𝒜'.repeat(200), '𝒜'],
  ['first_name', '𝒜'.repeat(100), '𝒜'],
  ['legal_name', '𝒜'.repeat(200), '𝒜'],
  ['bio', '𝒜'.repeat(5000), '𝒜'],
  ['email', `${'a'.repeat(242)}@example.org`, 'x'],
  ['username', 'a'.repeat(60), 'a'],
  ['avatar_url', `https://${'a'.repeat(1992)}`, 'a'],
]

describe('fields at their limits', () => {
  test.each(LONGEST)('%s may be as long as its column, but not longer', async (field, longest, more) => {
    expect(await sendFact('user.registered', person({ [field]: longest }))).toBe('applied')
    expect(await sendFact('user.registered', person({ [field]: longest + more }))).toMatch(`data.${field} `)
  })

  test('an address with the longest lines in any script fits its column', async () => {
    const [line, city, place] = ['𝒜'.repeat(100), '𝒜'.repeat(80), '𝒜'.repeat(60)]
    const address = { line1: line, line2: line, city, state: place, postal_code: '𝒜'.repeat(20), country: place }
    expect(await sendFact('user.registered', person({ address }))).toBe('applied')
    const quotes = Object.fromEntries(Object.entries(address).map(([key, text]) => [key, '"'.repeat([...text].length)]))
    expect(await sendFact('user.registered', person({ address: quotes }))).toBe('applied')
    expect(await sendFact('user.registered', person({ address: { ...address, line1: `${line}x` } }))).toBe(
      'data.address.line1 too_long',
    )
  })

  test.each(['name', 'first_name', 'legal_name', 'bio'])(
    '%s must not contain control characters, direction marks or lone surrogates',
    async (field) => {
      for (const text of [
        'A\u0007da',
        'A\u0000da',
        'Ada \u202eecalevoL',
        '\u2066Ada\u2069',
        'A\u009bda',
        'Ada\ud800',
      ]) {
        const user = person({ [field]: text })
        expect(await sendFact('user.registered', user)).toMatch(`data.${field} `)
        expect(await userOf(user.id)).toBeUndefined()
      }
    },
  )

  test.each<[string, unknown]>([
    ['id', 'usr_short'],
    ['id', 'co_000000000000000000000001'],
    ['name', ''],
    ['name', ' Ada'],
    ['name', 'Ada\nLovelace'],
    ['name', null],
    ['email', 'nobody'],
    ['email', null],
    ['email', 'a\u202e@example.org'],
    ['username', 'two words'],
    ['username', 'ädä'],
    ['avatar_url', 'javascript:alert(1)'],
    ['avatar_url', '//elsewhere.example.org/x.png'],
    ['avatar_url', 'https://example.org/a\u202eb'],
    ['accreditation', 'maybe'],
    ['certified_at', '2026-02-30T00:00:00Z'],
    ['certified_at', '2026-01-15T12:00:00.000001Z'],
    ['certified_at', '9999-01-01T00:00:00Z'],
    ['location', { planet: 'Mars' }],
    ['location', { city: '' }],
    ['address', { street: 'x' }],
    ['nickname', 'Ada'],
  ])('%s must not be %j', async (field, value) => {
    const user = person({ [field]: value })
    expect(await sendFact('user.registered', user)).toMatch(`data.${field}`)
    expect(await userOf(user.id as Id<'user'>)).toBeUndefined()
  })
})
