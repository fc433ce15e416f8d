import { Type } from 'typebox'
import { recordAudit } from '#access/audit/index.ts'
import { signedIn } from '#http/access.ts'
import type { Browser } from '#http/browser/cookies.ts'
import { type Route, route } from '#http/route.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import { card, notice } from '#pages/blocks.ts'
import { actions, button, errorSummary, field, form, hidden, linkButton } from '#pages/elements.ts'
import { type HtmlValue, html } from '#pages/html.ts'
import { settingsPage } from '#pages/layout.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { newPasswordField, passwordMistake } from '../account-fields.ts'
import { type PasswordNotices, queuePasswordNotice } from '../letters.ts'
import type { PasswordHash } from '../passwords.ts'
import type { SignInSettings } from '../settings.ts'
import { type PasswordSignInDeps, verifyPassword } from '../sign-in/sign-in.ts'
import { mistakeOf } from '../sign-in/sign-in-page.ts'
import { type Device, type DeviceCookies, rememberDevice } from '../sign-in/sign-ins.ts'
import { deleteDevicesOf } from '../sign-in/store.ts'
import { forgetAttempts } from '../sign-in/throttle.ts'
import { deleteLinksOf, updatePassword } from '../store.ts'
import { deleteOtherSessions, findOwnAccount, type OwnAccount } from './store.ts'

export type ChangePasswordDeps = PasswordSignInDeps & {
  readonly brand: ShownBrand
  readonly platformName: string
  readonly settings: SignInSettings
  readonly deviceCookies: DeviceCookies
  readonly passwordNotices: PasswordNotices
}

const COMMON = {
  alias: false,
  tag: 'Pages',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  path: '/settings/password',
  access: signedIn(),
} as const

const Page = Type.String()
const Text = Type.Optional(Type.String())

type Mistake = { readonly field?: 'current' | 'password'; readonly message: string }

export function changePasswordRoutes(deps: ChangePasswordDeps): Route[] {
  const { platform, hasher, brand, deviceCookies } = deps
  const show = (account: OwnAccount, browser: Browser, mistakes: readonly Mistake[] = []) =>
    passwordPage({ brand, settings: deps.settings, csrf: browser.csrf, account, mistakes })
  return [
    route({
      ...COMMON,
      operation: 'showOwnPassword',
      method: 'GET',
      summary: 'Show the password page',
      description: 'Shows the page on which a person changes the password.',
      schema: { query: Type.Object({ changed: Text }), response: { 200: Page } },
      handler: async ({ caller, browser, query }) => {
        const account = await findOwnAccount(platform.reads, caller.accountId)
        const body =
          query.changed === 'yes' ? changedPage({ brand, csrf: browser.csrf, account }) : show(account, browser)
        return { status: 200, body }
      },
    }),
    route({
      ...COMMON,
      operation: 'changeOwnPassword',
      method: 'POST',
      accepts: ['application/x-www-form-urlencoded'],
      summary: 'Set a new password',
      description:
        'Changes the password of the signed-in person. Ends every other session, in browsers and on the command line.',
      schema: {
        body: Type.Object({ current: Text, password: Text }),
        response: { 303: Type.Null(), 422: Page, 429: Page },
      },
      // A `handler`, not a `transaction`: hashing a password is slow, and the transaction would stay open during it.
      handler: async ({ caller, browser, body, address, header }) => {
        const account = await findOwnAccount(platform.reads, caller.accountId)
        const { current = '', password = '' } = body
        const wrong: Mistake[] = [
          ...(current === '' ? [{ field: 'current' as const, message: 'Enter your current password.' }] : []),
          ...newPasswordMistake(password, [account.name, account.email, deps.platformName]),
        ]
        if (wrong.length > 0) return { status: 422, body: show(account, browser, wrong) }
        const devices = deviceCookies.read(header('cookie'))
        const verified = await verifyPassword(deps, { email: account.email, password: current, address, devices })
        if ('kind' in verified) {
          const tooMany = verified.kind === 'too_many'
          const mistake = tooMany ? { message: mistakeOf(verified).message } : WRONG
          return { status: tooMany ? 429 : 422, body: show(account, browser, [mistake]) }
        }
        const hash = await hasher.hash(password)
        const trustedDevices = await platform.transaction(async (tx) => {
          await forgetAttempts(tx, verified.counted)
          return changePassword(tx, deps, { account, caller, hash, devices })
        })
        const headers = {
          Location: '/settings/password?changed=yes',
          'Set-Cookie': deviceCookies.write(trustedDevices),
        }
        return { status: 303, body: null, headers }
      },
    }),
  ]
}

