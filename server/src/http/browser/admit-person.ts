import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '#kernel/errors.ts'
import type { Access } from '../access.ts'
import { sentBearer } from '../authenticate.ts'
import type { Edge, ServedRoute } from '../edge.ts'
import { type Exchange, headerOf, setVersion } from '../exchange.ts'
import type { Route } from '../route.ts'
import { send } from '../send-response.ts'
import { resolveVersion } from '../versions.ts'
import { type Browser, csrfToken, readCookie, sessionCookie } from './cookies.ts'
import { changesNothing, requireOwnOrigin } from './own-form.ts'
import {
  confirmAddress,
  keepForm,
  keepFormAddress,
  localAddress,
  openForm,
  SEALED_FORM_PATH,
  signInAddress,
} from './return-to.ts'

/**
 * Like `admit`, for people in a browser: checks rate limits, the origin and the sign-in. Resolves to false if the response has
 * been sent.
 */
export async function admitPerson(edge: Edge, { route, limiter }: ServedRoute, exchange: Exchange): Promise<boolean> {
  const { access, errorsAs } = route
  const { headers, request } = exchange
  const takesBearer = servesCommandLines(route)
  headers['vary'] = takesBearer ? 'Authorization, Cookie' : 'Cookie'
  const counted = limiter?.({ address: edge.addressOf(request), credential: null, params: exchange.params })
  await counted?.answered
  counted?.requireAllowed()
  requireOwnOrigin(edge, exchange)
  if (takesBearer && sendsBearer(request.headers)) return admitCommandLine(edge, exchange, access)
  const cookieValue = readCookie(edge.settings, request.headers.cookie)
  const caller = cookieValue === null ? null : ((await edge.ports.signIns?.find(cookieValue)) ?? null)
  exchange.caller = caller
  exchange.browser = browserOf(edge, cookieValue, changesNothing(exchange) ? exchange : null)
  readVersion(edge, exchange)
  if (access.kind !== 'session') return true
  if (caller === null && access.required) {
    if (errorsAs !== 'page') throw notSignedIn()
    return sendTo(edge, exchange, signInAddress(returnAddress(edge, exchange)))
  }
  if (access.recentProof === true && caller !== null && caller.provenSecondsAgo > edge.settings.proofSeconds) {
    if (errorsAs !== 'page') throw proofNeeded(confirmAddress(null))
    return sendToConfirm(edge, exchange)
  }
  return true
}

/**
 * Admits a person's command line by its bearer token. There is no CSRF check, because browsers never send a bearer token by
 * themselves.
 */
async function admitCommandLine(edge: Edge, exchange: Exchange, access: Access): Promise<true> {
  const { ports, settings } = edge
  const bearer = sentBearer(exchange.request.headers.authorization)
  const person = bearer === null ? null : ((await ports.signIns?.findCommandLine?.(bearer)) ?? null)
  if (person === null) throw endedCommandLine()
  const { caller, confirmUrl } = person
  exchange.caller = caller
  exchange.browser = NO_BROWSER
  exchange.isCommandLine = true
  readVersion(edge, exchange)
  const needsProof = access.kind === 'session' && access.recentProof === true
  if (needsProof && caller.provenSecondsAgo > settings.proofSeconds) throw proofNeeded(confirmUrl)
  return true
}

function readVersion(edge: Edge, exchange: Exchange): void {
  const header = headerOf(exchange, edge.versionHeader)
  setVersion(edge, exchange, resolveVersion({ headerName: edge.names.version, header, pinned: undefined }))
}

/**
 * A form must not be lost while its sender confirms their identity. So a 307 makes the browser post the form to a
 * confirmation page. The confirmation pages contain the form, sealed, in a hidden field.
 */
function sendToConfirm(edge: Edge, exchange: Exchange): false {
  const returnTo = returnAddress(edge, exchange)
  const isForm = !changesNothing(exchange) && edge.pathAt(SEALED_FORM_PATH) !== null
  if (!isForm) return sendTo(edge, exchange, confirmAddress(returnTo))
  return sendTo(edge, exchange, keepFormAddress(exchange.target.path, returnTo), 307)
}

function sendTo(edge: Edge, exchange: Exchange, location: string, status: 303 | 307 = 303): false {
  send(edge, exchange, { status, headers: { ...exchange.headers, location }, body: null })
  return false
}

/** A browser without a cookie gets one with the page, because the form's CSRF token depends on it. */
function browserOf({ settings, ports }: Edge, sentCookie: string | null, exchange: Exchange | null): Browser {
  if (ports.csrfKeys === undefined) throw new Error('no key to make CSRF tokens with')
  const value = sentCookie ?? randomBytes(32).toString('base64url')
  if (sentCookie === null && exchange !== null) exchange.headers['set-cookie'] = sessionCookie(settings, value)
  return {
    csrf: csrfToken(ports.csrfKeys, value),
    cookieValue: sentCookie,
    setCookie: (another) => sessionCookie(settings, another),
    keepForm: (path, fields) => keepForm(ports, { cookieValue: value, path }, fields),
    keepsForm: (path, sealed) => openForm(ports, { cookieValue: value, path }, sealed) !== null,
  }
}

/**
 * Where the person returns to. If the address of a form does not support GET, the person returns to the page with the
 * form and fills it in again.
 */
function returnAddress({ pathAt }: Edge, { request }: Exchange): string | null {
  const address = localAddress(request.url)
  const path = address?.split(/[?#]/, 1)[0] ?? ''
  if (pathAt(path)?.methods.includes('GET') === true) return address
  return pageOf(request)
}

/** The path of our page with the form, from Referer, which browsers send to our own origin (`Referrer-Policy: same-origin`). */
function pageOf({ headers: { referer = '', host } }: Exchange['request']): string | null {
  const url = URL.parse(referer)
  return url === null || url.host !== host ? null : localAddress(url.pathname + url.search)
}

function notSignedIn(): ApiError {
  return new ApiError('invalid_token', {
    public: 'No person is signed in with this browser.',
    remediation: 'Sign in at /sign-in',
  })
}

/** The person confirms their identity at `details.confirm_url`; then the client sends the request again. */
function proofNeeded(confirmUrl: string): ApiError {
  return new ApiError('forbidden', {
    public: 'This needs a recent confirmation that it is you.',
    remediation: `Open ${confirmUrl} in your browser, confirm who you are there, then send the request again.`,
    details: { reason: 'recent_proof_required', confirm_url: confirmUrl },
    internal: 'recent proof',
  })
}

/**
 * On routes below this path, a command line that the person allowed may do everything that their browser may do. Pages are for
 * browsers only.
 */
const FOR_COMMAND_LINES = '/portal/api/'

export function servesCommandLines({ access, path }: Pick<Route, 'access' | 'path'>): boolean {
  return access.kind === 'session' && path.startsWith(FOR_COMMAND_LINES)
}

const BEARER = /^Bearer(?: |$)/i

/** If a request has a bearer token, its cookie is not read: neither credential ever replaces the other. */
function sendsBearer({ authorization }: IncomingHttpHeaders): boolean {
  return authorization !== undefined && BEARER.test(authorization)
}

/** What handlers get instead of a browser for a command line, which has no form to protect and no cookie to set. */
const NO_BROWSER: Browser = {
  csrf: '',
  cookieValue: null,
  setCookie: () => {
    throw new Error('a command line has no cookie')
  },
  keepForm: () => null,
  keepsForm: () => false,
}

function endedCommandLine(): ApiError {
  return new ApiError('invalid_token', {
    public: 'The session of this command line is unknown, expired or ended.',
    remediation: 'Run portico login, then try again.',
  })
}
