import { recordAudit } from '#access/audit/index.ts'
import { liveOperator } from '#http/access.ts'
import { listOf, openCursor, page, pageSize } from '#http/pagination.ts'
import { rateLimited } from '#http/rate-limit.ts'
import { type OperationWords, type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { MailTokens } from '#mail/index.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import type { PlatformDatabase, PlatformTx } from '#system/postgres/database.ts'
import { resetFactors } from '../factors/change-factors.ts'
import { type PasswordNotices, queuePasswordNotice } from '../letters.ts'
import { type PasswordHasher, rejectBadPassword } from '../passwords.ts'
import type { SignInSettings } from '../settings.ts'
import { listSessions, type SessionRow } from '../sign-in/store.ts'
import { countHelp, forgetAttemptsOf, HELP_MAX, HELP_WINDOW_MINUTES } from '../sign-in/throttle.ts'
import { inviteToPlatform } from '../sign-up/sign-up.ts'
import { type AccountRow, type IssuedPurpose, listAccounts } from '../store.ts'
import {
  connectUser,
  disableAccount,
  enableAccount,
  endSessions,
  issueLink,
  openAccount,
  requireMayAdminister,
  setPassword,
  showAccount,
} from './administer.ts'
import {
  AccountEnvelope,
  AccountInvitationEnvelope,
  AccountLinkEnvelope,
  AccountRecord,
  EndedSessions,
  envelopeOf,
  InvitationBody,
  ListQuery,
  NewAccountBody,
  Params,
  PasswordBody,
  SessionList,
  SessionParams,
  UserBody,
  UserParams,
} from './schemas.ts'

export type AdministrationDeps = {
  readonly platform: PlatformDatabase
  readonly keys: Keyring
  readonly hasher: PasswordHasher
  readonly cursors: CursorSealer
  /** Our public address, known after the server has started to listen. */
  readonly origin: () => string
  readonly settings: SignInSettings
  readonly passwordNotices: PasswordNotices
  readonly mailTokens: MailTokens
  readonly platformName: string
}

/** An account signs in to both worlds, so operator keys of the test world can neither read nor change it. */
const COMMON = { alias: false, tag: 'Platform accounts', access: liveOperator('support', 'person') } as const

const shown = (account: AccountRow) => ({ status: 200 as const, body: envelopeOf(account) })

const CURSOR = { kind: 'accounts', version: 1 }

export function administrationRoutes(deps: AdministrationDeps): Route[] {
  const { platform, hasher, cursors } = deps
  return [
    route({
      ...COMMON,
      operation: 'listAccounts',
      method: 'GET',
      path: '/platform/accounts',
      summary: 'List or search accounts',
      description: 'Returns accounts, newest first; with `query`, only the accounts that it finds.',
      schema: { query: ListQuery, response: { 200: listOf(AccountRecord) } },
      handler: async ({ query }) => {
        const size = pageSize(query.per_page)
        const [before = null] = openCursor(cursors, CURSOR, query.cursor) ?? []
        const rows = await listAccounts(platform.reads, {
          before: before === null ? null : String(before),
          limit: size + 1,
          search: query.query ?? null,
        })
        const next = ({ id }: AccountRow) => cursors.seal(CURSOR, [id])
        return { status: 200, body: page({ rows, size, item: (row) => envelopeOf(row).data, next }) }
      },
    }),
    route({
      ...COMMON,
      operation: 'createAccount',
      method: 'POST',
      path: '/platform/accounts',
      summary: 'Create an account',
      description: 'Creates an account with which a person signs in.',
      schema: { body: NewAccountBody, response: { 201: AccountEnvelope } },
      platform: async ({ ptx, body, caller }) => {
        const { email, name, password, users = {} } = body
        if (password !== undefined) rejectBadPassword(password, [email, name, deps.platformName])
        // Hashed inside the transaction (about 30 ms), so that a repeated request returns its stored response before this line.
        const passwordHash = password === undefined ? null : await hasher.hash(password)
        const account = await openAccount(ptx, { email, name, passwordHash, users }, caller.actor)
        return { status: 201, body: envelopeOf(account) }
      },
    }),
    route({
      ...COMMON,
      operation: 'inviteToPlatform',
      method: 'POST',
      path: '/platform/accounts/invitations',
      summary: 'Invite a person to the platform',
      description:
        'Mails a link by which the person makes an account with this address, once, within 14 days. The link is returned as well.',
      schema: {
        body: InvitationBody,
        response: { 201: AccountInvitationEnvelope },
      },
      platform: async ({ ptx, body: { email }, caller }) => {
        const invited = { email, staffRole: null, actor: caller.actor }
        const { url, expires_at } = await inviteToPlatform(ptx, deps, invited)
        const data = { type: 'account_invitation' as const, attributes: { email, url, expires_at } }
        return { status: 201, body: { data } }
      },
    }),
    route({
      ...COMMON,
      operation: 'getAccount',
      method: 'GET',
      path: '/platform/accounts/:id',
      summary: 'Get an account',
      description: 'Returns an account with the users it is linked to.',
      schema: { params: Params, response: { 200: AccountEnvelope } },
      handler: async ({ params }) => shown(await showAccount(platform.reads, params.id)),
    }),
    route({
      ...COMMON,
      operation: 'linkAccountUser',
      method: 'PUT',
      path: '/platform/accounts/:id/users/:mode',
      summary: 'Link an account to a user',
      description: 'Links an account to its user in one world. The link cannot be changed afterwards.',
      schema: {
        params: UserParams,
        body: UserBody,
        response: { 200: AccountEnvelope },
      },
      platform: async ({ ptx, params: { id, mode }, body, caller }) => {
        await requireMayAdminister(ptx, id, caller)
        return shown(await connectUser(ptx, { account: id, world: mode, user: body.user }, caller.actor))
      },
    }),
    change(
      'disable',
      {
        summary: 'Disable an account',
        description: 'Disables an account. The person is signed out everywhere and cannot sign in.',
      },
      disableAccount,
    ),
    change(
      'enable',
      { summary: 'Enable an account', description: 'Lets a disabled account sign in again.' },
      enableAccount,
    ),
    route({
      ...COMMON,
      // The caller chooses the password, and so could sign in as the person.
      access: liveOperator('admin', 'person'),
      operation: 'setAccountPassword',
      method: 'PUT',
      path: '/platform/accounts/:id/password',
      summary: 'Set a password for an account',
      description:
        'Sets the password. Ends every session of the account, in browsers and on the command line, and every one-time link of the account.',
      schema: { params: Params, body: PasswordBody, response: { 200: AccountEnvelope } },
      platform: async ({ ptx, params: { id }, body, caller }) => {
        requirePasswords(deps.settings)
        const { email, name } = await showAccount(ptx, id)
        rejectBadPassword(body.password, [email, name, deps.platformName])
        await setPassword(ptx, id, { hash: await hasher.hash(body.password), actor: caller.actor })
        const account = await showAccount(ptx, id)
        await queuePasswordNotice(ptx, deps.passwordNotices, account)
        return shown(account)
      },
    }),
    route({
      ...COMMON,
      operation: 'resetAccountFactors',
      method: 'POST',
      path: '/platform/accounts/:id/factors/reset',
      summary: 'Reset the factors of an account',
      description:
        'Removes the authenticator app, the passkeys and the recovery codes of an account, for a person who lost them. Password and sessions stay. If a factor was removed, the person gets a mail. An account is reset or unlocked at most five times in 24 hours; a further request gets `429`, with `Retry-After`.',
      schema: { params: Params, response: { 200: AccountEnvelope } },
      platform: async ({ ptx, params: { id }, caller }) => {
        await requireMayAdminister(ptx, id, caller)
        await limitHelp(ptx, deps.keys, id)
        await resetFactors(ptx, { account: id, origin: deps.origin }, caller.actor)
        return shown(await showAccount(ptx, id))
      },
    }),
    route({
      ...COMMON,
      operation: 'unlockAccount',
      method: 'POST',
      path: '/platform/accounts/:id/unlock',
      summary: 'Unlock an account',
      description:
        'Forgets the wrong passwords and codes that were counted for an account, so that its owner can try again at once. The limit of a network address stays. An account is unlocked or reset at most five times in 24 hours; a further request gets `429`, with `Retry-After`.',
      schema: { params: Params, response: { 200: AccountEnvelope } },
      platform: async ({ ptx, params: { id }, caller }) => {
        const account = await requireMayAdminister(ptx, id, caller)
        await limitHelp(ptx, deps.keys, id)
        await forgetAttemptsOf(ptx, deps.keys('sign-in'), account)
        await recordAudit(ptx, { actor: caller.actor, action: 'account.unlocked', subject: id })
        return shown(account)
      },
    }),
    route({
      ...COMMON,
      operation: 'listAccountSessions',
      method: 'GET',
      path: '/platform/accounts/:id/sessions',
      summary: 'List an account’s sign-in sessions',
      description:
        'Returns the browsers in which the person signed in and the command lines that they allowed, the last used first.',
      schema: { params: Params, response: { 200: SessionList } },
      handler: async ({ params: { id } }) => {
        await showAccount(platform.reads, id)
        const rows = await listSessions(platform.reads, id, NO_SESSION)
        return { status: 200, body: { data: rows.map(sessionRecord) } }
      },
    }),
    route({
      ...COMMON,
      operation: 'endAccountSession',
      method: 'DELETE',
      path: '/platform/accounts/:id/sessions/:session_id',
      summary: 'End a sign-in session',
      description: 'Signs the person out of one browser, or ends one of their command lines.',
      schema: { params: SessionParams, response: { 200: EndedSessions } },
      platform: async ({ ptx, params: { id, session_id: session }, caller }) => {
        await requireMayAdminister(ptx, id, caller)
        return endedSessions(await endSessions(ptx, id, { session, actor: caller.actor }))
      },
    }),
    route({
      ...COMMON,
      operation: 'endAccountSessions',
      method: 'POST',
      path: '/platform/accounts/:id/sessions/end',
      summary: 'End all sign-in sessions',
      description: 'Signs the person out of every browser, and ends their command lines.',
      schema: { params: Params, response: { 200: EndedSessions } },
      platform: async ({ ptx, params: { id }, caller }) => {
        await requireMayAdminister(ptx, id, caller)
        return endedSessions(await endSessions(ptx, id, { session: null, actor: caller.actor }))
      },
    }),
    issue(deps, 'sign_in', {
      summary: 'Issue a one-time sign-in link',
      description: 'Returns a link that signs one browser in, once, within 15 minutes, by a button on its page.',
    }),
    issue(deps, 'set_password', {
      summary: 'Issue a one-time password link',
      description: 'Returns a link to a page where the person sets a password, once, within 24 hours.',
    }),
  ]
}

/** The count is in the transaction of the change, so that a change that fails is not counted. */
async function limitHelp(tx: PlatformTx, keys: Keyring, account: Id<'account'>): Promise<void> {
  const wait = await countHelp(tx, keys('sign-in'), account)
  if (wait === null) return
  const resetAt = Math.ceil(Date.now() / 1_000) + wait
  throw rateLimited(
    { limit: HELP_MAX, periodSeconds: HELP_WINDOW_MINUTES * 60, retryAfterSeconds: wait, resetAt },
    `This account was unlocked or its factors were reset ${HELP_MAX} times in 24 hours. Check whether an attacker tries to get in.`,
    { 'Retry-After': String(wait) },
  )
}

/** Passed instead of the caller's own session: an operator who lists the sessions of an account has no session in that list. */
const NO_SESSION = Buffer.alloc(0)

const sessionRecord = ({ id, kind, device, created_at, seen_at }: SessionRow) => ({
  ...{ id, type: 'sign_in_session' as const },
  attributes: { kind, device, created_at, seen_at },
})

const endedSessions = (ended: number) => ({
  status: 200 as const,
  body: { data: { type: 'ended_sessions' as const, attributes: { ended } } },
})

function issue({ origin, settings }: AdministrationDeps, purpose: IssuedPurpose, words: OperationWords): Route {
  return route({
    ...COMMON,
    operation: purpose === 'sign_in' ? 'issueSignInLink' : 'issuePasswordLink',
    method: 'POST',
    path: `/platform/accounts/:id/${purpose === 'sign_in' ? 'sign_in_link' : 'password_link'}`,
    ...words,
    schema: { params: Params, response: { 201: AccountLinkEnvelope } },
    platform: async ({ ptx, params: { id }, caller }) => {
      if (purpose === 'set_password') requirePasswords(settings)
      await requireMayAdminister(ptx, id, caller)
      const { path, expires_at } = await issueLink(ptx, id, { purpose, actor: caller.actor })
      const attributes = { account: id, purpose, url: origin() + path, expires_at }
      return { status: 201, body: { data: { type: 'account_link' as const, attributes } } }
    },
  })
}

function requirePasswords({ passwords }: SignInSettings): void {
  if (passwords) return
  throw new ApiError('forbidden', {
    public: 'People do not sign in with passwords here.',
    remediation: 'Set PORTICO_PASSWORD_SIGN_IN=on, or issue a one-time sign-in link instead.',
  })
}

type Change = (tx: PlatformTx, id: Id<'account'>, actor: string) => Promise<AccountRow>

function change(verb: 'disable' | 'enable', words: OperationWords, useCase: Change): Route {
  return route({
    ...COMMON,
    operation: `${verb}Account`,
    method: 'POST',
    path: `/platform/accounts/:id/${verb}`,
    ...words,
    schema: { params: Params, response: { 200: AccountEnvelope } },
    platform: async ({ ptx, params, caller }) => {
      await requireMayAdminister(ptx, params.id, caller)
      return shown(await useCase(ptx, params.id, caller.actor))
    },
  })
}
