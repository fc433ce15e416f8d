import { randomBytes } from 'node:crypto'
import { recordAudit } from '#access/audit/index.ts'
import type { PlatformRole } from '#kernel/caller.ts'
import { ApiError, validationError } from '#kernel/errors.ts'
import { type MailTokens, queueMail } from '#mail/index.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import { rejectLookalikeAddress } from '../email-address.ts'
import { platformInvitationLetter } from '../letters.ts'
import type { SignInSettings } from '../settings.ts'
import { findAccountByEmail } from '../store.ts'
import { SIGN_UP_LINK_PATH } from './sign-up.ts'
import { deleteFirstAdminLinks, hasAccounts, insertSignUp } from './store.ts'

const INVITATION_MINUTES = 14 * 24 * 60
const FIRST_ADMIN_MINUTES = 60
const TOKEN_BYTES = 32

export type PlatformInvitations = {
  readonly mailTokens: MailTokens
  readonly origin: () => string
  readonly platformName: string
  readonly settings: Pick<SignInSettings, 'signUp' | 'mail'>
}

type Invited = { readonly email: string; readonly staffRole: PlatformRole | null; readonly actor: string }

export type IssuedSignUp = { readonly url: string; readonly expires_at: string }

/**
 * Invites a person to create an account. The link is mailed, and also returned for platforms that send it themselves. Both are the
 * same link, which works once.
 */
export async function inviteToPlatform(
  tx: PlatformTx,
  { mailTokens, origin, platformName, settings }: PlatformInvitations,
  { email, staffRole, actor }: Invited,
): Promise<IssuedSignUp> {
  if (settings.signUp === 'closed') throw closed()
  rejectLookalikeAddress(email)
  if ((await findAccountByEmail(tx, email)) !== null) throw hasAccount()
  const { seed, token } = mailTokens.issue('invitation')
  const hash = digestOf(token)
  const expires_at = await insertSignUp(tx, {
    ...{ hash, purpose: 'invitation', email, name: null, password_hash: null, browser_hash: null },
    ...{ staff_role: staffRole, return_to: null, invited_by: actor, minutes: INVITATION_MINUTES },
  })
  await recordAudit(tx, { actor, action: 'account.invited', subject: 'accounts', details: { expires_at } })
  const url = `${origin()}${SIGN_UP_LINK_PATH}/`
  if (settings.mail) {
    const letter = platformInvitationLetter(platformName, { url, seed })
    await queueMail(tx, { key: `invitation ${hash.toString('hex')}`, to: email, letter })
  }
  return { url: url + token, expires_at }
}

function closed(): ApiError {
  return new ApiError('forbidden', {
    public: 'Invitations are switched off here: PORTICO_SIGN_UP is closed.',
    remediation: 'Set PORTICO_SIGN_UP to invitation or open, or create the account with POST /platform/accounts.',
  })
}

function hasAccount(): ApiError {
  return validationError([{ field: 'email', code: 'taken', message: 'is the address of an account' }])
}

/**
 * A link that creates the first administrator, for the person who starts the service before any account exists. It is printed only
 * in the terminal of that start. Null once there is an enabled account.
 */
export async function offerFirstAdministrator(
  platform: PlatformDatabase,
  origin: string,
): Promise<IssuedSignUp | null> {
  return platform.transaction(async (tx) => {
    if (await hasAccounts(tx)) return null
    await deleteFirstAdminLinks(tx)
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const expires_at = await insertSignUp(tx, {
      ...{ hash: digestOf(token), purpose: 'first_admin', email: null, name: null, password_hash: null },
      ...{ browser_hash: null, staff_role: 'admin', return_to: null, invited_by: null, minutes: FIRST_ADMIN_MINUTES },
    })
    return { url: `${origin}${SIGN_UP_LINK_PATH}/${token}`, expires_at }
  })
}
