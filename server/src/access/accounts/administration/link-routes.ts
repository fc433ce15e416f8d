import { Type } from 'typebox'
import { recordAudit } from '#access/audit/index.ts'
import { visitor } from '#http/access.ts'
import type { Browser } from '#http/browser/cookies.ts'
import { type Route, route } from '#http/route.ts'
import type { Id } from '#kernel/ids.ts'
import { card } from '#pages/blocks.ts'
import { actions, button, errorSummary, form, linkButton } from '#pages/elements.ts'
import { html } from '#pages/html.ts'
import { page } from '#pages/layout.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import { type FieldMistake, newPasswordField, passwordMistake } from '../account-fields.ts'
import { type PasswordNotices, queuePasswordNotice } from '../letters.ts'
import type { PasswordHash, PasswordHasher } from '../passwords.ts'
import type { SignInSettings } from '../settings.ts'
import { type Origin, passFirstStep, type SignInResponses } from '../sign-in/complete-sign-in.ts'
import { DEFAULT_RETURN_TO } from '../sign-in/return-to.ts'
import type { DeviceCookies } from '../sign-in/sign-ins.ts'
import { findLink, type LinkInForce, useLink } from '../store.ts'
import { LINK_PATH, setPassword } from './administer.ts'

export type LinkRouteDeps = Origin & {
  readonly platform: PlatformDatabase
  readonly hasher: PasswordHasher
  readonly brand: ShownBrand
  readonly deviceCookies: DeviceCookies
  readonly platformName: string
  readonly passwordNotices: PasswordNotices
  readonly signInResponses: SignInResponses
  readonly settings: SignInSettings
}

const COMMON = {
  alias: false,
  tag: 'Pages',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  path: `${LINK_PATH}/:token`,
  access: visitor('A person who was given a link has not signed in yet.'),
} as const

const Params = Type.Object({ token: Type.String() })
const TOKEN = /^[A-Za-z0-9_-]{43}$/
const Page = Type.String()
const PasswordForm = Type.Object({ password: Type.Optional(Type.String()) })

export function linkRoutes(deps: LinkRouteDeps): Route[] {
  const { platform, hasher, brand, deviceCookies, signInResponses } = deps
  const find = async (token: string) => (TOKEN.test(token) ? findLink(platform.reads, digestOf(token)) : null)
  const dead = (requestId: string) => ({
    status: 410 as const,
    body: deadLinkPage({ brand, requestId, settings: deps.settings }),
  })
  const show = (link: LinkInForce, token: string, browser: Browser, mistakes: LinkPageParts['mistakes'] = []) =>
    linkPage({ brand, csrf: browser.csrf, action: `${LINK_PATH}/${token}`, link, mistakes })
  const mistakesOf = (password: string, { purpose, name, email }: LinkInForce) =>
    purpose === 'sign_in' ? [] : passwordMistake(password, [name, email, deps.platformName])
  return [
    route({
      ...COMMON,
      operation: 'showAccountLink',
      method: 'GET',
      summary: 'Show a one-time link',
      description:
        'Shows the page of a link that an operator issued, or that a person asked for. Showing the page does not use the link.',
      schema: { params: Params, response: { 200: Page, 410: Page } },
      handler: async ({ params: { token }, browser, requestId }) => {
        const link = await find(token)
        return link === null ? dead(requestId) : { status: 200, body: show(link, token, browser) }
      },
    }),
    route({
      ...COMMON,
      operation: 'useAccountLink',
      method: 'POST',
      accepts: ['application/x-www-form-urlencoded'],
      summary: 'Use a one-time link',
      description:
        'Uses the link. A sign-in link signs this browser in. A password link of an operator sets the password and signs this browser in. A link for a forgotten password only sets the password. An account with a second factor is asked for it before the browser is signed in.',
      schema: { params: Params, body: PasswordForm, response: { 200: Page, 303: Type.Null(), 410: Page, 422: Page } },
      // A `handler`, not a `transaction`: hashing a password is slow, and the transaction would stay open during it.
      handler: async ({ params: { token }, browser, body, header, requestId }) => {
        const link = await find(token)
        if (link === null) return dead(requestId)
        const { password = '' } = body
        const mistakes = mistakesOf(password, link)
        if (mistakes.length > 0) return { status: 422, body: show(link, token, browser, mistakes) }
        const hash = link.purpose === 'sign_in' ? null : await hasher.hash(password)
        // A reset link proves only access to the mailbox, so it opens no session: the person signs in, with the second factor if
        // the account has one.
        if (link.purpose === 'reset_password') {
          const account = await platform.transaction((tx) => takeLink(tx, deps, { token, link, hash }))
          return account === null ? dead(requestId) : { status: 200, body: passwordSetPage({ brand }) }
        }
        const devices = deviceCookies.read(header('cookie'))
        const from = { cookieBefore: browser.cookieValue, devices, userAgent: header('user-agent') }
        // A link replaces the password, not the second factor. If a factor is lost, the operator resets the factors first.
        const outcome = await platform.transaction(async (tx) => {
          const account = await takeLink(tx, deps, { token, link, hash })
          return account === null ? null : passFirstStep(tx, deps, { account, ...from })
        })
        if (outcome === null) return dead(requestId)
        return { status: 303, body: null, headers: signInResponses.headers(outcome, browser, DEFAULT_RETURN_TO) }
      },
    }),
  ]
}

