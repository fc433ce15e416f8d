import { signInAddress } from '#http/browser/return-to.ts'
import { card } from '#pages/blocks.ts'
import { actions, button, errorSummary, form, hidden, linkButton } from '#pages/elements.ts'
import { type HtmlValue, html } from '#pages/html.ts'
import { page } from '#pages/layout.ts'
import { brandName, brandOf, type ShownBrand } from '#pages/platform-brand.ts'
import {
  demoMailNotice,
  emailField,
  type FieldMistake,
  nameField,
  newPasswordField,
  PASSWORD_HINT,
} from '../account-fields.ts'
import { passkeyScript } from '../factors/passkey-form.ts'
import { recoveryCodes } from '../factors/security-page.ts'
import { worldOfReturnTo } from '../sign-in/return-to.ts'
import { type SignUpPasskey, signUpPasskeyForm } from './sign-up-passkey.ts'
import type { SignUp } from './store.ts'

type Typed = { readonly email?: string; readonly name?: string; readonly mistakes?: readonly FieldMistake[] }

/** The ways in which a person can create an account. */
export type SignUpWays = {
  readonly password: boolean
  readonly passkey: boolean
  /** The name of the OpenID Connect provider; null without one. */
  readonly provider: string | null
}

type SignUpPageParts = Typed & {
  readonly brand: ShownBrand
  readonly csrf: string
  readonly ways: SignUpWays
  /** A path of this service; the caller has checked it. */
  readonly returnTo: string
}

const TITLE = 'Create an account'

export function signUpPage(parts: SignUpPageParts): string {
  const { brand, csrf, returnTo, ways, mistakes = [] } = parts
  const byForm = ways.password || ways.passkey
  const main = card(
    html`<h1>Create an account at ${brandName(brand)}</h1>`,
    errorSummary(mistakes, 'The account was not made'),
    mistakes.length === 0 && byForm && html`<p class="lead">${leadOfForm(ways)}</p>`,
    byForm && signUpForm(parts),
    !byForm && agreement(brand),
    ways.provider !== null && providerWay(ways.provider, returnTo, byForm),
    html`<p class="muted">You have an account? <a href="${signInAddress(returnTo)}">Sign in</a>.</p>`,
  )
  return page({ title: TITLE, brand, csrf, world: worldOfReturnTo(returnTo), main })
}

const leadOfForm = ({ password }: SignUpWays) =>
  password
    ? 'We send a mail to your address. The link in the mail makes the account.'
    : 'We send a mail to your address. The link in the mail leads to a page where you create a passkey, with which you sign in.'

function signUpForm({ brand, csrf, returnTo, ways, email, name, mistakes = [] }: SignUpPageParts): HtmlValue {
  const passkey = { name: 'way', value: 'passkey' }
  const buttons = ways.password
    ? [
        button({ label: 'Create the account' }),
        ways.passkey && button({ label: 'Use a passkey instead', kind: 'secondary', ...passkey }),
      ]
    : [button({ label: 'Create the account', ...passkey })]
  return form({
    action: '/sign-up',
    csrf,
    content: [
      hidden('return_to', returnTo),
      nameField({ value: name ?? '', mistakes }),
      emailField({ value: email ?? '', mistakes }),
      ways.password && newPasswordField({ mistakes }),
      agreement(brand),
      actions(...buttons),
    ],
  })
}

/** The first sign-in at the provider creates the account. */
function providerWay(provider: string, returnTo: string, hasOther: boolean): HtmlValue {
  const href = `/sign-in/openid?${new URLSearchParams({ return_to: returnTo })}`
  const way = actions(linkButton(`Continue with ${provider}`, href, hasOther ? 'secondary' : 'primary'))
  return hasOther ? [html`<p class="muted">Or without a form:</p>`, way] : way
}

function agreement(brand: ShownBrand): HtmlValue {
  const { terms, privacy } = brandOf(brand).links
  if (terms === null && privacy === null) return undefined
  const links = [
    ...(terms === null ? [] : [html`the <a href="${terms}">terms</a>`]),
    ...(privacy === null ? [] : [html`the <a href="${privacy}">privacy notice</a>`]),
  ]
  return html`<p class="hint">By creating an account you accept ${links[0]}${links.length > 1 && html` and ${links[1]}`}.</p>`
}

