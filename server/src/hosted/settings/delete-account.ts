import { eraseAccount, findUserOf, lockOwnAccount } from '#access/accounts/index.ts'
import { endOrganization, listOfTeam } from '#access/apps/index.ts'
import { changeContext, type OnRevoked, revokeConnectionsIn } from '#access/installations/index.ts'
import {
  leaveOrganizations,
  listTeam,
  lockOrganizationsOf,
  type Membership,
  organizationsOf,
} from '#access/organizations/index.ts'
import { ApiError, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { WORLDS } from '#kernel/world.ts'
import { deleteMailsTo, type Letter, queueMail } from '#mail/index.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'

export type Deletion = {
  readonly account: Id<'account'>
  /** The address of the account, as the person typed it to confirm. */
  readonly typed: string
  /** The id of the request. */
  readonly cause: string
  readonly onRevoked: readonly OnRevoked[]
  /** The platform's support page; null if it has none. */
  readonly support: string | null
}

const TRIES_MAX = 5

/**
 * Deletes an account in one transaction (decision 26). False if the account is already deleted, which is not an error.
 *
 * Lock order: the organizations, the account, the account's users, the connections of these users. Joining a team locks the
 * organization and then the account, so the deletion locks in the same order. If the person joined another team before the
 * account was locked, the deletion starts again.
 */
export async function deleteAccount(platform: PlatformDatabase, deletion: Deletion): Promise<boolean> {
  for (let tried = 1; tried <= TRIES_MAX; tried++) {
    const outcome = await platform.transaction((tx) => deleteOnce(tx, deletion))
    if (outcome !== 'joined_meanwhile') return outcome === 'deleted'
  }
  throw new ApiError('unavailable', {
    public: 'Your account joined an organization while it was being deleted.',
    remediation: 'Try again in a moment.',
  })
}

async function deleteOnce(
  tx: PlatformTx,
  { account, typed, cause, onRevoked, support }: Deletion,
): Promise<'deleted' | 'was_deleted' | 'joined_meanwhile'> {
  const locked = await lockOrganizationsOf(tx, account)
  const person = await lockOwnAccount(tx, account)
  if (person === null) return 'was_deleted'
  const lockedIds = new Set(locked.map(({ id }) => id))
  const memberships = await organizationsOf(tx, account)
  if (!memberships.every(({ id }) => lockedIds.has(id))) return 'joined_meanwhile'
  if (typed.trim().toLowerCase() !== person.email.toLowerCase()) throw mistyped()
  await rejectOrphanedApps(tx, account, memberships)
  const alone = await leaveOrganizations(tx, { account, email: person.email, memberships })
  for (const organization of alone) {
    await endOrganization(tx, { organization, actor: account, reason: 'Its last member deleted their account.' })
  }
  let connections = 0
  for (const world of WORLDS) {
    const user = await findUserOf(tx, account, world)
    if (user === null) continue
    connections += await revokeConnectionsIn(tx, { world, user }, changeContext(cause, { onRevoked }))
  }
  await deleteMailsTo(tx, person.email)
  await eraseAccount(tx, account, { organizations: memberships.length, connections })
  await queueMail(tx, { key: `account_deleted/${account}`, to: person.email, letter: farewell(person.name, support) })
  return 'deleted'
}

const APPS_READ = 200

/** "A, B and C". */
const NAMES = new Intl.ListFormat('en-GB')

/** An app needs a team, because without one no person could stop the app or delete the data that it received. */
async function rejectOrphanedApps(
  tx: PlatformTx,
  account: Id<'account'>,
  memberships: readonly Membership[],
): Promise<void> {
  const names: string[] = []
  for (const { id, name, state, role } of memberships) {
    if (state === 'ended' || role !== 'owner' || (await listTeam(tx, id)).length > 1) continue
    const apps = await listOfTeam(tx, account, { after: '', limit: APPS_READ, organization: id })
    if (apps.length > 0) names.push(name)
  }
  if (names.length === 0) return
  throw new ApiError('illegal_transition', {
    public: `You are the only member of ${NAMES.format(names)}, which ${names.length === 1 ? 'has' : 'have'} apps.`,
    remediation: 'Delete the apps or make another person an owner. Then delete your account.',
    details: { from: 'owner', event: 'delete_account', allowed: [] },
  })
}

function mistyped(): ApiError {
  return validationError([{ field: 'email', code: 'mismatch', message: 'is not the address of your account' }])
}

const farewell = (name: string, support: string | null): Letter => ({
  subject: 'Your account is deleted',
  greeting: `Hello ${name},`,
  paragraphs: [
    'Your account is deleted, as you asked. Every browser is signed out, and apps that you had connected lost their access.',
    'The platform keeps the records of your investments and reservations, as it has to.',
    support === null
      ? 'If you did not delete your account, get in touch with the platform at once.'
      : 'If you did not delete your account, get in touch with support at once.',
  ],
  ...(support === null ? {} : { action: { label: 'Contact support', url: support } }),
  notes: ['This is the last message to this address.'],
})