type Taking = { readonly token: string; readonly link: LinkInForce; readonly hash: PasswordHash | null }

/** Null if another request used the link first, or if the link has expired meanwhile. */
async function takeLink(
  tx: PlatformTx,
  { passwordNotices }: LinkRouteDeps,
  { token, link, hash }: Taking,
): Promise<Id<'account'> | null> {
  const account = await useLink(tx, digestOf(token), link.purpose)
  if (account === null) return null
  await recordAudit(tx, { actor: account, action: `account.${link.purpose}_link_used`, subject: account })
  if (hash !== null) {
    await setPassword(tx, account, { hash, actor: account })
    await queuePasswordNotice(tx, passwordNotices, link)
  }
  return account
}

type LinkPageParts = {
  readonly brand: ShownBrand
  readonly csrf: string
  /** The address of this page; the browser sends the form to it. */
  readonly action: string
  readonly link: LinkInForce
  readonly mistakes?: readonly FieldMistake[]
}

/** Opening a link changes nothing: mail scanners open links, and only a person presses the button. */
function linkPage(parts: LinkPageParts): string {
  return parts.link.purpose === 'sign_in' ? signInLinkPage(parts) : passwordLinkPage(parts)
}

function signInLinkPage({ brand, csrf, action, link }: LinkPageParts): string {
  const name = brandName(brand)
  const main = card(
    html`<h1>Sign in to ${name}</h1>`,
    html`<p class="lead">This link signs this browser in as <strong><bdi>${link.name}</bdi></strong> (${link.email}). It works once.</p>`,
    form({ action, csrf, content: actions(button({ label: `Sign in as ${link.name}` })) }),
    html`<p class="muted">Press the button only if you asked for this link.</p>`,
  )
  return page({ title: 'Sign in', brand, main })
}

function passwordLinkPage({ brand, csrf, action, link, mistakes = [] }: LinkPageParts): string {
  const fields = [newPasswordField({ label: 'New password', mistakes }), actions(button({ label: 'Set the password' }))]
  const main = card(
    html`<h1>Set a password</h1>`,
    errorSummary(mistakes, 'The password was not set'),
    html`<p class="lead">For the account of <strong><bdi>${link.name}</bdi></strong> (${link.email}). This signs every browser out of this account and ends its command lines.</p>`,
    form({ action, csrf, content: fields }),
  )
  return page({ title: 'Set a password', brand, main })
}

function passwordSetPage({ brand }: { readonly brand: ShownBrand }): string {
  const title = 'Your password was changed'
  const main = card(
    html`<h1>${title}</h1><p>Every browser was signed out of your account, and your command lines ended. Sign in with the new password.</p>`,
    actions(linkButton('Go to sign-in', '/sign-in', 'primary')),
  )
  return page({ title, brand, main })
}

type DeadLink = { readonly brand: ShownBrand; readonly requestId: string; readonly settings: SignInSettings }

function deadLinkPage({ brand, requestId, settings }: DeadLink): string {
  const title = 'This link no longer works'
  const canReset = settings.passwords && settings.mail
  const main = card(
    html`<h1>${title}</h1><p>It was used before, has expired, or was replaced by a newer one.</p><p>Sign in as usual, or ask for a new link.</p>`,
    actions(
      linkButton('Go to sign-in', '/sign-in', 'primary'),
      canReset && linkButton('Send me a new password link', '/forgot-password'),
    ),
    html`<p class="request-id">Request <code>${requestId}</code></p>`,
  )
  return page({ title, brand, main })
}
