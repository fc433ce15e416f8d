import { randomUUID } from 'node:crypto'
import type { Id } from '#kernel/ids.ts'
import { queueMail } from '#mail/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { findAccount } from '../store.ts'

export type FactorChange =
  | { readonly kind: 'recovery_code_used'; readonly left: number }
  | { readonly kind: 'totp_added' | 'totp_removed' | 'recovery_codes_made' | 'factors_reset' }
  | { readonly kind: 'passkey_added' | 'passkey_removed'; readonly name: string }

type Words = { readonly subject: string; readonly text: string }

function wordsOf(change: FactorChange): Words {
  switch (change.kind) {
    case 'recovery_code_used':
      return {
        subject: 'A recovery code was used',
        text: `One of your recovery codes was used to confirm who you are. ${codesLeft(change.left)}`,
      }
    case 'totp_added':
      return {
        subject: 'Authenticator app set up',
        text: 'From now on, signing in with your password also asks for a code of your authenticator app.',
      }
    case 'totp_removed':
      return { subject: 'Authenticator app removed', text: 'The authenticator app was removed from your account.' }
    case 'recovery_codes_made':
      return { subject: 'New recovery codes', text: 'New recovery codes were made. The earlier ones no longer work.' }
    case 'factors_reset':
      return {
        subject: 'Your sign-in factors were reset',
        text: 'The operator of this service removed the authenticator app, the passkeys and the recovery codes of your account. Set them up again after you have signed in.',
      }
    case 'passkey_added':
      return { subject: 'Passkey added', text: `The passkey “${change.name}” can now sign in to your account.` }
    case 'passkey_removed':
      return { subject: 'Passkey deleted', text: `The passkey “${change.name}” can no longer sign in to your account.` }
  }
}

function codesLeft(left: number): string {
  if (left === 0) return 'None are left: make new ones.'
  return left === 1 ? 'One is left: make new ones soon.' : `${left} are left.`
}

type Changed = { readonly account: Id<'account'>; readonly origin: () => string; readonly change: FactorChange }

/** Sent at every change, because a person who takes over an account changes its factors first. */
export async function mailFactorChange(tx: PlatformTx, { account, origin, change }: Changed): Promise<void> {
  const found = await findAccount(tx, account)
  if (found === null) return
  const { subject, text } = wordsOf(change)
  const letter = {
    subject,
    greeting: `Hello ${found.name},`,
    paragraphs: [text, 'If this was not you, end your other sessions on the page below and change your password.'],
    action: { label: 'Open the security settings', url: `${origin()}/settings/security` },
  }
  await queueMail(tx, { key: `factor:${change.kind}:${account}:${randomUUID()}`, to: found.email, letter })
}
