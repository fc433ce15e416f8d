import { Type } from 'typebox'
import { visitor } from '#http/access.ts'
import type { Browser } from '#http/browser/cookies.ts'
import { type Route, route } from '#http/route.ts'
import { type MailTokens, queueMail } from '#mail/index.ts'
import { card } from '#pages/blocks.ts'
import { actions, button, errorSummary, form, linkButton } from '#pages/elements.ts'
import { html } from '#pages/html.ts'
import { page } from '#pages/layout.ts'
import { brandOf, type ShownBrand } from '#pages/platform-brand.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import {
  demoMailNotice,
  emailField,
  emailMistake,
  type FieldMistake,
  type ReadsSentMail,
  typed,
} from '../account-fields.ts'
import { LINK_PATH } from '../administration/administer.ts'
import { noPasswordToResetLetter, resetLetter } from '../letters.ts'
import { offersSignUp, type SignInSettings } from '../settings.ts'
import { inMinutes } from '../sign-in/sign-in-page.ts'
import { countMailRequest } from '../sign-in/throttle.ts'
import { findAccountByEmail } from '../store.ts'
import { putResetLink } from './store.ts'

export type ForgotPasswordDeps = {
  readonly platform: PlatformDatabase
  readonly keys: Keyring
  readonly mailTokens: MailTokens
  readonly origin: () => string
  readonly brand: ShownBrand
  readonly platformName: string
  readonly settings: SignInSettings
  readonly readsSentMail?: ReadsSentMail | undefined
}

/** Long enough for a delayed mail. Not longer, because another person may use a mailbox that its owner left open. */
const RESET_MINUTES = 60

/**
 * Runs the same statements for every address, so that only the mail shows whether the address has an account. Returns the
 * seconds to wait after too many requests.
 */
async function requestReset(
  { platform, keys, mailTokens, origin, platformName, settings }: ForgotPasswordDeps,
  { email, address }: { readonly email: string; readonly address: string },
): Promise<number | null> {
  const wait = await countMailRequest(platform, keys('sign-in'), { form: 'forgotten password', email, address })
  if (wait !== null) return wait
  const { seed, token } = mailTokens.issue('reset_password')
  const hash = digestOf(token)
  await platform.transaction(async (tx) => {
    const account = await findAccountByEmail(tx, email)
    await putResetLink(tx, { hash, email, minutes: RESET_MINUTES })
    const letter =
      account === null || account.disabled_at !== null
        ? noPasswordToResetLetter(platformName, {
            origin: origin(),
            isDisabled: account !== null,
            signUp: offersSignUp(settings, false),
          })
        : resetLetter(platformName, { url: `${origin()}${LINK_PATH}/`, seed })
    await queueMail(tx, { key: `reset_password ${hash.toString('hex')}`, to: email, letter })
  })
  return null
}

const COMMON = {
  alias: false,
  tag: 'Pages',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  path: '/forgot-password',
  access: visitor('A person who forgot the password cannot sign in.'),
} as const

const Page = Type.String()

export function forgotPasswordRoutes(deps: ForgotPasswordDeps): Route[] {
  const { brand, settings } = deps
  const isOffered = settings.passwords && settings.mail
  const rejected = () => ({ status: 403 as const, body: notOfferedPage(brand, settings) })
  const show = (browser: Browser, more: { email?: string; mistakes?: FieldMistake[] } = {}) =>
    forgotPasswordPage({ brand, csrf: browser.csrf, ...more })
  return [
    route({
      ...COMMON,
      operation: 'showForgotPassword',
      method: 'GET',
      summary: 'Show the forgotten-password page',
      description: 'Shows the page on which a person asks for a link to set a new password.',
      schema: { response: { 200: Page, 403: Page } },
      handler: async ({ browser, caller }) =>
        isOffered ? { status: 200, body: show(browser, caller === null ? {} : { email: caller.email }) } : rejected(),
    }),
    route({
      ...COMMON,
      operation: 'requestPasswordReset',
      method: 'POST',
      accepts: ['application/x-www-form-urlencoded'],
      summary: 'Request a password link by mail',
      description:
        'Sends a mail to the address. The mail has a link to set a new password if the address has an account that is not disabled.',
      schema: {
        body: Type.Object({ email: Type.Optional(Type.String()) }),
        response: { 200: Page, 403: Page, 422: Page, 429: Page },
      },
      handler: async ({ browser, body, address, header }) => {
        if (!isOffered) return rejected()
        const email = typed(body.email)
        const mistakes = emailMistake(email)
        if (mistakes.length > 0) return { status: 422, body: show(browser, { email, mistakes }) }
        const wait = await requestReset(deps, { email, address })
        if (wait === null) {
          const readsSentMail = (await deps.readsSentMail?.({ address, header })) === true
          return { status: 200, body: resetSentPage({ brand, email, readsSentMail }) }
        }
        const late = [{ message: `There were too many requests. Try again ${inMinutes(wait)}.` }]
        return {
          status: 429,
          body: show(browser, { email, mistakes: late }),
          headers: { 'Retry-After': String(wait) },
        }
      },
    }),
  ]
}

const TITLE = 'Forgot your password?'

type FormPage = {
  readonly brand: ShownBrand
  readonly csrf: string
  readonly email?: string
  readonly mistakes?: readonly FieldMistake[]
}

function forgotPasswordPage({ brand, csrf, email = '', mistakes = [] }: FormPage): string {
  const main = card(
    html`<h1>${TITLE}</h1>`,
    errorSummary(mistakes, 'No mail was sent'),
    html`<p class="lead">Enter the address of your account. We send you a link to choose a new password.</p>`,
    form({
      action: '/forgot-password',
      csrf,
      content: [emailField({ value: email, mistakes }), actions(button({ label: 'Send the link' }))],
    }),
    html`<p class="muted"><a href="/sign-in">Back to sign-in</a></p>`,
  )
  return page({ title: TITLE, brand, csrf, main })
}

type ResetSentParts = { readonly brand: ShownBrand; readonly email: string; readonly readsSentMail: boolean }

/** The same page for every address, so that it does not show whether the address has an account. */
function resetSentPage({ brand, email, readsSentMail }: ResetSentParts): string {
  const title = 'Check your mail'
  const main = card(
    html`<h1>${title}</h1>`,
    html`<p class="lead">We sent a mail to <strong><bdi>${email}</bdi></strong>. If this address has an account, the mail has a link to choose a new password. The link works once, within an hour.</p>`,
    demoMailNotice(readsSentMail),
    html`<p>${!readsSentMail && 'No mail after a few minutes? Look into the spam folder, and check the address above. '}<a href="/forgot-password">Start again</a> if the address is wrong.</p>`,
  )
  return page({ title, brand, main })
}

function notOfferedPage(brand: ShownBrand, { passwords }: SignInSettings): string {
  const { support } = brandOf(brand).links
  const main = card(
    html`<h1>${TITLE}</h1>`,
    passwords
      ? html`<p class="lead">This service sends no mail. The people who run it can give you a link to choose a new password.</p>`
      : html`<p class="lead">Passwords are switched off here. Sign in with a passkey or with your provider.</p>`,
    support !== null && html`<p><a href="${support}">Ask the people who run this service.</a></p>`,
    actions(linkButton('Go to sign-in', '/sign-in', 'primary')),
  )
  return page({ title: TITLE, brand, main })
}
