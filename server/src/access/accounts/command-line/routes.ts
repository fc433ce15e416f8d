import { Type } from 'typebox'
import { open, recentlyProven, signedIn } from '#http/access.ts'
import type { Browser } from '#http/browser/cookies.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, nullable } from '#http/schema-fields.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import { away } from '#pages/hosted-page.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import { withParameters } from '#pages/return-place.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { rowId } from '../factors/passkey-routes.ts'
import { deleteSession } from '../sign-in/store.ts'
import { allowPage, confirmedPage, confirmPage, unreadablePage } from './pages.ts'
import {
  addressOf,
  allowCommandLine,
  COMMAND_LINE_PATH,
  CONFIRM_PATH,
  readRequest,
  startCommandLine,
} from './sessions.ts'
import { findDevice, findOwnSession, proveCommandLine } from './store.ts'

type CommandLineDeps = {
  readonly platform: PlatformDatabase
  readonly origin: () => string
  readonly brand: ShownBrand
}

const Page = Type.String()
const NoBody = Type.Null()
const PAGES = {
  alias: false,
  tag: 'Pages',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  // An allowed command line can act for the person, so allowing it needs a recent proof, as adding a factor does.
  access: recentlyProven(),
} as const
const FORM = ['application/x-www-form-urlencoded'] as const

const text = (description: string) => Type.Optional(Type.String({ description }))
const RequestQuery = Type.Object({
  redirect_uri: text('`http://127.0.0.1:PORT/callback`, with any port.'),
  state: text('Comes back unchanged: 16 to 200 letters, digits and `._~-`.'),
  code_challenge: text('PKCE: the verifier’s SHA-256 in base64url.'),
  code_challenge_method: text('`S256`.'),
  device: text('The name of the computer, shown to the person.'),
})
const SessionQuery = Type.Object({ session: Type.String() })

type Visit = { readonly caller: AccountCaller; readonly browser: Browser; readonly requestId: string }

/** A person allows a command line to act for them, and confirms their identity for it later. */
export function commandLineRoutes(deps: CommandLineDeps): Route[] {
  return [...allowRoutes(deps), ...confirmRoutes(deps), ...sessionRoutes(deps)]
}

const frameOf = ({ brand }: CommandLineDeps, { caller, browser, requestId }: Visit, address: string) => ({
  ...{ brand, person: caller, csrf: browser.csrf, address, requestId },
})

function allowRoutes(deps: CommandLineDeps): Route[] {
  const { platform } = deps
  const rejected = (visit: Visit) => unreadablePage(frameOf(deps, visit, COMMAND_LINE_PATH))
  return [
    route({
      ...PAGES,
      operation: 'showCommandLine',
      method: 'GET',
      path: COMMAND_LINE_PATH,
      summary: 'Show the command line’s request',
      description: 'Shows the page on which a person allows a command line to act for them.',
      schema: { query: RequestQuery, response: { 200: Page, 400: Page } },
      handler: async ({ query, ...visit }) => {
        const wanted = readRequest(query)
        return wanted === null ? rejected(visit) : allowPage(frameOf(deps, visit, addressOf(wanted)), wanted)
      },
    }),
    route({
      ...PAGES,
      operation: 'decideCommandLine',
      method: 'POST',
      path: COMMAND_LINE_PATH,
      accepts: FORM,
      summary: 'Submit the person’s decision',
      description: 'Redirects to the command line on the same computer, with a code or with a refusal.',
      schema: {
        query: RequestQuery,
        body: Type.Object({ decision: Type.Union([Type.Literal('allow'), Type.Literal('decline')]) }),
        response: { 303: NoBody, 400: Page },
      },
      handler: async ({ query, body, ...visit }) => {
        const wanted = readRequest(query)
        if (wanted === null) return rejected(visit)
        const { redirectUri, state } = wanted
        const result =
          body.decision === 'decline'
            ? { error: 'access_denied' }
            : { code: await platform.transaction((tx) => allowCommandLine(tx, visit.caller, wanted)) }
        return away(withParameters(redirectUri, new URLSearchParams({ ...result, state })))
      },
    }),
  ]
}