const WRONG: Mistake = { field: 'current', message: 'This is not your current password. Check it and try again.' }

function newPasswordMistake(password: string, about: readonly string[]): Mistake[] {
  return passwordMistake(password, about).map(({ message }) => ({ field: 'password', message }))
}

type Changing = {
  readonly account: OwnAccount
  readonly caller: AccountCaller
  readonly hash: PasswordHash
  readonly devices: readonly Device[]
}

/**
 * Ends every other session, and deletes every one-time link and the devices of other browsers. This browser stays signed in: the person
 * has entered the current password, so the same person uses the account, and stored idempotent responses stay (see `setPassword`).
 */
async function changePassword(tx: PlatformTx, deps: ChangePasswordDeps, changing: Changing) {
  const { account, caller, hash, devices } = changing
  await updatePassword(tx, account.id, hash)
  const sessions = await deleteOtherSessions(tx, account.id, caller.sessionHash)
  await deleteDevicesOf(tx, account.id)
  await deleteLinksOf(tx, account.id)
  const details = { sessions_ended: sessions }
  await recordAudit(tx, { actor: account.id, action: 'account.password_changed', subject: account.id, details })
  await queuePasswordNotice(tx, deps.passwordNotices, account)
  return rememberDevice(tx, account.id, devices)
}

type PasswordPage = {
  readonly brand: ShownBrand
  readonly settings: SignInSettings
  readonly csrf: string
  readonly account: OwnAccount
  readonly mistakes: readonly Mistake[]
}

const TITLE = 'Password'

function passwordPage({ brand, settings, csrf, account, mistakes }: PasswordPage): string {
  const frame = { title: TITLE, tab: 'security', brand, person: account, csrf } as const
  if (!account.has_password) return settingsPage({ ...frame, main: withoutPassword(settings, csrf, account) })
  const errorOf = (at: Mistake['field']) => mistakes.find((each) => each.field === at)?.message
  const main = card(
    errorSummary(mistakes, 'The password was not changed'),
    form({
      action: '/settings/password',
      csrf,
      content: [
        field({
          ...{ name: 'current', label: 'Current password', type: 'password', error: errorOf('current') },
          ...{ autocomplete: 'current-password', required: true },
        }),
        newPasswordField({
          label: 'New password',
          mistakes: mistakes.flatMap(({ field: at, message }) => (at === 'password' ? [{ field: at, message }] : [])),
        }),
        actions(button({ label: 'Change the password' }), linkButton('Cancel', '/settings/security')),
      ],
    }),
    settings.mail && html`<p class="muted"><a href="/forgot-password">Forgot your password?</a></p>`,
  )
  const lead = 'This signs you out of every other browser and ends your command lines.'
  return settingsPage({ ...frame, heading: 'Change your password', lead, main })
}

/** Offers to mail a link, so that only a person who can read the owner's mail can add a password to the account. */
function withoutPassword({ passwords, mail }: SignInSettings, csrf: string, account: OwnAccount): HtmlValue {
  const lead = html`<p class="lead">This account has no password: you sign in another way.</p>`
  if (!passwords || !mail) return lead
  const content = [
    hidden('email', account.email),
    html`<p>We can send you a link to choose a password.</p>`,
    actions(button({ label: 'Send the link' })),
  ]
  return card(lead, form({ action: '/forgot-password', csrf, content }))
}

type ChangedPage = { readonly brand: ShownBrand; readonly csrf: string; readonly account: OwnAccount }

function changedPage({ brand, csrf, account }: ChangedPage): string {
  const main = card(
    notice('Your password was changed. You were signed out of every other browser, and your command lines ended.'),
    actions(linkButton('Back to security', '/settings/security', 'primary')),
  )
  return settingsPage({ title: TITLE, tab: 'security', brand, person: account, csrf, main })
}
