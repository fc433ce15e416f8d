import { randomUUID } from 'node:crypto'
import { queueMail } from '#mail/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { passwordChangedLetter } from './letters.ts'
import type { SignInSettings } from './settings.ts'

export type PasswordNotices = {
  readonly platformName: string
  readonly origin: () => string
  readonly settings: Pick<SignInSettings, 'mail'>
}

/** The owner learns of every new password: their own, an operator’s, or one that was set by a link. */
export async function queuePasswordNotice(
  tx: PlatformTx,
  { platformName, origin, settings }: PasswordNotices,
  { email }: { readonly email: string },
): Promise<void> {
  if (!settings.mail) return
  const letter = passwordChangedLetter(platformName, origin())
  await queueMail(tx, { key: `password_changed ${randomUUID()}`, to: email, letter })
}
