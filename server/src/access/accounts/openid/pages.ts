import { signInAddress } from '#http/browser/return-to.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import type { WallClock } from '#kernel/clock.ts'
import { card } from '#pages/blocks.ts'
import { actions, button, errorSummary, field, form, hidden, linkButton } from '#pages/elements.ts'
import { html } from '#pages/html.ts'
import { page } from '#pages/layout.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import { worldOfReturnTo } from '../sign-in/return-to.ts'
import type { PasswordRefusal } from '../sign-in/sign-in.ts'
import { mistakeOf } from '../sign-in/sign-in-page.ts'
import type { Identity } from './provider.ts'
import type { RefusalReason } from './provider-fetch.ts'
import type { IdentityOutcome, ProofNeeded } from './sign-in-with-identity.ts'
import { TICKET_SECONDS } from './ticket.ts'

export type OpenIdRefusal =
  | RefusalReason
  | Exclude<IdentityOutcome['kind'], 'signed_in' | 'proof_needed'>
  /** This network address or this browser returned from the provider too often. */
  | 'too_many'
  /** Ten minutes have passed, or the browser did not send our cookie back. */
  | 'expired'
  /** The page to return to does not fit into a cookie. */
  | 'too_long'

type Words = {
  readonly status: 400 | 403 | 429 | 503
  readonly title: string
  readonly message: (provider: string) => string
  readonly remedy: (provider: string) => string
}

const AGAIN = () => 'Start again from the sign-in page.'

const WORDS: Readonly<Record<OpenIdRefusal, Words>> = {
  denied: {
    status: 403,
    title: 'You did not finish signing in',
    message: (provider) => `${provider} says that you stopped, or that you may not sign in here.`,
    remedy: AGAIN,
  },
  expired: {
    status: 400,
    title: 'This sign-in has expired',
    message: () =>
      'Finish a sign-in within ten minutes, in the browser in which you started it. The browser must accept cookies.',
    remedy: AGAIN,
  },
  mismatch: {
    status: 400,
    title: 'This is not the sign-in you started',
    message: () => 'You may have started again in another tab, or opened an old link. You are not signed in.',
    remedy: AGAIN,
  },
  too_long: {
    status: 400,
    title: 'The link that brought you here is too long',
    message: (provider) => `We cannot store such a long link while you are at ${provider}.`,
    remedy: () => 'Sign in another way, or first sign in here and then open the link again.',
  },
  down: {
    status: 503,
    title: 'The sign-in service does not answer',
    message: (provider) => `We cannot reach ${provider} at the moment. You are not signed in.`,
    remedy: () => 'Try again in a few minutes.',
  },
  broken: {
    status: 503,
    title: 'The sign-in service cannot be used',
    message: (provider) => `${provider} and this service do not understand each other. You are not signed in.`,
    remedy: () => 'Send the request id below to the operator of this service.',
  },
  no_verified_email: {
    status: 403,
    title: 'Your email address is not confirmed',
    message: (provider) => `${provider} did not send us a confirmed email address of yours.`,
    remedy: (provider) => `Confirm your address at ${provider}, then sign in again.`,
  },
  lookalike_address: {
    status: 403,
    title: 'This email address cannot be used',
    message: (provider) =>
      `The address that ${provider} gave us contains invisible characters, or letters that look like others.`,
    remedy: (provider) => `Use another address at ${provider}, then sign in again.`,
  },
  too_many: {
    status: 429,
    title: 'Too many tries',
    message: (provider) => `There were too many sign-ins through ${provider} from this browser or network.`,
    remedy: () => 'Try again in a few minutes.',
  },
  address_of_another: {
    status: 403,
    title: 'This email address belongs to another sign-in',
    message: (provider) => `The account with your address is linked to another person’s sign-in at ${provider}.`,
    remedy: () => 'If the account is yours, send the request id below to the operator of this service.',
  },
  disabled: {
    status: 403,
    title: 'This account has been switched off',
    message: () => 'You are not signed in.',
    remedy: () => 'Ask the operator of this service to switch the account on again.',
  },
}

export type RefusalPageParts = {
  readonly brand: ShownBrand
  readonly provider: string
  readonly requestId: string
  /** The page to open after the sign-in. Null if it is not known yet, or if its address is too long for a cookie. */
  readonly returnTo: string | null
}

export function refusalPage(
  refusal: OpenIdRefusal,
  parts: RefusalPageParts,
): { status: Words['status']; body: string } {
  const { status, title, message, remedy } = WORDS[refusal]
  const { brand, provider, requestId, returnTo } = parts
  const main = card(
    html`<h1>${title}</h1><p>${message(provider)}</p><p>${remedy(provider)}</p>`,
    actions(linkButton('Back to sign-in', signInAddress(returnTo), 'primary')),
    html`<p class="request-id">Request <code>${requestId}</code></p>`,
  )
  return { status, body: page({ title, brand, world: returnTo === null ? null : worldOfReturnTo(returnTo), main }) }
}

