import { Type } from 'typebox'
import { recordAudit } from '#access/audit/index.ts'
import { recentlyProven, visitor } from '#http/access.ts'
import type { Browser } from '#http/browser/cookies.ts'
import { type Route, route } from '#http/route.ts'
import { type MailTokens, queueMail } from '#mail/index.ts'
import { card, notice } from '#pages/blocks.ts'
import { actions, button, errorSummary, field, form, linkButton } from '#pages/elements.ts'
import { html } from '#pages/html.ts'
import { page, settingsPage } from '#pages/layout.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { demoMailNotice, emailField, emailMistake, type ReadsSentMail, typed } from '../account-fields.ts'
import { foldedEmail } from '../email-address.ts'
import { addressTakenLetter, changeEmailLetter, emailChangedLetter, emailChangeNoticeLetter } from '../letters.ts'
import type { SignInSettings } from '../settings.ts'
import { type PasswordSignInDeps, verifyPassword } from '../sign-in/sign-in.ts'
import { inMinutes, mistakeOf } from '../sign-in/sign-in-page.ts'
import type { DeviceCookies } from '../sign-in/sign-ins.ts'
import { countMailRequest, forgetAttempts } from '../sign-in/throttle.ts'
import { deleteSignUpsOf } from '../sign-up/store.ts'
import { deleteLinksOf, findAccountByEmail, lockAccount, useLink } from '../store.ts'
import {
  changeEmailOccasion,
  findEmailChange,
  findOwnAccount,
  type OwnAccount,
  putChangeLink,
  updateEmail,
} from './store.ts'

export type ChangeEmailDeps = PasswordSignInDeps & {
  readonly mailTokens: MailTokens
  readonly origin: () => string
  readonly brand: ShownBrand
  readonly platformName: string
  readonly settings: SignInSettings
  readonly deviceCookies: DeviceCookies
  readonly readsSentMail?: ReadsSentMail | undefined
}

const CHANGE_MINUTES = 24 * 60
const CONFIRM_PATH = '/confirm-email'

type Request = { readonly account: OwnAccount; readonly newEmail: string; readonly address: string }

/**
 * Runs the same statements and sends the same number of mails, whether or not another account has the new address. So only the owner of
 * the new address learns about that account. The address changes when the person uses the link. Returns the seconds to wait after too
 * many requests.
 */
async function requestChange(deps: ChangeEmailDeps, { account, newEmail, address }: Request): Promise<number | null> {
  const { platform, keys, mailTokens, origin, platformName: brand } = deps
  const wait = await countMailRequest(platform, keys('sign-in'), { form: 'new address', email: newEmail, address })
  if (wait !== null) return wait
  const { seed, token } = mailTokens.issue('change_email')
  const hash = digestOf(token)
  const key = hash.toString('hex')
  await platform.transaction(async (tx) => {
    const other = await findAccountByEmail(tx, newEmail)
    await putChangeLink(tx, { hash, account: account.id, newEmail, minutes: CHANGE_MINUTES })
    const letter =
      other === null
        ? changeEmailLetter(brand, { url: `${origin()}${CONFIRM_PATH}/`, seed })
        : addressTakenLetter(brand, origin())
    await queueMail(tx, { key: `${changeEmailOccasion(account.id)}${key}`, to: newEmail, letter })
    await queueMail(tx, {
      key: `change_email_notice ${key}`,
      to: account.email,
      letter: emailChangeNoticeLetter(brand, { origin: origin(), newEmail }),
    })
    await recordAudit(tx, { actor: account.id, action: 'account.email_change_requested', subject: account.id })
  })
  return null
}

/** False if the link is unknown, used or expired, the account is disabled, or another account has the address by now. */
async function confirmChange(tx: PlatformTx, deps: ChangeEmailDeps, hash: Buffer): Promise<boolean> {
  const change = await findEmailChange(tx, hash)
  if (change === null || (await useLink(tx, hash, 'change_email')) === null) return false
  const { account_id: account, email, new_email: newEmail } = change
  await lockAccount(tx, account)
  const other = await findAccountByEmail(tx, newEmail)
  if (other !== null && other.id !== account) return false
  await updateEmail(tx, account, newEmail)
  await deleteLinksOf(tx, account)
  await deleteSignUpsOf(tx, newEmail)
  await recordAudit(tx, { actor: account, action: 'account.email_changed', subject: account })
  const letter = emailChangedLetter(deps.platformName, newEmail)
  await queueMail(tx, { key: `email_changed ${hash.toString('hex')}`, to: email, letter })
  return true
}

const COMMON = {
  alias: false,
  tag: 'Pages',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
} as const

const Page = Type.String()
const Text = Type.Optional(Type.String())

