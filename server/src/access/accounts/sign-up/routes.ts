import { Type } from 'typebox'
import { visitor } from '#http/access.ts'
import type { Browser } from '#http/browser/cookies.ts'
import { type Route, route } from '#http/route.ts'
import { pagePolicy } from '#http/security-headers.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { ReadsSentMail } from '../account-fields.ts'
import { emailMistake, type FieldMistake, nameMistake, passwordMistake, typed } from '../account-fields.ts'
import type { Passkeys } from '../factors/passkeys.ts'
import { offersSignUp, type SignInSettings } from '../settings.ts'
import { carriedReturnTo, DEFAULT_RETURN_TO, formTargetsAfter, localReturnTo } from '../sign-in/return-to.ts'
import { inMinutes } from '../sign-in/sign-in-page.ts'
import type { DeviceCookies } from '../sign-in/sign-ins.ts'
import { deviceLabel } from '../sign-in/sign-ins.ts'
import {
  finishSignUp,
  finishWithPasskey,
  type MadePasskey,
  offerSignUpPasskey,
  requestSignUp,
  SIGN_UP_LINK_PATH,
  type SignUpDeps,
  verifySignUpPasskey,
} from './sign-up.ts'
import {
  type Asked,
  deadSignUpLinkPage,
  firstRecoveryCodesPage,
  hasAccountPage,
  mailSentPage,
  noSignUpPage,
  signUpLinkPage,
  signUpPage,
} from './sign-up-pages.ts'
import { findSignUp, type SignUp } from './store.ts'