type MailSentParts = { readonly brand: ShownBrand; readonly email: string; readonly readsSentMail: boolean }

/** The same page for every address, so that it does not show whether the address has an account. */
export function mailSentPage({ brand, email, readsSentMail }: MailSentParts): string {
  const title = 'Check your mail'
  const main = card(
    html`<h1>${title}</h1>`,
    html`<p class="lead">We sent a mail to <strong><bdi>${email}</bdi></strong>. Open the link in the mail to continue. The link works once, within 24 hours.</p>`,
    demoMailNotice(readsSentMail),
    html`<p>${!readsSentMail && 'No mail after a few minutes? Look into the spam folder, and check the address above. '}<a href="/sign-up">Start again</a> if the address is wrong.</p>`,
  )
  return page({ title, brand, main })
}

/** For a service on which visitors cannot create accounts. */
export function noSignUpPage({ brand, byInvitation }: { readonly brand: ShownBrand; readonly byInvitation: boolean }) {
  const title = byInvitation ? 'Accounts are made by invitation' : 'New accounts are not made here'
  const { support } = brandOf(brand).links
  const main = card(
    html`<h1>${title}</h1>`,
    byInvitation
      ? html`<p class="lead">You need an invitation to create an account at ${brandName(brand)}. The mail that invites you has a link.</p>`
      : html`<p class="lead">${brandName(brand)} makes the accounts of its people itself.</p>`,
    support !== null && html`<p>Ask <a href="${support}">the people who run this service</a> for an account.</p>`,
    actions(linkButton('Go to sign-in', '/sign-in', 'primary')),
  )
  return page({ title, brand, main })
}

/** The fields that the link's page asks for; the others are already stored. */
export type MissingFields = {
  readonly email: boolean
  readonly name: boolean
  readonly password: boolean
  /** Whether the page offers to create a passkey: instead of a password, or as the first choice if passwords are off. */
  readonly passkey: boolean
}

type LinkPageParts = Typed & {
  readonly brand: ShownBrand
  readonly csrf: string
  /** The address of this page; the browser sends the form to it. */
  readonly action: string
  readonly signUp: SignUp
  readonly missing: MissingFields
  /** Null if the page offers no passkey. */
  readonly passkey: SignUpPasskey | null
  /** The name of the OpenID Connect provider; null without one. */
  readonly provider: string | null
}

const FORM_ID = 'new-account'

/** Opening a link changes nothing: mail scanners open links, and only a person presses the button. */
export function signUpLinkPage(parts: LinkPageParts): string {
  const { brand, csrf, action, signUp, missing, passkey, mistakes = [] } = parts
  const returnTo = signUp.return_to
  const onlyPasskey = passkey !== null && !missing.password
  const main = card(
    html`<h1>${signUp.purpose === 'sign_up' ? 'Confirm your address' : 'Create your account'}</h1>`,
    errorSummary(mistakes, 'The account was not made'),
    html`<p class="lead">${leadOf(parts)}</p>`,
    form({
      action,
      csrf,
      id: FORM_ID,
      content: [
        missing.name && nameField({ value: parts.name ?? '', mistakes }),
        missing.email && emailField({ value: parts.email ?? '', mistakes }),
        missing.password && newPasswordField({ mistakes, ...passwordWords(signUp) }),
        !onlyPasskey && actions(button({ label: 'Create the account' })),
      ],
    }),
    passkeyWay(parts),
    onlyPasskey && withoutPasskey(parts),
    html`<p class="muted">${signUp.purpose === 'sign_up' ? 'Press the button only if you signed up.' : 'The link works once.'}</p>`,
  )
  const script = passkey === null ? {} : { script: passkeyScript().address }
  const world = returnTo === null ? null : worldOfReturnTo(returnTo)
  return page({ title: TITLE, brand, csrf, world, main, ...script })
}

