import { Type } from 'typebox'
import {
  type FieldMistake,
  firstPasskey,
  firstRecoveryCodesPage,
  type MadePasskey,
  nameMistake,
  offerSignUpPasskey,
  PASSKEY_NOT_VERIFIED,
  passwordMistake,
  typed,
  verifySignUpPasskey,
} from '#access/accounts/http.ts'
import {
  type DeviceCookies,
  deviceLabel,
  openVerifiedAccount,
  type Passkeys,
  type PasswordHasher,
  type SignInSettings,
} from '#access/accounts/index.ts'
import { acceptInvitation, declineInvitation } from '#access/organizations/http.ts'
import {
  findInvitationByLink,
  INVITATION_PATH,
  isAddressedTo,
  isValidInvitation,
  type LinkedInvitation,
  lockOrganization,
} from '#access/organizations/index.ts'
import { signedIn, visitor } from '#http/access.ts'
import type { Browser } from '#http/browser/cookies.ts'
import { type ResponseHeaders, type Route, route } from '#http/route.ts'
import { pagePolicy } from '#http/security-headers.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import { digestOf } from '#system/crypto/secret.ts'
import type { PlatformDatabase, PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { deadInvitationPage, type InvitationPageParts, invitationPage } from './invitation-page.ts'

export type InvitationPageDeps = {
  readonly platform: PlatformDatabase
  readonly hasher: PasswordHasher
  readonly deviceCookies: DeviceCookies
  readonly brand: ShownBrand
  readonly platformName: string
  readonly settings: SignInSettings
  readonly passkeys: Passkeys
}

const COMMON = {
  alias: false,
  tag: 'Pages',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
} as const

const Page = Type.String()
const NoBody = Type.Null()
const Text = Type.Optional(Type.String())
const Params = Type.Object({ token: Type.String() })
const TOKEN = /^[A-Za-z0-9_-]{43}$/
const AFTERWARDS = '/settings/organizations'

/** The page that the link in a team invitation's mail opens, and the routes of the page's forms. */
export function invitationPageRoutes(deps: InvitationPageDeps): Route[] {
  const { platform, brand } = deps
  const dead = (requestId: string) => ({ status: 410 as const, body: deadInvitationPage({ brand, requestId }) })
  const show = async (
    { token, browser, caller }: Opened,
    { invitation, ...more }: Pick<InvitationPageParts, 'invitation' | 'name' | 'mistakes'>,
  ) => {
    const asksAccount = caller === null && !invitation.has_account && mayBeMade(deps)
    const person = { email: invitation.email, name: null }
    const signUp = asksAccount && {
      password: deps.settings.passwords,
      passkey: await offerSignUpPasskey(deps.passkeys, person, browser.csrf),
    }
    const parts = { brand, csrf: browser.csrf, caller, path: `${INVITATION_PATH}/${token}`, invitation, ...more }
    const body = invitationPage({ ...parts, signUp: signUp === false ? null : signUp })
    const hasScript = signUp !== false && signUp.passkey !== null
    return hasScript ? { body, headers: { 'Content-Security-Policy': pagePolicy({ scripts: true }) } } : { body }
  }
  return [
    route({
      ...COMMON,
      operation: 'showTeamInvitation',
      method: 'GET',
      path: `${INVITATION_PATH}/:token`,
      summary: 'Show a team invitation',
      description:
        'Shows the invitation to a person who opens the link in its mail. Opening the page does not accept the invitation.',
      access: visitor('An invited person may have no account yet.'),
      schema: { params: Params, response: { 200: Page, 410: Page } },
      handler: async ({ params: { token }, browser, caller, requestId }) => {
        const invitation = await find(platform.reads, token)
        if (invitation === null) return dead(requestId)
        return { status: 200, ...(await show({ token, browser, caller }, { invitation })) }
      },
    }),
    route({
      ...COMMON,
      operation: 'answerTeamInvitation',
      method: 'POST',
      path: `${INVITATION_PATH}/:token`,
      accepts: ['application/x-www-form-urlencoded'],
      summary: 'Accept or decline an invitation',
      description: 'Submits the answer of the signed-in person whose address was invited.',
      access: signedIn(),
      schema: {
        params: Params,
        body: Type.Object({ decision: Type.Enum(['accept', 'decline'], { type: 'string' }) }),
        response: { 303: NoBody, 403: Page, 410: Page },
      },
      handler: async ({ params: { token }, body, browser, caller, requestId }) => {
        const { invitation, isAnswered } = await platform.transaction((tx) => answer(tx, token, { ...body, caller }))
        if (invitation === null) return dead(requestId)
        if (isAnswered) return { status: 303, body: null, headers: { Location: AFTERWARDS } }
        return { status: 403, ...(await show({ token, browser, caller }, { invitation })) }
      },
    }),
    signUpRoute(deps, { dead, show }),
  ]
}

type Opened = { readonly token: string; readonly browser: Browser; readonly caller: AccountCaller | null }

type Answer = { readonly decision: string; readonly caller: AccountCaller }

/** Another person's answer changes nothing. */
async function answer(tx: PlatformTx, token: string, { decision, caller }: Answer) {
  const invitation = await lock(tx, token)
  if (invitation === null || !isAddressedTo(invitation, caller.email)) return { invitation, isAnswered: false }
  const place = { organization: invitation.organization_id, account: caller.accountId }
  await (decision === 'accept' ? acceptInvitation : declineInvitation)(tx, place)
  return { invitation, isAnswered: true }
}

type Shared = {
  dead(requestId: string): { status: 410; body: string }
  show(
    opened: Opened,
    parts: Pick<InvitationPageParts, 'invitation' | 'name' | 'mistakes'>,
  ): Promise<{ body: string; headers?: ResponseHeaders }>
}

/** The link proves the address, so the account is created without a second mail and joins the team at once. */
function signUpRoute(deps: InvitationPageDeps, { dead, show }: Shared): Route {
  const { platform, hasher, deviceCookies, passkeys, brand } = deps
  return route({
    ...COMMON,
    operation: 'signUpByTeamInvitation',
    method: 'POST',
    path: `${INVITATION_PATH}/:token/sign-up`,
    accepts: ['application/x-www-form-urlencoded'],
    summary: 'Create an account by invitation',
    description: 'Creates the account of the invited address, accepts the invitation and signs this browser in.',
    access: visitor('An invited person may have no account yet.'),
    schema: {
      params: Params,
      body: Type.Object({ name: Text, password: Text, account: Text, ticket: Text, credential: Text }),
      response: { 200: Page, 303: NoBody, 409: Page, 410: Page, 422: Page },
    },
    // The password is hashed before the transaction begins, because hashing is slow and would keep the transaction open.
    handler: async ({ params: { token }, body, browser, caller, header, requestId }) => {
      const invitation = await find(platform.reads, token)
      if (invitation === null || !mayBeMade(deps)) return dead(requestId)
      const [name, password] = [typed(body.name), body.password ?? '']
      const again = (mistakes: readonly FieldMistake[]) =>
        show({ token, browser, caller }, { invitation, name, mistakes })
      const made = await verifySignUpPasskey(passkeys, body, browser.csrf)
      const about = [name, invitation.email, deps.platformName]
      const mistakes = [...nameMistake(name), ...credentialMistakes(deps, made, { password, about })]
      if (mistakes.length > 0) return { status: 422, ...(await again(mistakes)) }
      const userAgent = header('user-agent')
      const passkey = firstPasskey(made, deviceLabel(userAgent))
      const passwordHash = passkey === null ? await hasher.hash(password) : null
      const devices = deviceCookies.read(header('cookie'))
      const outcome = await platform.transaction(async (tx) => {
        const lockedInvitation = await lock(tx, token)
        if (lockedInvitation === null) return null
        const made = await openVerifiedAccount(
          tx,
          {
            ...{ email: lockedInvitation.email, name, passwordHash, passkey, staffRole: null },
            details: { by: 'team_invitation', organization: lockedInvitation.organization_id },
          },
          { cookieBefore: browser.cookieValue, devices, userAgent },
        )
        if (made.kind === 'signed_in') {
          await acceptInvitation(tx, { organization: lockedInvitation.organization_id, account: made.account })
        }
        return made
      })
      if (outcome === null) return dead(requestId)
      if (outcome.kind === 'has_account') {
        return {
          status: 409,
          ...(await again([{ message: 'This address has an account by now. Sign in to answer.' }])),
        }
      }
      const cookies = [browser.setCookie(outcome.cookieValue), deviceCookies.write(outcome.devices)]
      return welcome(outcome, cookies, brand)
    },
  })
}

/** Redirects to the organizations. If the new account has recovery codes, a page shows them first, only once. */
function welcome({ codes }: { readonly codes?: readonly string[] }, cookies: readonly string[], brand: ShownBrand) {
  const headers = { 'Set-Cookie': cookies }
  if (codes === undefined) return { status: 303 as const, body: null, headers: { ...headers, Location: AFTERWARDS } }
  return { status: 200 as const, body: firstRecoveryCodesPage({ brand, codes, next: AFTERWARDS }), headers }
}

/**
 * Whether a person can create an account here, with a password or a passkey. A person who uses an OpenID Connect provider signs
 * in there first.
 */
const mayBeMade = ({ settings, passkeys }: Pick<InvitationPageDeps, 'settings' | 'passkeys'>) =>
  settings.signUp !== 'closed' && (settings.passwords || passkeys.unavailable() === null)

type Chosen = { readonly password: string; readonly about: readonly string[] }

/** If the service accepts no passwords, the form needs a passkey. */
function credentialMistakes({ settings }: InvitationPageDeps, made: MadePasskey, { password, about }: Chosen) {
  if (made === 'none' && settings.passwords) return passwordMistake(password, about)
  return made === 'none' || made === 'not_verified' ? [PASSKEY_NOT_VERIFIED] : []
}

async function find(queries: PlatformQueries, token: string): Promise<LinkedInvitation | null> {
  const invitation = TOKEN.test(token) ? await findInvitationByLink(queries, digestOf(token)) : null
  return invitation !== null && invitation.organization_state === 'active' && isValidInvitation(invitation)
    ? invitation
    : null
}

/** Of two concurrent answers, the second waits for the organization's lock and then finds no invitation. */
async function lock(tx: PlatformTx, token: string): Promise<LinkedInvitation | null> {
  const seen = await find(tx, token)
  if (seen === null) return null
  await lockOrganization(tx, seen.organization_id)
  return find(tx, token)
}