function confirmRoutes(deps: CommandLineDeps): Route[] {
  const { platform } = deps
  const ended = () => notFound('not a command line of this person')
  const common = { ...PAGES, path: CONFIRM_PATH }
  const around = (visit: Visit, session: string) => frameOf(deps, visit, `${CONFIRM_PATH}?session=${session}`)
  return [
    route({
      ...common,
      operation: 'showCommandLineConfirmation',
      method: 'GET',
      summary: 'Show the command line’s confirmation',
      description: 'Shows the page on which a person confirms that they use their command line right now.',
      schema: { query: SessionQuery, response: { 200: Page } },
      handler: async ({ query, ...visit }) => {
        const session = rowId(query.session)
        const device = await findDevice(platform.reads, visit.caller.accountId, session)
        if (device === null) throw ended()
        return confirmPage(around(visit, session), { session, device })
      },
    }),
    route({
      ...common,
      operation: 'confirmCommandLine',
      method: 'POST',
      accepts: FORM,
      summary: 'Confirm the command line',
      description: 'Gives a command line of the person the recent proof of this browser.',
      schema: { body: SessionQuery, response: { 200: Page } },
      platform: async ({ ptx, body, ...visit }) => {
        const id = rowId(body.session)
        const { accountId: account, sessionHash: browserSession } = visit.caller
        const device = await findDevice(ptx, account, id)
        if (device === null || !(await proveCommandLine(ptx, { account, id, browserSession }))) throw ended()
        return confirmedPage(around(visit, id), device)
      },
    }),
  ]
}

const PORTAL = { tag: 'Portal', alias: false, path: '/portal/api/session' } as const

const NewSessionBody = exactly({
  access_token: Type.String({ description: '`portico_cli_…`, shown once.' }),
  token_type: Type.Literal('bearer'),
  expires_in: Type.Integer({ description: 'Seconds without a use after which the session ends.' }),
  expires_at: Type.String({ format: 'date-time' }),
  device: Type.String(),
})

const SessionBody = exactly({
  data: exactly({
    type: Type.Literal('session'),
    attributes: exactly({
      kind: Type.Union([Type.Literal('browser'), Type.Literal('command_line')]),
      device: nullable(Type.String()),
      created_at: Type.String({ format: 'date-time' }),
      last_used_at: Type.String({ format: 'date-time', description: 'Recorded at most every five minutes.' }),
      expires_at: Type.String({ format: 'date-time' }),
    }),
  }),
})

function sessionRoutes({ platform, origin }: CommandLineDeps): Route[] {
  return [
    route({
      ...PORTAL,
      operation: 'createCommandLineSession',
      method: 'POST',
      summary: 'Start a command-line session',
      description:
        'Exchanges the code that the page /command-line sent to the loopback address for a bearer token. A code works once, for 60 seconds, with the verifier of its PKCE challenge; a wrong verifier ends it.',
      access: open('The code and its verifier are the credential.'),
      errors: [400],
      schema: {
        body: exactly({
          code: Type.String({ maxLength: 200 }),
          code_verifier: Type.String({ maxLength: 200 }),
        }),
        response: { 200: NewSessionBody },
      },
      handler: async ({ body }) => {
        const attempt = { code: body.code, verifier: body.code_verifier }
        const started = await platform.transaction((tx) => startCommandLine(tx, { origin }, attempt))
        if (started === null) throw refusedCode()
        const { token, ...rest } = started
        return { status: 200, body: { access_token: token, token_type: 'bearer' as const, ...rest } }
      },
    }),
    route({
      ...PORTAL,
      operation: 'readOwnSession',
      method: 'GET',
      summary: 'Get your session',
      description: 'Returns the session that this request belongs to: a browser’s or a command line’s.',
      access: signedIn(),
      schema: { response: { 200: SessionBody } },
      handler: async ({ caller }) => {
        const own = await findOwnSession(platform.reads, caller.sessionHash)
        if (own === null) throw notFound('ended meanwhile')
        const { seen_at: last_used_at, ...rest } = own
        return { status: 200, body: { data: { type: 'session' as const, attributes: { ...rest, last_used_at } } } }
      },
    }),
    route({
      ...PORTAL,
      operation: 'endOwnSession',
      method: 'DELETE',
      summary: 'End your session',
      description: 'Ends the session that this request belongs to.',
      access: signedIn(),
      schema: { response: { 204: Type.Null() } },
      platform: async ({ ptx, caller }) => {
        await deleteSession(ptx, caller.sessionHash)
        return { status: 204, body: null }
      },
    }),
  ]
}

/** One response for every mistake, so that it tells a guesser nothing. */
function refusedCode(): ApiError {
  return new ApiError('invalid_request', {
    public: 'This code is unknown, used or expired, or the verifier does not belong to it.',
    remediation: 'Run portico login again.',
  })
}
