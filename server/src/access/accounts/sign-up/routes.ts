import { Type } from 'typebox'
import { visitor } from '#http/access.ts'
import type { Browser } from '#http/browser/cookies.ts'
import { type ResponseHeaders, type Route, route } from '#http/route.ts'
import { pagePolicy } from '#http/security-headers.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { ReadsSentMail } from '../account-fields.ts'
import { emailMistake, type FieldMistake, nameMistake, passwordMistake, typed } from '../account-fields.ts'
import type { Passkeys } from '../factors/passkeys.ts'
import { offersSignUp, offersSignUpForm, type SignInSettings } from '../settings.ts'
import { carriedReturnTo, DEFAULT_RETURN_TO, formTargetsAfter, localReturnTo } from '../sign-in/return-to.ts'
import { inMinutes } from '../sign-in/sign-in-page.ts'
import { type DeviceCookies, deviceLabel } from '../sign-in/sign-ins.ts'
import { finishSignUp, requestSignUp, SIGN_UP_LINK_PATH, type SignUpDeps, type SignUpOutcome } from './sign-up.ts'
import {
  deadSignUpLinkPage,
  firstRecoveryCodesPage,
  hasAccountPage,
  type MissingFields,
  mailSentPage,
  noSignUpPage,
  signUpLinkPage,
  signUpPage,
} from './sign-up-pages.ts'
import {
  firstPasskey,
  type MadePasskey,
  offerSignUpPasskey,
  PASSKEY_NOT_VERIFIED,
  verifySignUpPasskey,
} from './sign-up-passkey.ts'
import { findSignUp, hasAdministrator, type SignUp } from './store.ts'

export type SignUpRouteDeps = SignUpDeps & {
  readonly brand: ShownBrand
  readonly settings: SignInSettings
  readonly deviceCookies: DeviceCookies
  readonly passkeys: Passkeys
  readonly clock: WallClock
  readonly readsSentMail?: ReadsSentMail | undefined
}

const COMMON = {
  alias: false,
  tag: 'Pages',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  access: visitor('A person who is about to have an account has none yet.'),
} as const

const Page = Type.String()
const NoBody = Type.Null()
const Text = Type.Optional(Type.String())
const Params = Type.Object({ token: Type.String() })
const TOKEN = /^[A-Za-z0-9_-]{43}$/

type FormTyped = { readonly name: string; readonly email: string; readonly password: string }

export function signUpRoutes(deps: SignUpRouteDeps): Route[] {
  return [...formRoutes(deps), ...linkRoutes(deps)]
}

function formRoutes(deps: SignUpRouteDeps): Route[] {
  const { brand, settings } = deps
  const refused = () => ({
    status: 403 as const,
    body: noSignUpPage({ brand, byInvitation: settings.signUp === 'invitation' }),
  })
  const sent = async (request: Parameters<ReadsSentMail>[0], email: string) =>
    mailSentPage({ brand, email, readsSentMail: (await deps.readsSentMail?.(request)) === true })
  const hasPasskeys = () => deps.passkeys.unavailable() === null
  const show = (browser: Browser, returnTo: string, more: Partial<FormTyped> & { mistakes?: FieldMistake[] } = {}) => {
    const byForm = offersSignUpForm(settings, hasPasskeys())
    const provider = settings.openid?.name ?? null
    const ways = { password: byForm && settings.passwords, passkey: byForm && hasPasskeys(), provider }
    return signUpPage({ brand, csrf: browser.csrf, returnTo, ways, ...more })
  }
  return [
    route({
      ...COMMON,
      operation: 'showSignUp',
      method: 'GET',
      path: '/sign-up',
      summary: 'Show the sign-up page',
      description: 'Shows the page on which people create an account.',
      schema: {
        query: Type.Object({ return_to: Text }),
        response: { 200: Page, 303: NoBody, 403: Page },
      },
      handler: async ({ caller, browser, query }) => {
        const returnTo = carriedReturnTo(query.return_to)
        if (caller !== null) return { status: 303, body: null, headers: { Location: returnTo } }
        return offersSignUp(settings, hasPasskeys()) ? { status: 200, body: show(browser, returnTo) } : refused()
      },
    }),
    route({
      ...COMMON,
      operation: 'signUp',
      method: 'POST',
      path: '/sign-up',
      accepts: ['application/x-www-form-urlencoded'],
      summary: 'Create an account by sign-up',
      description:
        'Sends a mail to the address. If the address has no account, a link in the mail leads to a page that creates one.',
      schema: {
        body: Type.Object({ name: Text, email: Text, password: Text, way: Text, return_to: Text }),
        response: { 200: Page, 403: Page, 422: Page, 429: Page },
      },
      // A `handler`, not a `transaction`: hashing a password is slow, and the transaction would stay open during it.
      handler: async ({ browser, body, address, header }) => {
        if (!offersSignUpForm(settings, hasPasskeys())) return refused()
        const returnTo = carriedReturnTo(body.return_to)
        const [email, name] = [typed(body.email), typed(body.name)]
        const byPasskey = !settings.passwords || (body.way === 'passkey' && hasPasskeys())
        const password = byPasskey ? null : (body.password ?? '')
        const mistakes = [
          ...nameMistake(name),
          ...emailMistake(email),
          ...(password === null ? [] : passwordMistake(password, [name, email, deps.platformName])),
        ]
        if (mistakes.length > 0) return { status: 422, body: show(browser, returnTo, { name, email, mistakes }) }
        const { cookieValue } = browser
        const wait = await requestSignUp(deps, { email, name, password, returnTo, cookieValue, address })
        if (wait === null) return { status: 200, body: await sent({ address, header }, email) }
        const late = [{ message: `There were too many sign-ups. Try again ${inMinutes(wait)}.` }]
        const headers = { 'Retry-After': String(wait) }
        return { status: 429, body: show(browser, returnTo, { name, email, mistakes: late }), headers }
      },
    }),
  ]
}

