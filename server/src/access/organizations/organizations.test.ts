import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccount } from '#access/accounts/index.ts'
import { newId } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { refusalOf } from '#test/refusal.ts'
import { addMember, createOrganization, findRole, type Member, ORGANIZATION_ROLES } from './index.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const onPlatform = <T>(work: (tx: PlatformTx) => Promise<T>) => db.databases.platform.transaction(work)
const anOrganization = () => onPlatform((tx) => createOrganization(tx, { name: 'Partner' }))
const anAccount = () =>
  onPlatform((tx) => createAccount(tx, { email: `${newId('account')}@example.org`, name: 'Dev', passwordHash: null }))
const add = (member: Member) => onPlatform((tx) => addMember(tx, member))
const roleOf = ({ organization, account }: Member) => findRole(db.databases.platform.reads, organization, account)

describe('creating an organization', () => {
  test('creates an active organization, with a new id or the given id', async () => {
    const id = newId('organization')
    expect(await onPlatform((tx) => createOrganization(tx, { id, name: 'Partner' }))).toBe(id)
    const other = await anOrganization()
    const rows = await db.sql('select name, state from platform.organizations where id = any($1)', [[id, other]])
    expect(rows).toEqual(Array(2).fill({ name: 'Partner', state: 'active' }))
  })

  test('is rejected if the id exists already', async () => {
    const id = await anOrganization()
    expect(await refusalOf(onPlatform((tx) => createOrganization(tx, { id, name: 'Other' })))).toBe('id already_exists')
  })
})

describe('adding a member', () => {
  test.each(ORGANIZATION_ROLES)('gives the person the role %s', async (role) => {
    const member = { organization: await anOrganization(), account: await anAccount(), role }
    expect(await roleOf(member)).toBeNull()
    await add(member)
    expect(await roleOf(member)).toBe(role)
  })

  test('is rejected for a member of the team, whose role does not change', async () => {
    const member: Member = { organization: await anOrganization(), account: await anAccount(), role: 'developer' }
    await add(member)
    expect(await refusalOf(add({ ...member, role: 'owner' }))).toBe('account already_exists')
    expect(await roleOf(member)).toBe('developer')
  })

  test('an account can be a member of two organizations, with a role in each', async () => {
    const [account, one, other] = [await anAccount(), await anOrganization(), await anOrganization()]
    await add({ organization: one, account, role: 'owner' })
    await add({ organization: other, account, role: 'developer' })
    expect(await roleOf({ organization: other, account, role: 'developer' })).toBe('developer')
  })

  test('is rejected for an unknown organization or account, and for an ended organization', async () => {
    const member: Member = { organization: await anOrganization(), account: await anAccount(), role: 'admin' }
    const [organization, account] = [newId('organization'), newId('account')]
    expect(await refusalOf(add({ ...member, organization }))).toBe(`unknown organization ${organization}`)
    expect(await refusalOf(add({ ...member, account }))).toBe(`unknown account ${account}`)
    await db.sql("update platform.organizations set state = 'ended', ended_at = now() where id = $1", [
      member.organization,
    ])
    expect(await refusalOf(add(member))).toBe('organization ended')
    expect(await roleOf(member)).toBeNull()
  })
})

test('the roles are those that the database allows', async () => {
  const [row] = await db.sql<{ definition: string }>(
    "select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'organization_members_role_known'",
  )
  expect([...(row?.definition.matchAll(/'(\w+)'::text/g) ?? [])].map(([, word]) => word)).toEqual([
    ...ORGANIZATION_ROLES,
  ])
})
