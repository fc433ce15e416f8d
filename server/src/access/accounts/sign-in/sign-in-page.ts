import type { isLocalRequest } from '#http/browser/own-form.ts'
import { card, notice } from '#pages/blocks.ts'
import { actions, button, errorSummary, field, form, hidden, linkButton } from '#pages/elements.ts'
import { type HtmlValue, html } from '#pages/html.ts'
import { page } from '#pages/layout.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import { foldedEmail, isLookalikeAddress } from '../email-address.ts'
import { passkeyForm, passkeyScript } from '../factors/passkey-form.ts'
import type { PasskeyOffer } from '../factors/passkeys.ts'
import { offersSignUp, type SignInSettings } from '../settings.ts'
import { DEFAULT_RETURN_TO, worldOfReturnTo } from './return-to.ts'
import type { PasswordRefusal } from './sign-in.ts'

export type Mistake = { readonly field?: 'email' | 'password'; readonly message: string }

export type SignInPageParts = {
  readonly brand: ShownBrand
  readonly settings: SignInSettings
  readonly csrf: string
  /** A path of this service; the caller has checked it. */
  readonly returnTo: string
  readonly email?: string
  readonly mistakes?: readonly Mistake[]
  readonly signedOut?: boolean
  /** Null if passkeys do not work at the service's address (`Passkeys.unavailable`). */
  readonly passkey: PasskeyOffer | null
  /** The registered name of the app that sent the person here. */
  readonly appName?: string | null
  readonly demo?: HtmlValue
}

/**
 * Buttons that sign in as the people of a demo, shown only in a browser on the demo's own machine. `email` is the address of
 * the person whom the app expects.
 */
export type DemoSignIn = (
  request: Parameters<typeof isLocalRequest>[0],
  form: { readonly csrf: string; readonly returnTo: string; readonly email: string },
) => HtmlValue

export function signInPage(parts: SignInPageParts): string {
  const { brand, settings, csrf, returnTo, mistakes = [], signedOut = false, appName = null } = parts
  const main = card(
    html`<h1>Sign in to ${brandName(brand)}</h1>`,
    errorSummary(mistakes, 'You are not signed in'),
    signedOut && notice('You are signed out of this browser.'),
    !signedOut && mistakes.length === 0 && html`<p class="lead">${whySignIn(returnTo, appName)}</p>`,
    parts.demo,
    settings.passwords && passwordForm(parts),
    passkeyWay(parts),
    elsewhere(parts),
    waysIn(parts),
  )
  const script = parts.passkey === null ? {} : { script: passkeyScript().address }
  return page({ title: 'Sign in', brand, csrf, world: worldOfReturnTo(returnTo), main, ...script })
}

const EMAIL_CHARS_MAX = 254

function passwordForm({ csrf, returnTo, email = '', mistakes = [], passkey }: SignInPageParts): HtmlValue {
  const errorOf = (name: Mistake['field']) => mistakes.find(({ field }) => field === name)?.message
  return form({
    action: '/sign-in',
    csrf,
    content: [
      hidden('return_to', returnTo),
      field({
        name: 'email',
        label: 'Email',
        type: 'email',
        value: email,
        error: errorOf('email'),
        autocomplete: passkey === null ? 'username' : 'username webauthn',
        required: true,
        maxLength: EMAIL_CHARS_MAX,
      }),
      field({
        name: 'password',
        label: 'Password',
        type: 'password',
        error: errorOf('password'),
        autocomplete: 'current-password',
        required: true,
      }),
      actions(button({ label: 'Sign in' })),
    ],
  })
}

/** Links for people who forgot their password or have no account. */
function waysIn({ settings, returnTo, passkey }: SignInPageParts): HtmlValue {
  const links = [
    ...(settings.mail && settings.passwords ? [html`<a href="/forgot-password">Forgot your password?</a>`] : []),
    ...(offersSignUp(settings, passkey !== null)
      ? [html`<a href="/sign-up?return_to=${encodeURIComponent(returnTo)}">Create an account</a>`]
      : []),
  ]
  return links.length > 0 && html`<p class="muted">${links.map((link, at) => html`${at > 0 && ' · '}${link}`)}</p>`
}

function passkeyWay({ settings, csrf, returnTo, passkey }: SignInPageParts): HtmlValue {
  if (passkey === null) return undefined
  return passkeyForm({
    action: '/sign-in/passkey',
    csrf,
    offer: passkey,
    use: 'get',
    label: 'Sign in with a passkey',
    kind: settings.passwords ? 'secondary' : 'primary',
    returnTo,
    autofill: true,
    instead: settings.passwords ? 'Sign in with your password.' : 'Use another sign-in.',
  })
}

/** The primary button is the first one that the page offers: password, passkey, provider. */
function elsewhere({ settings: { passwords, openid }, returnTo, passkey }: SignInPageParts): HtmlValue {
  if (openid === null) return undefined
  const href = `/sign-in/openid?${new URLSearchParams({ return_to: returnTo })}`
  const kind = passwords || passkey !== null ? 'secondary' : 'primary'
  const way = actions(linkButton(`Continue with ${openid.name}`, href, kind))
  return passwords ? [html`<p class="muted">Or use another sign-in:</p>`, way] : way
}

const FIRST = 'Sign in first: you will then see what the app asks for, and nothing is shared before you agree.'

/** The reason for the sign-in, derived from the return address. The app's name is the registered one; a name in the link is ignored. */
function whySignIn(returnTo: string, appName: string | null): HtmlValue {
  const [path = ''] = returnTo.split('?', 1)
  const app = (words: string) => (appName === null ? words : html`<strong><bdi>${appName}</bdi></strong>`)
  if (path === '/oauth/authorize') return html`${app('An app')} would like to connect to your account. ${FIRST}`
  if (path.startsWith('/apps/')) return html`You are about to install ${app('an app')}. ${FIRST}`
  if (path === '/') return 'Use the account that you have here.'
  if (path === '/command-line')
    return 'A command line asks to act for you. Sign in first: nothing is allowed before you agree.'
  return path === DEFAULT_RETURN_TO
    ? 'Manage your account, the apps connected to it, and your organizations.'
    : 'The page you asked for is for people who are signed in.'
}

export function missingFields({ email, password }: { readonly email: string; readonly password: string }): Mistake[] {
  return [
    ...(email.trim() === '' ? [{ field: 'email' as const, message: 'Enter your email address.' }] : []),
    ...(isLookalikeAddress(foldedEmail(email)) ? [LOOKALIKE] : []),
    ...(password === '' ? [{ field: 'password' as const, message: 'Enter your password.' }] : []),
  ]
}

const LOOKALIKE: Mistake = {
  field: 'email',
  message: 'This address contains invisible characters, or letters that look like others. Type it again.',
}

/** An unknown address and a wrong password get the same message, so that it does not reveal who has an account here. */
export function mistakeOf(refusal: PasswordRefusal): Mistake {
  switch (refusal.kind) {
    case 'wrong':
      return { field: 'password', message: 'Email or password is wrong. Check both and try again.' }
    case 'disabled':
      return { message: 'This account has been switched off. Ask the operator of this service to switch it on again.' }
    case 'too_many':
      return { message: `There were too many tries. Try again ${inMinutes(refusal.retryAfterSeconds)}.` }
  }
}

export function statusOf({ kind }: PasswordRefusal): 403 | 422 | 429 {
  return ({ wrong: 422, disabled: 403, too_many: 429 } as const)[kind]
}

export function inMinutes(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`
}