function linkRoutes(deps: SignUpRouteDeps): Route[] {
  const { platform, hasher, brand, deviceCookies, settings } = deps
  const once = samePresses<LinkResponse>(deps.clock)
  const hashOf = async (missing: MissingFields, password: string, signUp: SignUp) =>
    missing.password ? hasher.hash(password) : signUp.password_hash
  const link = { ...COMMON, path: `${SIGN_UP_LINK_PATH}/:token` }
  const find = async (token: string) => {
    const signUp = TOKEN.test(token) ? await findSignUp(platform.reads, digestOf(token)) : null
    return signUp !== null && (await isAllowed(signUp, deps)) ? signUp : null
  }
  const dead = (requestId: string) => ({
    status: 410 as const,
    body: deadSignUpLinkPage({
      brand,
      requestId,
      signUp: offersSignUp(settings, deps.passkeys.unavailable() === null),
    }),
  })
  const show = async (
    signUp: SignUp,
    { token, browser }: { readonly token: string; readonly browser: Browser },
    more: Partial<FormTyped> & { readonly mistakes?: readonly FieldMistake[] } = {},
  ) => {
    const missing = missingFields(signUp, browser, deps)
    const known = { email: signUp.email, name: missing.name ? null : signUp.name }
    const passkey = missing.passkey ? await offerSignUpPasskey(deps.passkeys, known, browser.csrf) : null
    const policy = pagePolicy({ formAction: formTargetsAfter(placeAfter(signUp)), scripts: passkey !== null })
    const parts = { brand, csrf: browser.csrf, action: `${SIGN_UP_LINK_PATH}/${token}`, signUp, missing, passkey }
    const provider = settings.openid?.name ?? null
    return { body: signUpLinkPage({ ...parts, provider, ...more }), headers: { 'Content-Security-Policy': policy } }
  }
  const responseTo = (outcome: SignUpOutcome, { browser, requestId, next }: Leaving): LinkResponse => {
    if (outcome.kind === 'dead') return dead(requestId)
    if (outcome.kind === 'has_account') return { status: 409, body: hasAccountPage({ brand }) }
    const cookies = [browser.setCookie(outcome.cookieValue), deviceCookies.write(outcome.devices)]
    if (outcome.codes === undefined) {
      return { status: 303, body: null, headers: { Location: next, 'Set-Cookie': cookies } }
    }
    const body = firstRecoveryCodesPage({ brand, codes: outcome.codes, next })
    return { status: 200, body, headers: { 'Set-Cookie': cookies } }
  }
  return [
    route({
      ...link,
      operation: 'showSignUpLink',
      method: 'GET',
      summary: 'Show a sign-up link',
      description:
        'Shows the page of a link from a sign-up mail, an invitation or the first start. Opening the page does not use up the link.',
      schema: { params: Params, response: { 200: Page, 410: Page } },
      handler: async ({ params: { token }, browser, requestId }) => {
        const signUp = await find(token)
        return signUp === null ? dead(requestId) : { status: 200, ...(await show(signUp, { token, browser })) }
      },
    }),
    route({
      ...link,
      operation: 'useSignUpLink',
      method: 'POST',
      accepts: ['application/x-www-form-urlencoded'],
      summary: 'Use a sign-up link',
      description: 'Creates the account and signs this browser in.',
      schema: {
        params: Params,
        body: Type.Object({ name: Text, email: Text, password: Text, account: Text, ticket: Text, credential: Text }),
        response: { 200: Page, 303: NoBody, 409: Page, 410: Page, 422: Page },
      },
      // A `handler`, not a `transaction`: hashing a password is slow, and the transaction would stay open during it.
      handler: async ({ params: { token }, browser, body, header, requestId }) =>
        once([token, browser.cookieValue, JSON.stringify(body)], async () => {
          const signUp = await find(token)
          if (signUp === null) return dead(requestId)
          const missing = missingFields(signUp, browser, deps)
          const { password, mistakes, ...person } = describedBy(signUp, body, missing)
          const made = await verifySignUpPasskey(deps.passkeys, body, browser.csrf)
          const about = [person.name, person.email, deps.platformName]
          const wrong = [...mistakes, ...credentialMistake({ missing, made, password, about })]
          if (wrong.length > 0) {
            return { status: 422, ...(await show(signUp, { token, browser }, { ...person, mistakes: wrong })) }
          }
          const userAgent = header('user-agent')
          const passkey = firstPasskey(made, deviceLabel(userAgent))
          const passwordHash = passkey === null ? await hashOf(missing, password, signUp) : null
          const completed = { hash: digestOf(token), ...person, passwordHash, passkey }
          const devices = deviceCookies.read(header('cookie'))
          const from = { cookieBefore: browser.cookieValue, devices, userAgent }
          const outcome = await platform.transaction((tx) => finishSignUp(tx, completed, from))
          return responseTo(outcome, { browser, requestId, next: placeAfter(signUp) })
        }),
    }),
  ]
}

