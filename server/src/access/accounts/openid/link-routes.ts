import type { Logger } from 'pino'
import { Type } from 'typebox'
import { recentlyProven, visitor } from '#http/access.ts'
import type { Browser } from '#http/browser/cookies.ts'
import { type Route, route } from '#http/route.ts'
import { pagePolicy } from '#http/security-headers.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import type { PasswordHasher } from '../passwords.ts'
import type { SignInSettings } from '../settings.ts'
import { passFirstStep, type SecondStepNeeded, type SignInResponses } from '../sign-in/complete-sign-in.ts'
import { formTargetsAfter } from '../sign-in/return-to.ts'
import { type PasswordRefusal, type Verified, verifyPassword } from '../sign-in/sign-in.ts'
import { statusOf } from '../sign-in/sign-in-page.ts'
import type { DeviceCookies } from '../sign-in/sign-ins.ts'
import { forgetAttempts } from '../sign-in/throttle.ts'
import type { OpenIdRefusal, refusalPage } from './pages.ts'
import {
  LINK_IDENTITY_PATH,
  LINK_SIGNED_IN_PATH,
  linkIdentityPage,
  linkSignedInPage,
  type PendingLink,
  type pendingLinks,
  signInFirstPage,
} from './pages.ts'
import { type IdentityOutcome, type ProofNeeded, signInWithIdentity } from './sign-in-with-identity.ts'
import { type OpenIdCookie, readTicketCookie } from './ticket.ts'

export type OpenIdRouteDeps = {
  readonly platform: PlatformDatabase
  readonly keys: Keyring
  readonly clock: WallClock
  readonly log: Pick<Logger, 'warn'>
  /** Our public address, known after the server has started to listen. */
  readonly origin: () => string
  readonly brand: ShownBrand
  readonly settings: SignInSettings
  readonly hasher: PasswordHasher
  readonly deviceCookies: DeviceCookies
  readonly signInResponses: SignInResponses
}

export type ReturnedBrowser = {
  readonly browser: Browser
  readonly requestId: string
  readonly returnTo: string
  /** The cookie of the finished sign-in, which the response clears. */
  readonly done: OpenIdCookie
}

type Redirect = { status: 303; body: null; headers: { Location: string; 'Set-Cookie': string[] } }
type Refused = ReturnType<typeof refusalPage>

type LinkDeps = OpenIdRouteDeps & {
  /** Whether a provider is configured. */
  readonly isOffered: boolean
  readonly pendings: ReturnType<typeof pendingLinks>
  refused(refusal: OpenIdRefusal, requestId: string, returnTo: string | null): Refused
  signedInResponse(outcome: Exclude<IdentityOutcome, ProofNeeded>, at: ReturnedBrowser): Redirect | Refused
}

const COMMON = { alias: false, tag: 'Pages', errorsAs: 'page', contentType: 'text/html; charset=utf-8' } as const
const AS_VISITOR = {
  ...COMMON,
  path: LINK_IDENTITY_PATH,
  access: visitor('A person who is about to sign in has not done so yet.'),
} as const
const SIGNED_IN = { ...COMMON, path: LINK_SIGNED_IN_PATH, access: recentlyProven() } as const
const FORM = ['application/x-www-form-urlencoded'] as const

const Page = Type.String()
const REFUSALS = { 400: Page, 403: Page, 429: Page, 503: Page }
const SHOWN = { 200: Page, ...REFUSALS }
const LINKED = { 303: Type.Null(), 422: Page, ...REFUSALS }

type Header = (name: string) => string | undefined

export function returningBrowser(deps: OpenIdRouteDeps, browser: Browser, header: Header) {
  const devices = deps.deviceCookies.read(header('cookie'))
  return { origin: deps.origin, cookieBefore: browser.cookieValue, devices, userAgent: header('user-agent') }
}

