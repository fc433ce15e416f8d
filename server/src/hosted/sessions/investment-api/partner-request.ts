import { findInstallations } from '#access/installations/index.ts'
import { lockOwnersOf, lockUser } from '#access/people/index.ts'
import type { InstallationCaller } from '#kernel/caller.ts'
import { ApiError, type FieldError, notFound, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { findRunning, type PartnerSide, type Recipient } from './store.ts'

/** "Used with the token of an app installed on the syndicate or company running the offering." */
export async function partnerSide(queries: WorldQueries, caller: InstallationCaller): Promise<PartnerSide> {
  const [installation] = await findInstallations(queries, [caller.installationId])
  if (installation === undefined || installation.target.type === 'user') throw notThere()
  const { id, appId: app, target } = installation
  return { type: target.type, target: target.id, installation: id, app }
}

/**
 * "What the caller may know of (a public company or offering, …) but may not touch this way is 403; everything else
 * answers 404."
 */
export async function requireRunning(queries: WorldQueries, side: PartnerSide, id: Id<'offering'>) {
  const offering = await findRunning(queries, side, id)
  if (offering?.runs === true) return offering
  throw offering?.public === true ? notThere() : notFound(`${id} is not run by ${side.target}`)
}

/** Rejects an offering that accepts no investors any more. An upcoming offering is allowed, so that links can be prepared. */
export async function requireTaking(queries: WorldQueries, side: PartnerSide, id: Id<'offering'>): Promise<void> {
  const { status } = await requireRunning(queries, side, id)
  if (status === 'open' || status === 'upcoming') return
  throw validationError([{ field: 'spv_id', code: 'not_open', message: `is ${status} and accepts no more investors` }])
}

function notThere(): ApiError {
  return new ApiError('forbidden', {
    public: 'Only an app that is installed on the company, or on a syndicate that runs the offering, may do this.',
    remediation: 'Use the token of an installation on that company or syndicate.',
  })
}

type Named = { readonly email?: string | null | undefined; readonly platform_user_id?: Id<'user'> | null | undefined }

/** Null without a recipient. A recipient is an address or an account, never both: a partner must not learn the address of an account. */
export function readRecipient({ email, platform_user_id: userId }: Named): Recipient | null {
  if (email != null && userId != null) throw exclusive()
  if (email != null) return { email }
  return userId == null ? null : { userId }
}

/**
 * "Unknown user 404": a deactivated user is unknown too. Locks the user, or the owners of the address, until the commit, so that a
 * later erasure finds the record.
 */
export async function lockRecipient(tx: Tx, recipient: Recipient | null): Promise<void> {
  if (recipient === null) return
  if ('email' in recipient) return lockOwnersOf(tx, 'email', recipient.email)
  const { deactivated } = await lockUser(tx, 'platform_user_id', recipient.userId)
  if (deactivated) throw notFound(`${recipient.userId} was deactivated`)
}

export const EXCLUSIVE = 'mutually_exclusive_params'

function exclusive() {
  const message = 'cannot be combined with email: send only one of the two'
  return validationError([{ field: 'platform_user_id', code: EXCLUSIVE, message }])
}

/** Prefixes the field names of a validation error, because the input is nested one level below the body. */
export async function underField<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.type !== 'validation_error') throw error
    const fields = (error.details?.['fields'] ?? []) as readonly FieldError[]
    throw validationError(fields.map((each) => ({ ...each, field: `${name}.${each.field}` })))
  }
}
