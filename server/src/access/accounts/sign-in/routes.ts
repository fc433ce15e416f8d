import { Type } from 'typebox'
import { visitor } from '#http/access.ts'
import type { Browser } from '#http/browser/cookies.ts'
import { signInAddress } from '#http/browser/return-to.ts'
import { type Route, route } from '#http/route.ts'
import { pagePolicy } from '#http/security-headers.ts'
import { ApiError } from '#kernel/errors.ts'
import type { HtmlValue } from '#pages/html.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import type { Passkeys } from '../factors/passkeys.ts'
import type { SignInSettings } from '../settings.ts'
import type { SignInResponses } from './complete-sign-in.ts'
import { WRONG_PASSKEY } from './proof-page.ts'
import {
  carriedReturnTo,
  clientIdIn,
  DEFAULT_RETURN_TO,
  formTargetsAfter,
  localReturnTo,
  loginHintIn,
} from './return-to.ts'
import { type PasswordSignInDeps, signInWithPasskey, signInWithPassword } from './sign-in.ts'
import { type DemoSignIn, type Mistake, missingFields, mistakeOf, signInPage, statusOf } from './sign-in-page.ts'
import { type DeviceCookies, endSession } from './sign-ins.ts'

export type SignInRouteDeps = PasswordSignInDeps & {
  readonly passkeys: Passkeys
  readonly brand: ShownBrand
  readonly settings: SignInSettings
  readonly deviceCookies: DeviceCookies
  readonly signInResponses: SignInResponses
  /** The registered name of the app with this client id; null if the key is unknown or not active. */
  readonly appNameOf?: ((clientId: string) => Promise<string | null>) | undefined
  readonly demoSignIn?: DemoSignIn | undefined
}

/** Accepts missing fields and any text: the page shows such a mistake beside the field. A schema error would lead to an error page. */
const SignInForm = Type.Object({
  email: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  return_to: Type.Optional(Type.String()),
})

const Page = Type.String()
const NoBody = Type.Null()

const COMMON = { alias: false, tag: 'Pages', errorsAs: 'page', contentType: 'text/html; charset=utf-8' } as const

type Shown = { readonly email?: string; readonly mistakes?: Mistake[]; readonly signedOut?: boolean } & {
  readonly appName?: string | null
  readonly demo?: HtmlValue
}