/** Links an identity at the provider to the account with its address, once the person has proved that they own the account. */
export function openIdLinkRoutes(deps: LinkDeps): Route[] {
  const { platform, brand, settings, origin, pendings, refused, signedInResponse, signInResponses } = deps
  const provider = settings.openid?.name ?? ''
  const isHttps = () => origin().startsWith('https:')
  const pendingOf = (header: Header) =>
    deps.isOffered ? pendings.open(readTicketCookie(isHttps(), header('cookie'), 'pendingLink')) : null
  const policyOf = ({ returnTo }: PendingLink) => ({
    'Content-Security-Policy': pagePolicy({ formAction: formTargetsAfter(returnTo) }),
  })
  const askPassword = (pending: PendingLink, csrf: string, refusal?: PasswordRefusal) => ({
    body: linkIdentityPage({ brand, csrf, provider, pending, refusal }),
    headers: policyOf(pending),
  })

  return [
    route({
      ...AS_VISITOR,
      operation: 'showOpenIdLink',
      method: 'GET',
      summary: 'Ask for the account’s password',
      description:
        'Shows the page on which a person proves that an existing account is theirs, before the account is linked.',
      schema: { response: SHOWN },
      handler: async ({ browser, header, requestId }) => {
        const pending = pendingOf(header)
        if (pending === null) return refused('expired', requestId, null)
        if (!pending.hasPassword) return { status: 200, body: signInFirstPage({ brand, provider, pending }) }
        return { status: 200, ...askPassword(pending, browser.csrf) }
      },
    }),
    route({
      ...AS_VISITOR,
      operation: 'linkOpenIdIdentity',
      method: 'POST',
      accepts: FORM,
      summary: 'Link an account with the provider',
      description: 'Verifies the password, links the account and signs in, or continues with the second step.',
      schema: { body: Type.Object({ password: Type.Optional(Type.String()) }), response: LINKED },
      // A `handler`, not a `transaction`: hashing a password is slow, and the transaction would stay open during it.
      handler: async ({ browser, body, address, header, requestId }) => {
        const pending = pendingOf(header)
        if (pending === null) return refused('expired', requestId, null)
        const { email, returnTo } = pending
        const returned = returningBrowser(deps, browser, header)
        const attempt = { email, password: body.password ?? '', address, devices: returned.devices }
        const verified = await verifyPassword(deps, attempt)
        if ('kind' in verified) {
          const page = askPassword(pending, browser.csrf, verified)
          const wait = verified.kind === 'too_many' ? { 'Retry-After': String(verified.retryAfterSeconds) } : {}
          return { status: statusOf(verified), body: page.body, headers: { ...page.headers, ...wait } }
        }
        const outcome = await platform.transaction((tx) => linkByPassword(tx, pending, verified, returned))
        if (outcome.kind === 'second_step') {
          const headers = signInResponses.headers(outcome, browser, LINK_SIGNED_IN_PATH)
          return { status: 303, body: null, headers }
        }
        // Another account got the address after the person had returned from the provider.
        if (outcome.kind === 'proof_needed') return refused('mismatch', requestId, returnTo)
        return signedInResponse(outcome, { browser, requestId, returnTo, done: 'pendingLink' })
      },
    }),
    route({
      ...SIGNED_IN,
      operation: 'showIdentityLink',
      method: 'GET',
      summary: 'Show the provider link page',
      description: 'Shows the page that asks a signed-in person whether to link the account with the provider.',
      schema: { response: SHOWN },
      handler: async ({ browser, caller, header, requestId }) => {
        const pending = pendingOf(header)
        if (pending === null) return refused('expired', requestId, null)
        const body = linkSignedInPage({ brand, csrf: browser.csrf, provider, pending, person: caller })
        return { status: 200, body, headers: policyOf(pending) }
      },
    }),
    route({
      ...SIGNED_IN,
      operation: 'linkIdentity',
      method: 'POST',
      accepts: FORM,
      summary: 'Link the signed-in account',
      description: 'Links the account of the signed-in person with the provider.',
      schema: { response: LINKED },
      handler: async ({ browser, caller, header, requestId }) => {
        const pending = pendingOf(header)
        if (pending === null) return refused('expired', requestId, null)
        const { identity, returnTo } = pending
        const proof = { account: caller.accountId, by: 'session' } as const
        const returning = { ...returningBrowser(deps, browser, header), proof }
        const outcome = await platform.transaction((tx) => signInWithIdentity(tx, identity, returning))
        // The person is signed in to another account than the one that the pending link is for.
        if (outcome.kind === 'proof_needed') return refused('mismatch', requestId, returnTo)
        return signedInResponse(outcome, { browser, requestId, returnTo, done: 'pendingLink' })
      },
    }),
  ]
}

/** Links an account that has no second factor. For an account with a second factor, the second step follows, and nothing is linked yet. */
async function linkByPassword(
  tx: PlatformTx,
  { identity }: PendingLink,
  { account, counted }: Verified,
  browser: ReturnType<typeof returningBrowser>,
): Promise<IdentityOutcome | SecondStepNeeded> {
  const proof = { account: account.id, by: 'password' } as const
  const linked = await signInWithIdentity(tx, identity, { ...browser, proof })
  const isOwner = linked.kind === 'proof_needed' && linked.account === account.id
  const outcome = isOwner ? await passFirstStep(tx, browser, { account: account.id, ...browser }) : linked
  if (outcome?.kind === 'signed_in' || outcome?.kind === 'second_step') await forgetAttempts(tx, counted)
  return outcome ?? { kind: 'disabled' }
}