type Mistake = { readonly field?: 'email' | 'current'; readonly message: string }

export function changeEmailRoutes(deps: ChangeEmailDeps): Route[] {
  return [...formRoutes(deps), ...confirmRoutes(deps)]
}

function formRoutes(deps: ChangeEmailDeps): Route[] {
  const { platform, brand, settings, deviceCookies } = deps
  const own = { ...COMMON, path: '/settings/email', access: recentlyProven() } as const
  const show = (
    account: OwnAccount,
    browser: Browser,
    more: { readonly email?: string; readonly mistakes?: readonly Mistake[] } = {},
  ) => emailPage({ brand, settings, csrf: browser.csrf, account, ...more })
  return [
    route({
      ...own,
      operation: 'showOwnEmail',
      method: 'GET',
      summary: 'Show the email page',
      description: 'Shows the page on which a person changes the address of the account.',
      schema: { response: { 200: Page } },
      handler: async ({ caller, browser }) => ({
        status: 200,
        body: show(await findOwnAccount(platform.reads, caller.accountId), browser),
      }),
    }),
    route({
      ...own,
      operation: 'requestEmailChange',
      method: 'POST',
      accepts: ['application/x-www-form-urlencoded'],
      summary: 'Request another email address',
      description:
        'Sends a mail to the new address and a notice to the present address. The mail has a link, unless another account has the new address. The account’s address changes when the person uses the link.',
      schema: {
        body: Type.Object({ email: Text, current: Text }),
        response: { 200: Page, 422: Page, 429: Page },
      },
      // A `handler`, not a `transaction`: hashing a password is slow, and the transaction would stay open during it.
      handler: async ({ caller, browser, body, address, header }) => {
        const account = await findOwnAccount(platform.reads, caller.accountId)
        const [email, current] = [typed(body.email), body.current ?? '']
        const wrong = mistakesIn({ email, current }, account)
        if (wrong.length > 0 || !settings.mail) {
          return { status: 422, body: show(account, browser, { email, mistakes: wrong }) }
        }
        const rejected = await rejectWrongPassword(deps, account, {
          ...{ password: current, address, devices: deviceCookies.read(header('cookie')) },
        })
        if (rejected !== null) {
          return { status: rejected.status, body: show(account, browser, { email, mistakes: [rejected.mistake] }) }
        }
        const wait = await requestChange(deps, { account, newEmail: email, address })
        if (wait === null) {
          const readsSentMail = (await deps.readsSentMail?.({ address, header })) === true
          return { status: 200, body: sentPage({ brand, csrf: browser.csrf, account, email, readsSentMail }) }
        }
        const late = [{ message: `There were too many requests. Try again ${inMinutes(wait)}.` }]
        const headers = { 'Retry-After': String(wait) }
        return { status: 429, body: show(account, browser, { email, mistakes: late }), headers }
      },
    }),
  ]
}

function mistakesIn({ email, current }: { readonly email: string; readonly current: string }, account: OwnAccount) {
  const isSame = foldedEmail(email) === foldedEmail(account.email)
  const mistakes: Mistake[] = [
    ...emailMistake(email).map(({ message }) => ({ field: 'email' as const, message })),
    ...(isSame ? [{ field: 'email' as const, message: 'This is your address already.' }] : []),
    ...(account.has_password && current === ''
      ? [{ field: 'current' as const, message: 'Enter your current password.' }]
      : []),
  ]
  return mistakes
}

type Attempt = Pick<Parameters<typeof verifyPassword>[1], 'password' | 'address' | 'devices'>

/** Returns null if the password is right, and for an account without a password, where the recent sign-in is the proof. */
async function rejectWrongPassword(deps: ChangeEmailDeps, account: OwnAccount, attempt: Attempt) {
  if (!account.has_password) return null
  const verified = await verifyPassword(deps, { ...attempt, email: account.email })
  if (!('kind' in verified)) {
    await deps.platform.transaction((tx) => forgetAttempts(tx, verified.counted))
    return null
  }
  if (verified.kind === 'too_many') return { status: 429 as const, mistake: { message: mistakeOf(verified).message } }
  const message = 'This is not your current password. Check it and try again.'
  return { status: 422 as const, mistake: { field: 'current' as const, message } }
}

