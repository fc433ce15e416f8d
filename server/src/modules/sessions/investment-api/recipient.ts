import { notFound, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { lockUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'

export type Recipient = { readonly email: string } | { readonly userId: Id<'user'> }

type Named = { readonly email?: string | null | undefined; readonly platform_user_id?: Id<'user'> | null | undefined }

/** By address or by account, never by both: who knows the account must not learn its address. Null for nobody. */
export function readRecipient({ email, platform_user_id: userId }: Named): Recipient | null {
  if (email != null && userId != null) throw exclusive()
  if (email != null) return { email }
  return userId == null ? null : { userId }
}

/** "Unknown user 404": and who was deactivated is as unknown as who never was. Holds them until it is committed. */
export async function holdRecipient(tx: Tx, recipient: Recipient | null): Promise<void> {
  if (recipient === null || 'email' in recipient) return
  const { deactivated } = await lockUser(tx, 'platform_user_id', recipient.userId)
  if (deactivated) throw notFound(`${recipient.userId} was deactivated`)
}

export const EXCLUSIVE = 'mutually_exclusive_params'

function exclusive() {
  const message = 'cannot be given together with email: name the person by one of them'
  return validationError([{ field: 'platform_user_id', code: EXCLUSIVE, message }])
}