export const LINK_IDENTITY_PATH = '/sign-in/openid/link'

/**
 * The page needs a recent proof. The edge sends a person without one to sign in or to confirm their identity, and then back to
 * this page.
 */
export const LINK_SIGNED_IN_PATH = '/settings/security/identity'

/**
 * An identity that the provider has verified, but whose owner has not yet proved that they own the account. The browser stores it, sealed,
 * in a cookie, which gives no access without that proof.
 */
export type PendingLink = Omit<ProofNeeded, 'kind'> & { readonly identity: Identity; readonly returnTo: string }

const CONTEXT = 'openid pending link v2'
const SEALED_CHARS_MAX = 4_096

export function pendingLinks(keys: Keyring, clock: WallClock) {
  const box = sealedBox(keys('openid'))
  return {
    seal(pending: PendingLink): string {
      const expiresMs = clock.now() + TICKET_SECONDS * 1_000
      return box.seal(Buffer.from(JSON.stringify({ pending, expiresMs })), CONTEXT).toString('base64url')
    },
    /** Null for a missing cookie, for one that this service did not seal, and after ten minutes. */
    open(sealed: string | undefined): PendingLink | null {
      if (sealed === undefined || sealed.length > SEALED_CHARS_MAX) return null
      const plain = box.open(Buffer.from(sealed, 'base64url'), CONTEXT)
      if (plain === null) return null
      const { pending, expiresMs } = JSON.parse(plain.toString()) as { pending: PendingLink; expiresMs: number }
      return expiresMs > clock.now() ? pending : null
    },
  }
}

type LinkIdentityPageParts = {
  readonly brand: ShownBrand
  readonly csrf: string
  readonly provider: string
  readonly pending: PendingLink
  readonly refusal?: PasswordRefusal | undefined
}

/** The person enters the password once, because the address may have a new owner at the provider, who does not know the password. */
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
    html`<p class="lead">${brandName(brand)} has an account for <strong><bdi>${pending.email}</bdi></strong> already. Enter its password to link it with ${provider}. After that you sign in through ${provider} without the password.</p>`,
    form({ action: LINK_IDENTITY_PATH, csrf, content }),
    html`<p class="muted">If you do not know the password, ask the people who run this service for a one-time sign-in link, open it in this browser, and continue with ${provider} again.</p>`,
  )
  return page({ title, brand, csrf, world: worldOfReturnTo(pending.returnTo), main })
}

type SignInFirstParts = { readonly brand: ShownBrand; readonly provider: string; readonly pending: PendingLink }

/** For an account without a password, which has a passkey or an authenticator app. */
export function signInFirstPage({ brand, provider, pending }: SignInFirstParts): string {
  const title = 'Sign in once before you link'
  const main = card(
    html`<h1>${title}</h1>`,
    html`<p class="lead">${brandName(brand)} has an account for <strong><bdi>${pending.email}</bdi></strong> already. Sign in to it as you did before, then link it with ${provider}.</p>`,
    actions(linkButton('Sign in and link', LINK_SIGNED_IN_PATH, 'primary'), linkButton('Cancel', '/sign-in')),
    html`<p class="muted">If you cannot sign in, ask the people who run this service for a one-time sign-in link, open it in this browser, and continue with ${provider} again.</p>`,
  )
  return page({ title, brand, world: worldOfReturnTo(pending.returnTo), main })
}

type LinkSignedInParts = SignInFirstParts & { readonly csrf: string; readonly person: AccountCaller }

/** Opening the page links nothing, because another site can open it. The account is linked when the person presses the button. */
export function linkSignedInPage({ brand, csrf, provider, pending, person }: LinkSignedInParts): string {
  const isOwner = person.accountId === pending.account
  const title = isOwner ? `Link your account with ${provider}?` : 'You are signed in to another account'
  const account = html`<strong><bdi>${pending.email}</bdi></strong>`
  const content = isOwner
    ? actions(button({ label: 'Link and continue' }), linkButton('Cancel', '/settings/security'))
    : [hidden('return_to', LINK_SIGNED_IN_PATH), actions(button({ label: 'Sign out' }))]
  const main = card(
    html`<h1>${title}</h1>`,
    isOwner
      ? html`<p class="lead">After that, ${provider} signs you in to ${account} without a password or a code of this account.</p>`
      : html`<p class="lead">Sign out, then sign in to ${account} to link it with ${provider}.</p>`,
    form({ action: isOwner ? LINK_SIGNED_IN_PATH : '/sign-out', csrf, content }),
  )
  return page({ title, brand, csrf, person, world: worldOfReturnTo(pending.returnTo), main })
}

function mistake(refusal: PasswordRefusal) {
  if (refusal.kind !== 'wrong') return mistakeOf(refusal)
  return { field: 'password' as const, message: 'This password is wrong. Check it and try again.' }
}
