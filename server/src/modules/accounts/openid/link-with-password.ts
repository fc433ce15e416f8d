import { card } from '#http/pages/blocks.ts'
import { actions, button, errorSummary, field, form, linkButton } from '#http/pages/elements.ts'
import { html } from '#http/pages/html.ts'
import { page } from '#http/pages/layout.ts'
import { brandName, type ShownBrand } from '#http/pages/platform-brand.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import { worldOfReturnTo } from '../sign-in/return-to.ts'
import type { PasswordRefusal } from '../sign-in/sign-in-with-password.ts'
import { mistakeOf } from '../sign-in/sign-in-words.ts'
import type { Identity } from './identity.ts'
import { TICKET_SECONDS } from './ticket.ts'

export const LINK_IDENTITY_PATH = '/sign-in/openid/link'

/**
 * An identity that the provider vouched for and that waits for the account's password. It travels in the browser,
 * sealed, and opens nothing without the password.
 */
export type PendingLink = { readonly identity: Identity; readonly email: string; readonly returnTo: string }

const CONTEXT = 'openid pending link v1'
const SEALED_CHARS_MAX = 4_096

export function pendingLinks(keys: Keyring, clock: WallClock) {
  const box = sealedBox(keys('openid'))
  return {
    seal(pending: PendingLink): string {
      const expiresMs = clock.now() + TICKET_SECONDS * 1_000
      return box.seal(Buffer.from(JSON.stringify({ pending, expiresMs })), CONTEXT).toString('base64url')
    },
    /** Null for none, for one that this service did not seal, and after ten minutes. */
    open(sealed: string | undefined): PendingLink | null {
      if (sealed === undefined || sealed.length > SEALED_CHARS_MAX) return null
      const plain = box.open(Buffer.from(sealed, 'base64url'), CONTEXT)
      if (plain === null) return null
      const { pending, expiresMs } = JSON.parse(plain.toString()) as { pending: PendingLink; expiresMs: number }
      return expiresMs > clock.now() ? pending : null
    },
  }
}

export type LinkIdentityPageParts = {
  readonly brand: ShownBrand
  readonly csrf: string
  readonly provider: string
  readonly pending: PendingLink
  readonly refusal?: PasswordRefusal | undefined
}

/** Asked once: an address at the provider may have changed hands, the password has not. */
export function linkIdentityPage({ brand, csrf, provider, pending, refusal }: LinkIdentityPageParts): string {
  const mistakes = refusal === undefined ? [] : [mistake(refusal)]
  const content = [
    field({
      name: 'password',
      label: 'Password',
      type: 'password',
      error: mistakes.find((each) => each.field === 'password')?.message,
      autocomplete: 'current-password',
      required: true,
    }),
    actions(button({ label: 'Link and sign in' }), linkButton('Cancel', '/sign-in')),
  ]
  const title = 'Enter your password once'
  const main = card(
    html`<h1>${title}</h1>`,
    errorSummary(mistakes, 'You are not signed in'),
    html`<p class="lead">${brandName(brand)} has an account for <strong><bdi>${pending.email}</bdi></strong> already. Enter its password to link it with ${provider}. After that you sign in through ${provider} without it.</p>`,
    form({ action: LINK_IDENTITY_PATH, csrf, content }),
    html`<p class="muted">If you do not know the password, ask the people who run this service for a one-time sign-in link, open it in this browser, and continue with ${provider} again.</p>`,
  )
  return page({ title, brand, csrf, world: worldOfReturnTo(pending.returnTo), main })
}

function mistake(refusal: PasswordRefusal) {
  if (refusal.kind !== 'wrong') return mistakeOf(refusal)
  return { field: 'password' as const, message: 'This password is wrong. Check it and try again.' }
}