export function signInRoutes(deps: SignInRouteDeps): Route[] {
  const { brand, settings, deviceCookies, signInResponses } = deps
  const show = async (browser: Browser, returnTo: string, more: Shown) => {
    const isOffered = deps.passkeys.unavailable() === null
    const passkey = isOffered ? await deps.passkeys.offerAssertion('sign_in', null, browser.csrf) : null
    const policy = pagePolicy({ formAction: formTargetsAfter(returnTo), scripts: isOffered })
    return {
      body: signInPage({ brand, settings, csrf: browser.csrf, returnTo, passkey, ...more }),
      headers: { 'Content-Security-Policy': policy },
    }
  }
  return [
    route({
      ...COMMON,
      operation: 'showSignIn',
      method: 'GET',
      path: '/sign-in',
      summary: 'Show the sign-in page',
      description: 'Shows the page on which people sign in.',
      access: visitor('A person who is about to sign in has not done so yet.'),
      schema: {
        query: Type.Object({ return_to: Type.Optional(Type.String()), signed_out: Type.Optional(Type.String()) }),
        response: { 200: Page, 303: NoBody },
      },
      handler: async ({ caller, browser, query, address, header }) => {
        const returnTo = carriedReturnTo(query.return_to)
        if (caller !== null) return { status: 303, body: null, headers: { Location: returnTo } }
        const clientId = clientIdIn(returnTo)
        const appName = clientId === null ? null : ((await deps.appNameOf?.(clientId)) ?? null)
        const email = loginHintIn(returnTo) ?? ''
        const demo = deps.demoSignIn?.({ address, header }, { csrf: browser.csrf, returnTo, email })
        const more = { signedOut: query.signed_out === 'yes', appName, email, demo }
        return { status: 200, ...(await show(browser, returnTo, more)) }
      },
    }),
    route({
      ...COMMON,
      operation: 'signIn',
      method: 'POST',
      path: '/sign-in',
      accepts: ['application/x-www-form-urlencoded'],
      summary: 'Sign in with a password',
      description: 'Signs a person in with their email address and password.',
      access: visitor('A person who is about to sign in has not done so yet.'),
      schema: { body: SignInForm, response: { 303: NoBody, 403: Page, 422: Page, 429: Page } },
      // A `handler`, not a `transaction`: hashing a password is slow, and the transaction would stay open during it.
      handler: async ({ browser, body, address, header }) => {
        if (!settings.passwords) throw noPasswords()
        const { email = '', password = '' } = body
        const returnTo = carriedReturnTo(body.return_to)
        const missing = missingFields({ email, password })
        if (missing.length > 0) return { status: 422, ...(await show(browser, returnTo, { email, mistakes: missing })) }
        const devices = deviceCookies.read(header('cookie'))
        const from = { cookieBefore: browser.cookieValue, devices, userAgent: header('user-agent') }
        const outcome = await signInWithPassword(deps, { email, password, address, ...from })
        if (outcome.kind === 'signed_in' || outcome.kind === 'second_step') {
          return { status: 303, body: null, headers: signInResponses.headers(outcome, browser, returnTo) }
        }
        const wait = outcome.kind === 'too_many' ? { 'Retry-After': String(outcome.retryAfterSeconds) } : {}
        const page = await show(browser, returnTo, { email, mistakes: [mistakeOf(outcome)] })
        return { status: statusOf(outcome), body: page.body, headers: { ...page.headers, ...wait } }
      },
    }),
    route({
      ...COMMON,
      operation: 'signInWithPasskey',
      method: 'POST',
      path: '/sign-in/passkey',
      accepts: ['application/x-www-form-urlencoded'],
      summary: 'Sign in with a passkey',
      description: 'Verifies a passkey, which counts as both steps, and signs the person in.',
      access: visitor('A person who is about to sign in has not done so yet.'),
      schema: {
        body: Type.Object({
          credential: Type.Optional(Type.String()),
          ticket: Type.Optional(Type.String()),
          return_to: Type.Optional(Type.String()),
        }),
        response: { 303: NoBody, 403: Page, 422: Page, 429: Page },
      },
      handler: async ({ browser, body, address, header }) => {
        const returnTo = carriedReturnTo(body.return_to)
        const { credential, ticket } = body
        const from = { cookieBefore: browser.cookieValue, userAgent: header('user-agent') }
        const devices = deviceCookies.read(header('cookie'))
        const attempt = { csrf: browser.csrf, credential, ticket, address, devices, ...from }
        const outcome = await signInWithPasskey(deps, attempt)
        if (outcome.kind === 'signed_in') {
          return { status: 303, body: null, headers: signInResponses.headers(outcome, browser, returnTo) }
        }
        const wait = outcome.kind === 'too_many' ? { 'Retry-After': String(outcome.retryAfterSeconds) } : {}
        const mistake = outcome.kind === 'wrong' ? WRONG_PASSKEY : mistakeOf(outcome)
        const page = await show(browser, returnTo, { mistakes: [{ message: mistake.message }] })
        return { status: statusOf(outcome), body: page.body, headers: { ...page.headers, ...wait } }
      },
    }),
    route({
      ...COMMON,
      operation: 'signOut',
      method: 'POST',
      path: '/sign-out',
      accepts: ['application/x-www-form-urlencoded'],
      summary: 'Sign out',
      description: 'Signs the person out of this browser.',
      access: visitor('To sign out twice is not a mistake.'),
      schema: { body: Type.Object({ return_to: Type.Optional(Type.String()) }), response: { 303: NoBody } },
      platform: async ({ ptx, browser, body }) => {
        if (browser.cookieValue !== null) await endSession(ptx, browser.cookieValue)
        return {
          status: 303,
          body: null,
          headers: { Location: after(body.return_to), 'Set-Cookie': browser.setCookie(null) },
        }
      },
    }),
  ]
}

/** The page after a sign-out: the sign-in page, which leads back to `wanted` if a person signs out to switch accounts. */
function after(wanted: string | undefined): string {
  const returnTo = localReturnTo(wanted)
  return returnTo === DEFAULT_RETURN_TO ? `${signInAddress(null)}?signed_out=yes` : signInAddress(returnTo)
}

function noPasswords(): ApiError {
  return new ApiError('forbidden', {
    public: 'Passwords are switched off here.',
    remediation: 'Open /sign-in and continue with the provider that is offered there.',
  })
}