type Leaving = { readonly browser: Browser; readonly requestId: string; readonly next: string }

type LinkResponse =
  | { readonly status: 200 | 409 | 410 | 422; readonly body: string; readonly headers?: ResponseHeaders }
  | { readonly status: 303; readonly body: null; readonly headers: ResponseHeaders }

type Chosen = {
  readonly missing: MissingFields
  readonly made: MadePasskey
  readonly password: string
  readonly about: readonly string[]
}

function credentialMistake({ missing, made, password, about }: Chosen): FieldMistake[] {
  if (made === 'not_verified') return [PASSKEY_NOT_VERIFIED]
  return missing.password && made === 'none' ? passwordMistake(password, about) : []
}

type FormBody = { readonly name?: string; readonly email?: string; readonly password?: string }

/** The account's data: from the stored sign-up, and from the fields on the link's page. */
function describedBy(signUp: SignUp, body: FormBody, missing: MissingFields) {
  const name = missing.name ? typed(body.name) : (signUp.name ?? '')
  const email = signUp.email ?? typed(body.email)
  const mistakes = [...(missing.name ? nameMistake(name) : []), ...(missing.email ? emailMistake(email) : [])]
  return { name, email, password: body.password ?? '', mistakes }
}

/**
 * A stranger can sign up with another person's address and choose the password and the name. So the typed name and password are used only
 * if the link is opened in the same browser. In any other browser, the reader of the mail chooses them again.
 */
function missingFields(
  { email, name, password_hash, browser_hash }: SignUp,
  { cookieValue }: Browser,
  { settings, passkeys }: Pick<SignUpRouteDeps, 'settings' | 'passkeys'>,
): MissingFields {
  const isSameBrowser = browser_hash !== null && cookieValue !== null && browser_hash.equals(digestOf(cookieValue))
  const isPasswordKnown = password_hash !== null && isSameBrowser && settings.passwords
  return {
    email: email === null,
    name: name === null || !isSameBrowser,
    password: settings.passwords && !isPasswordKnown,
    passkey: passkeys.unavailable() === null && !isPasswordKnown,
  }
}

/**
 * Checked again, because the settings may have changed since the link was sent. The first administrator may be created until one exists.
 */
async function isAllowed(
  { purpose }: SignUp,
  { settings, passkeys, platform }: Pick<SignUpRouteDeps, 'settings' | 'passkeys' | 'platform'>,
): Promise<boolean> {
  switch (purpose) {
    case 'sign_up':
      return offersSignUpForm(settings, passkeys.unavailable() === null)
    case 'invitation':
      return settings.signUp !== 'closed'
    case 'first_admin':
      return !(await hasAdministrator(platform.reads))
  }
}

/** The stored return address is checked again, because another version of the service may have stored it. */
const placeAfter = ({ return_to }: SignUp): string =>
  return_to === null || return_to === DEFAULT_RETURN_TO ? NEWCOMERS_PLACE : localReturnTo(return_to)

/** A new account has no connected apps. Its person probably wants to build an app, so they continue in the developer portal. */
const NEWCOMERS_PLACE = '/developers'

/** A minute is enough: the two presses of a double-click are moments apart. */
const CACHE_MS = 60_000
const CACHED_MAX = 1_000

type CachedResponse<Result> = { readonly answer: Promise<Result>; readonly untilMs: number }

/**
 * When a person presses a button twice, the browser shows the response to the second press. For a link that works once, that
 * response would say that the link no longer works. So a repeated request (same link, cookie and fields) gets the first response
 * again, for a minute, in this process. Only responses that sign the browser in are cached.
 */
function samePresses<Result extends { readonly status: number }>({ now }: WallClock) {
  const cached = new Map<string, CachedResponse<Result>>()
  const forget = () => {
    for (const [key, { untilMs }] of cached) if (untilMs <= now() || cached.size > CACHED_MAX) cached.delete(key)
  }
  return async (press: readonly (string | null)[], work: () => Promise<Result>): Promise<Result> => {
    forget()
    const key = digestOf(JSON.stringify(press)).toString('base64url')
    const before = cached.get(key)
    if (before !== undefined) return before.answer
    const answer = work()
    cached.set(key, { answer, untilMs: now() + CACHE_MS })
    try {
      const { status } = await answer
      if (status >= 400) cached.delete(key)
    } catch {
      cached.delete(key)
    }
    return answer
  }
}
