import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { recordAudit } from '#modules/audit/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { createOrganization } from './create-organization.ts'
import { insertMember, lockMemberships, organizationsOf } from './member-store.ts'
import { type Naming, refusePlatformName } from './platform-name.ts'
import { holdAsMember, type Place } from './require-member.ts'
import { renameRow } from './store.ts'

/** Nobody needs more; whoever wants them wants to get round a limit. */
const OWNED_MAX = 20

type Named = Naming & { readonly name: string }

/** Whoever creates an organization owns it. */
export async function foundOrganization(
  tx: PlatformTx,
  account: Id<'account'>,
  { name, brand }: Named,
): Promise<Id<'organization'>> {
  refusePlatformName({ brand }, name)
  await lockMemberships(tx, account)
  const owned = (await organizationsOf(tx, account)).filter(({ role }) => role === 'owner')
  if (owned.length >= OWNED_MAX) {
    throw new ApiError('forbidden', {
      public: `You own ${OWNED_MAX} organizations, which is as many as one person can.`,
      remediation: 'Create the app in one of them.',
    })
  }
  const organization = await createOrganization(tx, { name })
  await insertMember(tx, { organization, account, role: 'owner' })
  await recordAudit(tx, { actor: account, action: 'organization.created', subject: organization, details: { name } })
  return organization
}

export async function renameOrganization(tx: PlatformTx, place: Place, { name, brand }: Named) {
  const { organization } = await holdAsMember(tx, place, { event: 'rename', roles: ['owner', 'admin'] })
  if (organization.name === name) return
  refusePlatformName({ brand }, name)
  await renameRow(tx, organization.id, name)
  const details = { from: organization.name, to: name }
  await recordAudit(tx, { actor: place.account, action: 'organization.renamed', subject: organization.id, details })
}