function passkeyWay({ action, csrf, passkey, missing }: LinkPageParts): HtmlValue {
  if (passkey === null) return undefined
  const instead = missing.password ? 'Choose a password.' : 'Use the other way below, or another browser.'
  return signUpPasskeyForm({
    ...{ action, csrf, passkey, fieldsFrom: FORM_ID, copied: copiedOf(missing), instead },
    kind: missing.password ? 'secondary' : 'primary',
    label: missing.password ? 'Use a passkey instead' : 'Create the account with a passkey',
  })
}

const copiedOf = (missing: MissingFields) => (['name', 'email'] as const).filter((name) => missing[name])

/** Shown if passwords are off: an account needs no passkey if the person can sign in at the provider. */
function withoutPasskey({ provider }: LinkPageParts): HtmlValue {
  if (provider === null) return undefined
  const label = `Create it without one, and sign in with ${provider}`
  return actions(html`<button class="button" type="submit" form="${FORM_ID}">${label}</button>`)
}

type FirstCodesParts = { readonly brand: ShownBrand; readonly codes: readonly string[]; readonly next: string }

/** The account exists, this browser is signed in, and the codes are shown once. */
export function firstRecoveryCodesPage({ brand, codes, next }: FirstCodesParts): string {
  const title = 'Your recovery codes'
  const main = card(
    html`<h1>${title}</h1>`,
    html`<p class="lead">Your account is made, and this browser is signed in.</p>`,
    recoveryCodes(codes),
    actions(linkButton('I have saved them', next, 'primary')),
  )
  return page({ title, brand, main })
}

function leadOf({ brand, signUp, missing }: LinkPageParts): HtmlValue {
  const platform = brandName(brand)
  switch (signUp.purpose) {
    case 'sign_up':
      if (missing.name) {
        return html`This makes the account of <strong><bdi>${signUp.email}</bdi></strong> at ${platform} and signs this browser in. You opened the link in another browser than the one you signed up in, so enter the rest again.`
      }
      return html`This makes the account of <strong><bdi>${signUp.name}</bdi></strong> (${signUp.email}) at ${platform} and signs this browser in.`
    case 'invitation':
      return html`You are invited to ${platform}. Your account will have the address <strong><bdi>${signUp.email}</bdi></strong>${signUp.staff_role === 'admin' && ' and the role of an administrator'}.`
    case 'first_admin':
      return html`This makes the first administrator of this service, who looks after accounts and partners.`
  }
}

/** The hint of the password field in another browser than the one in which the form was filled in. */
function passwordWords({ purpose, password_hash }: SignUp) {
  if (purpose !== 'sign_up' || password_hash === null) return {}
  return {
    hint: `The password that you chose when you signed up, or another one. ${PASSWORD_HINT}`,
  }
}

type DeadLink = { readonly brand: ShownBrand; readonly requestId: string; readonly signUp: boolean }

export function deadSignUpLinkPage({ brand, requestId, signUp }: DeadLink) {
  const title = 'This link no longer works'
  const main = card(
    html`<h1>${title}</h1><p>It was used before, has expired, or was replaced by a newer one.</p><p>If you have used it, sign in. Otherwise ${signUp && 'sign up again, or '}ask for a new invitation.</p>`,
    actions(linkButton('Go to sign-in', '/sign-in', 'primary'), signUp && linkButton('Create an account', '/sign-up')),
    html`<p class="request-id">Request <code>${requestId}</code></p>`,
  )
  return page({ title, brand, main })
}

/** The link proves that the reader owns the address, so the page may say that the address has an account. */
export function hasAccountPage({ brand }: { readonly brand: ShownBrand }): string {
  const title = 'This address has an account'
  const main = card(
    html`<h1>${title}</h1><p>It was made before this link was used. Nothing about it has changed.</p>`,
    actions(
      linkButton('Go to sign-in', '/sign-in', 'primary'),
      linkButton('Forgot your password?', '/forgot-password'),
    ),
  )
  return page({ title, brand, main })
}
