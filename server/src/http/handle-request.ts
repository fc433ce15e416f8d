import type { IncomingMessage } from 'node:http'
import { ApiError } from '#kernel/errors.ts'
import { inSpan } from '#system/tracing.ts'
import { servesStaff } from './access.ts'
import { admit } from './admit.ts'
import { addressOfPage, requireOwnHost, requireOwnSite } from './browser/own-form.ts'
import type { Edge, ServedRoute } from './edge.ts'
import { addHeaders, beginRequestSpan, type Exchange, type SentHeaders } from './exchange.ts'
import { endsSoon, hasBody, parseBody, receiveBody, requireLength, requireMediaType } from './input/read-body.ts'
import { recordRefused } from './record-action.ts'
import { describeError, renderError } from './render-error.ts'
import type { Router } from './router.ts'
import { send } from './send-response.ts'
import { serve } from './serve.ts'

/**
 * The steps of every request, in order: id and headers, Host header and host name, redirect of a page to `localhost`, 404 or
 * 405, rejection of other sites' requests, rate limits, credential, version and access (`admit`), media type, body, schemas,
 * work, response. Every thrown error is rendered here.
 */
export async function handleRequest(edge: Edge, router: Router<ServedRoute>, exchange: Exchange): Promise<void> {
  const { request } = exchange
  // Errors have this format until a route is found. After that the route's own `errorsAs` decides.
  if (isFromPerson(request)) exchange.errorsAs = 'page'
  try {
    requireHost(request)
    requireOwnHost(edge, exchange)
    const location = addressOfPage(edge, exchange)
    if (location !== null) {
      send(edge, exchange, { status: 307, headers: { ...exchange.headers, location }, body: null })
      return
    }
    const found = router.find(exchange.method, exchange.target.path)
    if (found === null) {
      handleUnmatched(edge, exchange)
      return
    }
    const { served } = found
    begin(edge, served, exchange)
    exchange.params = found.params
    requireOwnSite(edge, served, exchange)
    if (!(await admit(edge, served, exchange))) return
    const span = beginRequestSpan(edge, exchange)
    await (span === null ? runRoute(edge, served, exchange) : inSpan(span, () => runRoute(edge, served, exchange)))
  } catch (error) {
    rejectRequest(edge, exchange, error)
  }
}

async function runRoute(edge: Edge, served: ServedRoute, exchange: Exchange): Promise<void> {
  // A body of a GET request has no meaning in HTTP and is ignored.
  const isRead = served.route.method !== 'GET' && served.route.bodyAs !== 'unread'
  if (isRead && hasBody(exchange.request.headers)) exchange.body = await readBody(edge, served, exchange)
  await serve(edge, served, exchange)
}

function begin(edge: Edge, served: ServedRoute, exchange: Exchange): void {
  const { errorsAs = 'envelope', access, cors } = served.route
  exchange.served = served
  exchange.errorsAs = errorsAs
  // The headers are set before the later checks can reject the request, so that a page on another origin can read the error.
  if (cors === 'any' || served.allowsAnyOrigin) addHeaders(exchange.headers, edge.cors.readable)
  if (access.kind === 'token') {
    exchange.headers['vary'] = `Authorization, ${edge.names.version}${servesStaff(access) ? ', Cookie' : ''}`
  }
}

async function readBody(edge: Edge, { route }: ServedRoute, exchange: Exchange): Promise<unknown> {
  const { accepts = ['application/json'], bodyBytesMax = edge.settings.bodyBytesMax, bodyAs } = route
  const { request, response } = exchange
  requireMediaType(request.headers, accepts)
  requireLength(request, bodyBytesMax)
  if (exchange.awaitsContinue) {
    exchange.awaitsContinue = false
    response.writeContinue()
  }
  return parseBody(request.headers, await receiveBody(request, bodyBytesMax), bodyAs)
}

/**
 * Rejects an unsupported HTTP version, and a missing or repeated Host header (RFC 9112 requires a 400). Without this check, Node
 * would reject such requests without a request id, or accept them.
 */
function requireHost({ httpVersion, rawHeaders }: IncomingMessage): void {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw new ApiError('invalid_request', { public: `HTTP/${httpVersion} is not supported on this connection.` })
  }
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return
  throw new ApiError('invalid_request', { public: 'The request must have exactly one Host header.' })
}

function rejectRequest(edge: Edge, exchange: Exchange, thrown: unknown): void {
  const { id, response, brokenWith } = exchange
  // `client-error.ts` has already written an error response to the socket and closed the connection.
  if (brokenWith !== null) return
  try {
    if (response.headersSent) throw thrown
    sendError(edge, exchange, thrown)
  } catch (error) {
    // Part of the response was sent. Closing the connection shows the client that it is incomplete.
    exchange.failure = { type: 'internal_error', error: describeError(error) }
    edge.ports.log.error({ request_id: id, error: describeError(error) }, 'a response was cut off')
    response.destroy()
  }
}

function sendError(edge: Edge, exchange: Exchange, thrown: unknown): void {
  const presented = renderError(thrown, exchange.id, edge.presentations[exchange.errorsAs])
  const { status, contentType, body, failure } = presented
  exchange.failure = failure
  recordRefused(edge, exchange, failure.type)
  const headers: SentHeaders = { ...exchange.headers, 'content-type': contentType }
  addHeaders(headers, presented.headers)
  if (failure.type === 'payload_too_large' && !endsSoon(exchange.request)) headers['connection'] = 'close'
  send(edge, exchange, { status, headers, body })
}

/**
 * Handles requests that no route matched, before their body is read: an unknown path gets 404, a known path with another method
 * gets 405, and OPTIONS gets 204 for every known path.
 */
function handleUnmatched(edge: Edge, exchange: Exchange): void {
  const { method, request } = exchange
  const path = edge.pathAt(decoded(exchange.target.path))
  exchange.errorsAs = path?.errorsAs ?? exchange.errorsAs
  if (path === null) {
    throw new ApiError('not_found', {
      public: 'This path does not exist.',
      remediation: 'Check the spelling of the path. GET /docs lists every path of the API.',
      internal: 'no such path',
    })
  }
  const { browsers } = path
  if (browsers !== null) addHeaders(exchange.headers, edge.cors.readable)
  const allow = path.methods.join(', ')
  if (method !== 'OPTIONS') {
    throw new ApiError('method_not_allowed', {
      public: `This path exists, but not for ${method}. It supports ${allow}.`,
      remediation: 'Use one of these methods, or check the spelling of the path.',
      headers: { Allow: allow },
    })
  }
  const preflight = request.headers['access-control-request-method'] !== undefined
  const headers: SentHeaders = { ...exchange.headers, allow }
  if (browsers !== null && preflight) addHeaders(headers, edge.cors.preflight(browsers))
  send(edge, exchange, { status: 204, headers, body: null })
}

/** Whether a person followed a link or typed an address: browsers send `navigate`, older ones accept `text/html`. */
function isFromPerson({ headers: { accept = '', 'sec-fetch-mode': mode } }: IncomingMessage): boolean {
  return mode === 'navigate' || /\btext\/html\b/i.test(accept)
}

/** The router matches decoded paths, so `/%69nvestments` is the same path as `/investments`. */
function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    // The path cannot be decoded, so no pattern matches it.
    return path
  }
}