export type SignUpRouteDeps = SignUpDeps & {
  readonly brand: ShownBrand
  readonly settings: SignInSettings
  readonly deviceCookies: DeviceCookies
  readonly passkeys: Passkeys
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
const Away = Type.Null()
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
  const offersPasskey = () => deps.passkeys.unavailable() === null
  const show = (browser: Browser, returnTo: string, more: Partial<FormTyped> & { mistakes?: FieldMistake[] } = {}) =>
    signUpPage({ brand, csrf: browser.csrf, returnTo, offersPasskey: offersPasskey(), ...more })
  return [
    route({
      ...COMMON,
      operation: 'showSignUp',
      method: 'GET',
      path: '/sign-up',
      summary: 'Show the sign-up page',
      description: 'The page on which people create an account.',
      schema: {
        query: Type.Object({ return_to: Text }),
        response: { 200: Page, 303: Away, 403: Page },
      },
      handler: async ({ caller, browser, query }) => {
        const returnTo = carriedReturnTo(query.return_to)
        if (caller !== null) return { status: 303, body: null, headers: { Location: returnTo } }
        return offersSignUp(settings) ? { status: 200, body: show(browser, returnTo) } : refused()
      },
    }),
    route({
      ...COMMON,
      operation: 'signUp',
      method: 'POST',
      path: '/sign-up',
      accepts: ['application/x-www-form-urlencoded'],
      summary: 'Create an account by sign-up',
      description: 'Sends a mail to the address. Its link makes the account.',
      schema: {
        body: Type.Object({ name: Text, email: Text, password: Text, way: Text, return_to: Text }),
        response: { 200: Page, 403: Page, 422: Page, 429: Page },
      },
      // No transaction around it: one would be held open while a password is hashed.
      handler: async ({ browser, body, address, header }) => {
        if (!offersSignUp(settings)) return refused()
        const returnTo = carriedReturnTo(body.return_to)
        const [email, name] = [typed(body.email), typed(body.name)]
        const password = body.way === 'passkey' && offersPasskey() ? null : (body.password ?? '')
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
  const { platform, hasher, brand, deviceCookies } = deps
  const hashOf = async (asked: Asked, password: string, signUp: SignUp) =>
    asked.password ? hasher.hash(password) : signUp.password_hash
  const link = { ...COMMON, path: `${SIGN_UP_LINK_PATH}/:token` }
  const find = async (token: string) => {
    const signUp = TOKEN.test(token) ? await findSignUp(platform.reads, digestOf(token)) : null
    return signUp !== null && isAllowed(signUp, deps.settings) ? signUp : null
  }
  const dead = (requestId: string) => ({ status: 410 as const, body: deadSignUpLinkPage({ brand, requestId }) })
  const show = async (
    signUp: SignUp,
    { token, browser }: { readonly token: string; readonly browser: Browser },
    more: Partial<FormTyped> & { readonly mistakes?: readonly FieldMistake[] } = {},
  ) => {
    const asked = askedFor(signUp, browser, deps.settings)
    const passkey = await offerSignUpPasskey(deps.passkeys, signUp, { asked, csrf: browser.csrf })
    const policy = pagePolicy({ formAction: formTargetsAfter(placeAfter(signUp)), scripts: passkey !== null })
    const parts = { brand, csrf: browser.csrf, action: `${SIGN_UP_LINK_PATH}/${token}`, signUp, asked, passkey }
    return { body: signUpLinkPage({ ...parts, ...more }), headers: { 'Content-Security-Policy': policy } }
  }
  return [
    route({
      ...link,
      operation: 'showSignUpLink',
      method: 'GET',
      summary: 'Show a sign-up link',
      description: 'The page of the link in a sign-up’s mail or an invitation. Opening it does not use the link.',
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
        response: { 200: Page, 303: Away, 409: Page, 410: Page, 422: Page },
      },
      // No transaction around it: one would be held open while a password is hashed.
      handler: async ({ params: { token }, browser, body: sent, header, requestId }) => {
        const signUp = await find(token)
        if (signUp === null) return dead(requestId)
        const { asked, password, mistakes, ...person } = describedBy(
          signUp,
          sent,
          askedFor(signUp, browser, deps.settings),
        )
        const made = await verifySignUpPasskey(deps.passkeys, sent, { asked, csrf: browser.csrf })
        const about = [person.name, person.email, deps.platformName]
        const wrong = [...mistakes, ...credentialMistake({ asked, made, password, about })]
        if (wrong.length > 0) {
          return { status: 422, ...(await show(signUp, { token, browser }, { ...person, mistakes: wrong })) }
        }
        const passkey = made === 'none' || made === 'not_verified' ? null : made
        const passwordHash = passkey === null ? await hashOf(asked, password, signUp) : null
        const completed = { hash: digestOf(token), ...person, passwordHash }
        const from = { cookieBefore: browser.cookieValue, devices: deviceCookies.read(header('cookie')) }
        const name = deviceLabel(header('user-agent'))
        const outcome = await platform.transaction((tx) =>
          passkey === null
            ? finishSignUp(tx, completed, from)
            : finishWithPasskey(tx, { completed, passkey: { ...passkey, name } }, from),
        )
        if (outcome.kind === 'dead') return dead(requestId)
        if (outcome.kind === 'has_account') return { status: 409, body: hasAccountPage({ brand }) }
        const cookies = [browser.setCookie(outcome.cookieValue), deviceCookies.write(outcome.devices)]
        const next = placeAfter(signUp)
        if (outcome.codes === undefined)
          return { status: 303, body: null, headers: { Location: next, 'Set-Cookie': cookies } }
        const body = firstRecoveryCodesPage({ brand, codes: outcome.codes, next })
        return { status: 200, body, headers: { 'Set-Cookie': cookies } }
      },
    }),
  ]
}

type Chosen = {
  readonly asked: Asked
  readonly made: MadePasskey
  readonly password: string
  readonly about: readonly string[]
}

function credentialMistake({ asked, made, password, about }: Chosen): FieldMistake[] {
  if (made === 'not_verified') return [NOT_VERIFIED]
  return asked.password && made === 'none' ? passwordMistake(password, about) : []
}

const NOT_VERIFIED = { message: 'The passkey could not be verified, or the page was open for too long. Try again.' }

type FormBody = { readonly name?: string; readonly email?: string; readonly password?: string }

/** The account as the link knows it, with what its page asked for. */
function describedBy(signUp: SignUp, body: FormBody, asked: Asked) {
  const name = signUp.name ?? typed(body.name)
  const email = signUp.email ?? typed(body.email)
  const mistakes = [...(asked.name ? nameMistake(name) : []), ...(asked.email ? emailMistake(email) : [])]
  return { asked, name, email, password: body.password ?? '', mistakes }
}

/**
 * A stranger can sign up with another person's address and a password of the stranger's own. So the password counts only in the
 * browser in which it was typed: elsewhere the reader of the mail chooses it.
 */
function askedFor(signUp: SignUp, { cookieValue }: Browser, { passwords }: SignInSettings): Asked {
  const { email, name, password_hash, browser_hash } = signUp
  const isSameBrowser = browser_hash !== null && cookieValue !== null && browser_hash.equals(digestOf(cookieValue))
  const isPasswordKnown = password_hash !== null && isSameBrowser
  return { email: email === null, name: name === null, password: passwords && !isPasswordKnown }
}

/** What the settings allow may have changed since the link was sent. The first administrator is always possible. */
function isAllowed({ purpose }: SignUp, settings: SignInSettings): boolean {
  switch (purpose) {
    case 'sign_up':
      return offersSignUp(settings)
    case 'invitation':
      return settings.signUp !== 'closed'
    case 'first_admin':
      return true
  }
}

/** Checked again: what was written down may be from another version. */
const placeAfter = ({ return_to }: SignUp): string =>
  return_to === null || return_to === DEFAULT_RETURN_TO ? NEWCOMERS_PLACE : localReturnTo(return_to)

/** A person without any connected app begins with an organization. */
const NEWCOMERS_PLACE = '/settings/organizations'
