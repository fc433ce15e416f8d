import {
  createAccount,
  findAccountByEmail,
  linkAccount,
  passwordHasher,
} from '@portico/server/access/accounts/index.ts'
import {
  authenticateOperator,
  createOperatorKey,
  listKeys,
  revokeOperatorKey,
} from '@portico/server/access/operator/index.ts'
import {
  addMember,
  createOrganization,
  findRole,
  type OrganizationRole,
} from '@portico/server/access/organizations/index.ts'
import type { Id } from '@portico/server/kernel/ids.ts'
import { WORLDS, type World } from '@portico/server/kernel/world.ts'
import type { Databases, PlatformTx } from '@portico/server/system/postgres/database.ts'
import type { Partner } from './apps.ts'
import type { DemoFile, OperatorKeys } from './demo-file.ts'
import type { DemoPerson, DemoWorld } from './demo-world.ts'
import type { DemoRole } from './sign-in-people.ts'
import { organizationExists } from './store.ts'

/** The organization that owns the demo's apps. Its id is fixed, so that it is created only once. */
const ORGANIZATION = { id: 'org_0DemoFieldbook0000000000' as Id<'organization'>, name: 'Fieldbook' }

/** The organization's team has one member, the developer. The other people of the demo have no role in it. */
const TEAM: Partial<Record<DemoRole, OrganizationRole>> = { developer: 'owner' }

/**
 * Creates an account for each person in `people`, so that visitors can sign in as that person, and links it to the person's
 * user in the test world. An existing account keeps its name and its password.
 */
export async function ensureAccounts({ platform }: Databases, { people }: DemoWorld): Promise<Partner> {
  const hasher = passwordHasher()
  const missing = await Promise.all(
    Object.values(people).map(async (person) => ({
      person,
      account: await findAccountByEmail(platform.reads, person.email),
    })),
  )
  // Passwords are hashed before the transaction opens, because hashing is slow.
  const prepared = await Promise.all(
    missing.map(async ({ person, account }) => ({
      person,
      account: account?.id ?? null,
      passwordHash: account === null ? await hasher.hash(person.password) : null,
    })),
  )
  return platform.transaction(async (tx) => {
    let owner: Id<'account'> | null = null
    if (!(await organizationExists(tx, ORGANIZATION.id))) await createOrganization(tx, ORGANIZATION)
    for (const { person, account, passwordHash } of prepared) {
      const { name, email, id: user } = person
      const id = account ?? (await createAccount(tx, { email, name, passwordHash }))
      await linkAccount(tx, { account: id, world: 'test', user })
      await addToTeam(tx, id, person)
      if (TEAM[person.demoRole] === 'owner') owner = id
    }
    if (owner === null) throw new Error('the demo’s organization has no owner')
    return { organization: ORGANIZATION.id, account: owner }
  })
}

async function addToTeam(tx: PlatformTx, account: Id<'account'>, { demoRole }: DemoPerson): Promise<void> {
  const role = TEAM[demoRole]
  if (role === undefined || (await findRole(tx, ORGANIZATION.id, account)) !== null) return
  await addMember(tx, { organization: ORGANIZATION.id, account, role })
}

const NAME = 'demo.json'
const ACTOR = 'demo'

/**
 * A key is shown only when it is created. So a new key replaces a key that is missing from the file or no longer valid.
 */
export async function ensureOperatorKeys(databases: Databases, file: Partial<DemoFile> | null): Promise<OperatorKeys> {
  const authenticate = authenticateOperator(databases)
  const ensure = async (world: World) => {
    const stored: unknown = file?.operator_keys?.[world]
    const holder = typeof stored === 'string' ? await authenticate(stored) : null
    return holder?.world === world ? String(stored) : await replaceKey(databases, world)
  }
  const keys = await Promise.all(WORLDS.map(async (world) => [world, await ensure(world)]))
  return Object.fromEntries(keys)
}

/** Creates a new key and revokes the earlier ones: a person who deletes the file wants their keys to be revoked. */
async function replaceKey({ platform }: Databases, world: World): Promise<string> {
  const replaced = (await listKeys(platform.reads)).filter(
    (key) => key.world === world && key.name === NAME && key.revoked_at === null,
  )
  return platform.transaction(async (tx) => {
    for (const { id } of replaced) await revokeOperatorKey(tx, id, ACTOR)
    return (await createOperatorKey(tx, { world, name: NAME, reason: 'The demo' }, ACTOR)).key
  })
}
