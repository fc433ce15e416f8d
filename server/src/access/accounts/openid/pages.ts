import { signInAddress } from '#http/browser/return-to.ts'
import { card } from '#pages/blocks.ts'
import { actions, linkButton } from '#pages/elements.ts'
import { html } from '#pages/html.ts'
import { page } from '#pages/layout.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import { worldOfReturnTo } from '../sign-in/return-to.ts'
import type { RefusalReason } from './provider-fetch.ts'
import type { IdentityOutcome } from './sign-in-with-identity.ts'

export type OpenIdRefusal =
  | RefusalReason
  | Exclude<IdentityOutcome['kind'], 'signed_in' | 'proof_needed'>
  /** This address or this browser returned from the provider too often. */
  | 'too_many'
  /** Ten minutes are over, or the browser did not bring back what we gave it. */
  | 'expired'
  /** More to remember than a browser keeps for us. */
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
    message: () => 'It has to be finished within ten minutes, in the browser it was started in, with cookies allowed.',
    remedy: AGAIN,
  },
  mismatch: {
    status: 400,
    title: 'This is not the sign-in you started',
    message: () => 'It may have been started again in another tab, or the link is an old one. You are not signed in.',
    remedy: AGAIN,
  },
  too_long: {
    status: 400,
    title: 'The link that brought you here is too long',
    message: (provider) => `It does not fit into what we can remember while you are at ${provider}.`,
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
    remedy: () => 'Tell the operator of this service, with the request below.',
  },
  no_verified_email: {
    status: 403,
    title: 'Your email address is not confirmed',
    message: (provider) => `${provider} did not tell us an email address of yours that it has confirmed.`,
    remedy: (provider) => `Confirm your address at ${provider}, then sign in again.`,
  },
  lookalike_address: {
    status: 403,
    title: 'This email address cannot be used',
    message: (provider) =>
      `The address that ${provider} gave us holds invisible characters, or letters that look like others.`,
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
    message: (provider) => `The account with your address is used by another person at ${provider}.`,
    remedy: () => 'If the account is yours, tell the operator of this service, with the request below.',
  },
  disabled: {
    status: 403,
    title: 'This account has been switched off',
    message: () => 'You are not signed in.',
    remedy: () => 'Ask the operator of this service to switch it on again.',
  },
}

export type RefusalPageParts = {
  readonly brand: ShownBrand
  readonly provider: string
  readonly requestId: string
  /** Null where it is not known any more. */
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
