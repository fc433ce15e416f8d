import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deactivateUser } from '#access/people/index.ts'
import { worldTime } from '#kernel/clock.ts'
import { newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '#test/refusal.ts'
import { type CompanyRole, endRole, type RoleOfPerson, setRole } from './index.ts'
import type { Person } from './store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const day = (day: number) => ({ occurredAt: worldTime(`2026-03-0${day}T00:00:00.000000Z`) })
const inTest = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)
const set = (role: RoleOfPerson, on = 1) => inTest((tx) => setRole(tx, role, day(on)))
const end = (role: RoleOfPerson, on = 2) => inTest((tx) => endRole(tx, role, day(on)))
const newPerson = () => inTest(async (tx) => ({ company: await makeCompany(tx), user: await makeUser(tx) }))

async function rolesOf({ company, user }: Person): Promise<string[]> {
  const rows = await db.sql<{ role: string; started: string; ended: string | null; position: string | null }>(
    `select role, to_char(started_at at time zone 'utc', 'DD') as started, changed_position as position,
            to_char(ended_at at time zone 'utc', 'DD') as ended
     from test.company_people where company_id = $1 and user_id = $2 order by role`,
    [company, user],
  )
  return rows.map(({ role, started, ended, position }) => `${role} ${started}-${ended ?? ''} ${position ?? 'unplaced'}`)
}

async function accessChanges({ user }: Person): Promise<number> {
  return (await db.sql("select seq from test.investment_changes where kind = 'access' and id = $1", [user])).length
}

/** Does what publishing in the ledger does: deletes the waiting change and gives the role a position. */
async function publish({ user }: Person): Promise<void> {
  await db.sql('delete from test.investment_changes where id = $1', [user])
  await db.sql('update test.company_people set changed_position = 7 where user_id = $1', [user])
}

describe('setting a role', () => {
  test.each<[CompanyRole, number]>([
    ['founder', 1],
    ['admin', 1],
    ['editor', 1],
    ['employee', 0],
  ])(
    'a new %s role starts at the time of the fact and queues this number of access changes: %d',
    async (role, changes) => {
      const person = await newPerson()
      await set({ ...person, role })
      expect(await rolesOf(person)).toEqual([`${role} 01- unplaced`])
      expect(await accessChanges(person)).toBe(changes)
    },
  )

  test('setting a role that the person already has changes nothing', async () => {
    const person = await newPerson()
    await set({ ...person, role: 'founder' }, 1)
    await set({ ...person, role: 'founder' }, 3)
    expect([await rolesOf(person), await accessChanges(person)]).toEqual([['founder 01- unplaced'], 1])
  })

  test('an employee who becomes editor gets more access; an editor who becomes admin does not', async () => {
    const person = await newPerson()
    await set({ ...person, role: 'employee' })
    await set({ ...person, role: 'editor' })
    expect(await accessChanges(person)).toBe(1)
    await set({ ...person, role: 'admin' })
    expect(await accessChanges(person)).toBe(1)
    expect(await rolesOf(person)).toEqual(['admin 01- unplaced', 'editor 01- unplaced', 'employee 01- unplaced'])
  })

  test('a role that starts again has the new start time and no ledger position until it is published', async () => {
    const person = await newPerson()
    await set({ ...person, role: 'editor' }, 1)
    await end({ ...person, role: 'editor' }, 2)
    await publish(person)
    await set({ ...person, role: 'editor' }, 3)
    expect([await rolesOf(person), await accessChanges(person)]).toEqual([['editor 03- unplaced'], 1])
  })

  test('setting a role is rejected for an unknown company or user and for a deactivated user', async () => {
    const person = await newPerson()
    const [company, user] = [newId('company'), newId('user')]
    expect(await refusalOf(set({ ...person, company, role: 'founder' }))).toBe(`unknown company ${company}`)
    expect(await refusalOf(set({ ...person, user, role: 'founder' }))).toBe(`unknown user ${user}`)
    await inTest((tx) => deactivateUser(tx, person.user, day(1)))
    expect(await refusalOf(set({ ...person, role: 'founder' }))).toBe('user deactivated')
    expect([await rolesOf(person), await accessChanges(person)]).toEqual([[], 0])
  })

  test('setting a role ten times at the same time queues one access change', async () => {
    const person = await newPerson()
    await Promise.all(Array.from({ length: 10 }, () => set({ ...person, role: 'editor' })))
    expect([await rolesOf(person), await accessChanges(person)]).toEqual([['editor 01- unplaced'], 1])
  })
})

describe('ending a role', () => {
  test('the row of an ended role stays and has the end time', async () => {
    const person = await newPerson()
    await set({ ...person, role: 'founder' })
    await publish(person)
    await end({ ...person, role: 'founder' })
    expect([await rolesOf(person), await accessChanges(person)]).toEqual([['founder 01-02 unplaced'], 1])
  })

  test('access ends with the last role that may edit', async () => {
    const person = await newPerson()
    for (const role of ['founder', 'admin', 'employee'] as const) await set({ ...person, role })
    await publish(person)
    await end({ ...person, role: 'founder' })
    expect(await accessChanges(person)).toBe(0)
    await end({ ...person, role: 'admin' })
    expect(await accessChanges(person)).toBe(1)
    await end({ ...person, role: 'employee' })
    expect(await accessChanges(person)).toBe(1)
  })

  test('two editing roles that end at the same time queue one access change', async () => {
    for (let round = 0; round < 5; round++) {
      const person = await newPerson()
      await set({ ...person, role: 'founder' })
      await set({ ...person, role: 'editor' })
      await publish(person)
      await Promise.all([end({ ...person, role: 'founder' }), end({ ...person, role: 'editor' })])
      expect(await accessChanges(person)).toBe(1)
    }
  })

  test('ending a role is rejected if the person never had it or if it has already ended', async () => {
    const person = await newPerson()
    expect(await refusalOf(end({ ...person, role: 'editor' }))).toBe('role not_held')
    await set({ ...person, role: 'editor' })
    expect(await refusalOf(end({ ...person, role: 'admin' }))).toBe('role not_held')
    await end({ ...person, role: 'editor' }, 2)
    expect(await refusalOf(end({ ...person, role: 'editor' }, 3))).toBe('role not_held')
    expect([await rolesOf(person), await accessChanges(person)]).toEqual([['editor 01-02 unplaced'], 2])
  })

  test('ending a role before its start time is rejected, because the facts are out of order', async () => {
    const person = await newPerson()
    await set({ ...person, role: 'editor' }, 3)
    expect(await refusalOf(end({ ...person, role: 'editor' }, 2))).toBe('role too_early')
    expect(await rolesOf(person)).toEqual(['editor 03- unplaced'])
  })

  test('ending a role works for a deactivated person, and is rejected for an unknown company or user', async () => {
    const person = await newPerson()
    await set({ ...person, role: 'founder' })
    await inTest((tx) => deactivateUser(tx, person.user, day(1)))
    await end({ ...person, role: 'founder' })
    expect(await rolesOf(person)).toEqual(['founder 01-02 unplaced'])
    const [company, user] = [newId('company'), newId('user')]
    expect(await refusalOf(end({ ...person, company, role: 'founder' }))).toBe(`unknown company ${company}`)
    expect(await refusalOf(end({ ...person, user, role: 'founder' }))).toBe(`unknown user ${user}`)
  })
})
