import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateUser } from '#access/people/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { setManager } from '#market/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { FACT_SETTINGS } from '#test/fact-settings.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { makeSyndicate } from '#test/syndicates.ts'
import { applyFact } from './apply-fact.ts'
import { factRules } from './fact-types.ts'
import { forgetUser } from './forget-user.ts'
import { applyFacts } from './http.ts'

/*
 * Facts that identify a person only by an email address are sent while that person is being erased. Afterwards no table may
 * contain the address.
 */
const rules = factRules(FACT_SETTINGS)
let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const run = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)
const fact = (type: string, data: object) => ({ id: randomUUID(), type, occurred_at: '2026-01-15T12:00:00Z', data })

type Fact = ReturnType<typeof fact>
const KINDS: Readonly<Record<string, (email: string) => Promise<Fact>>> = {
  'investment_session.created': async (email) => {
    const offering = await run((tx) => makeOffering(tx))
    const data = { id: newId('investmentSession'), offering, email, expires_at: '2099-01-01T00:00:00Z' }
    return fact('investment_session.created', data)
  },
  'membership.invited': async (email) => {
    const { syndicate, invited_by } = await run(async (tx) => {
      const [syndicate, invited_by] = [await makeSyndicate(tx), await makeUser(tx)]
      await setManager(tx, { syndicateId: syndicate, userId: invited_by, permission: 'full_access' }, occasionAt())
      return { syndicate, invited_by }
    })
    return fact('membership.invited', { syndicate, email, name: 'Ada', invited_by })
  },
}

/** Creates a person with this address. `isFormer`: the person then gets another address. */
async function personWith(email: string, isFormer: boolean): Promise<Id<'user'>> {
  return run(async (tx) => {
    const id = await makeUser(tx, { email })
    if (isFormer) await updateUser(tx, { id, email: `${randomUUID()}@now.example` }, occasionAt())
    return id
  })
}

/** Runs `work`, calls `meanwhile` before the commit, and commits as soon as `meanwhile` waits for a lock. */
async function open(work: (tx: Tx) => Promise<unknown>, meanwhile: () => Promise<unknown>) {
  const [done, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const working = run(async (tx) => {
    await work(tx)
    done.resolve()
    await mayEnd.promise
  })
  await done.promise
  const waiting = meanwhile()
  await db.untilTransactionWaits()
  mayEnd.resolve()
  await working
  return waiting
}

async function tablesWith(text: string): Promise<string[]> {
  const tables = await db.sql<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'test' and table_type = 'BASE TABLE'",
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await db.sql(`select 1 from test.${name} t where t::text ilike $1 limit 1`, [`%${text}%`])
    if (rows.length > 0) found.push(name)
  }
  return found
}

const CASES = Object.keys(KINDS).flatMap((type) => [
  { type, whose: 'current', isFormer: false },
  { type, whose: 'former', isFormer: true },
])

describe.each(CASES)('$type with the $whose address of a person', ({ type, isFormer }) => {
  const factFor = async (email: string) => (await KINDS[type]?.(email)) ?? fact(type, {})

  test('a fact sent during the person’s erasure waits for it and is refused, and no table has the address', async () => {
    const email = `ada.${randomUUID()}@example.org`
    const [user, sent] = [await personWith(email, isFormer), await factFor(email)]
    const outcomes = await open(
      (tx) => forgetUser(tx, user, occasionAt()),
      () => applyFacts(db.databases.test, rules, [sent]),
    )
    expect(outcomes).toMatchObject([{ status: 'refused', error: { field: 'data.email', code: 'deactivated' } }])
    expect(await tablesWith(email)).toEqual([])
  })

  test('an erasure waits for a fact that is being applied, and erases the address', async () => {
    const email = `ada.${randomUUID()}@example.org`
    const [user, sent] = [await personWith(email, isFormer), await factFor(email)]
    const [applied, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const applying = applyFact(db.databases.test, rules, sent, async () => {
      applied.resolve()
      await mayEnd.promise
    })
    await applied.promise
    const erasing = run((tx) => forgetUser(tx, user, occasionAt()))
    await db.untilTransactionWaits()
    mayEnd.resolve()
    expect(await applying).toMatchObject({ status: 'applied' })
    await erasing
    expect(await tablesWith(email)).toEqual([])
  })
})