function confirmRoutes(deps: ChangeEmailDeps): Route[] {
  const { platform, brand } = deps
  const link = {
    ...COMMON,
    path: `${CONFIRM_PATH}/:token`,
    access: visitor('The link in the mail is the proof. It may be opened in a browser that has not signed in.'),
  } as const
  const Params = Type.Object({ token: Type.String() })
  const TOKEN = /^[A-Za-z0-9_-]{43}$/
  const dead = (requestId: string) => ({ status: 410 as const, body: deadPage({ brand, requestId }) })
  return [
    route({
      ...link,
      operation: 'showEmailChange',
      method: 'GET',
      summary: 'Show an email change',
      description: 'Shows the page of the link in the mail to a new address. Showing the page does not use the link.',
      schema: { params: Params, response: { 200: Page, 410: Page } },
      handler: async ({ params: { token }, browser, requestId }) => {
        const change = TOKEN.test(token) ? await findEmailChange(platform.reads, digestOf(token)) : null
        if (change === null) return dead(requestId)
        const title = 'Change your address'
        const main = card(
          html`<h1>${title}</h1>`,
          html`<p class="lead">The account of <strong><bdi>${change.name}</bdi></strong> has the address ${change.email}. The button changes it to <strong><bdi>${change.new_email}</bdi></strong>.</p>`,
          form({
            action: `${CONFIRM_PATH}/${token}`,
            csrf: browser.csrf,
            content: actions(button({ label: 'Change the address' })),
          }),
        )
        return { status: 200, body: page({ title, brand, main }) }
      },
    }),
    route({
      ...link,
      operation: 'confirmEmailChange',
      method: 'POST',
      accepts: ['application/x-www-form-urlencoded'],
      summary: 'Update the email address',
      description: 'Changes the address of the account to the one that the link was sent to.',
      schema: { params: Params, body: Type.Object({}), response: { 200: Page, 410: Page } },
      handler: async ({ params: { token }, requestId }) => {
        if (!TOKEN.test(token)) return dead(requestId)
        const isChanged = await platform.transaction((tx) => confirmChange(tx, deps, digestOf(token)))
        if (!isChanged) return dead(requestId)
        const title = 'Your address was changed'
        const main = card(
          html`<h1>${title}</h1><p>Sign in with the new address from now on.</p>`,
          actions(linkButton('Go to your settings', '/settings', 'primary')),
        )
        return { status: 200, body: page({ title, brand, main }) }
      },
    }),
  ]
}

type EmailPage = {
  readonly brand: ShownBrand
  readonly settings: SignInSettings
  readonly csrf: string
  readonly account: OwnAccount
  readonly email?: string
  readonly mistakes?: readonly Mistake[]
}

const TITLE = 'Email address'

function emailPage({ brand, settings, csrf, account, email = '', mistakes = [] }: EmailPage): string {
  const frame = { title: TITLE, tab: 'profile', brand, person: account, csrf } as const
  const lead = html`Your account has the address <strong><bdi>${account.email}</bdi></strong>.`
  if (!settings.mail) {
    const main = notice('This service sends no mail, so a new address cannot be proven. Ask the people who run it.')
    return settingsPage({ ...frame, lead, main })
  }
  const current = mistakes.find(({ field: at }) => at === 'current')?.message
  const content = [
    emailField({
      ...{ label: 'New address', value: email },
      mistakes: mistakes.flatMap(({ field: at, message }) => (at === 'email' ? [{ field: at, message }] : [])),
    }),
    account.has_password &&
      field({
        ...{ name: 'current', label: 'Current password', type: 'password', error: current },
        ...{ autocomplete: 'current-password', required: true },
      }),
    actions(button({ label: 'Send a link to the new address' }), linkButton('Cancel', '/settings')),
  ]
  const main = card(errorSummary(mistakes, 'No mail was sent'), form({ action: '/settings/email', csrf, content }))
  return settingsPage({ ...frame, lead, main })
}

type SentPage = {
  readonly brand: ShownBrand
  readonly csrf: string
  readonly account: OwnAccount
  readonly email: string
  readonly readsSentMail: boolean
}

/** The same page for every address, so that it does not show whether another account has the address. */
function sentPage({ brand, csrf, account, email, readsSentMail }: SentPage): string {
  const main = html`${demoMailNotice(readsSentMail)}<p>We sent a mail to <strong><bdi>${email}</bdi></strong>. Open the link in the mail to change the address. The link works once, within 24 hours. Until then your account keeps ${account.email}.</p>`
  return settingsPage({ title: TITLE, heading: 'Check your mail', tab: 'profile', brand, person: account, csrf, main })
}

function deadPage({ brand, requestId }: { readonly brand: ShownBrand; readonly requestId: string }): string {
  const title = 'This link no longer works'
  const main = card(
    html`<h1>${title}</h1><p>It was used before, has expired, or was replaced by a newer one, or another account has the address by now.</p><p>Your settings show the address that your account has.</p>`,
    actions(linkButton('Go to your settings', '/settings/email', 'primary')),
    html`<p class="request-id">Request <code>${requestId}</code></p>`,
  )
  return page({ title, brand, main })
}
