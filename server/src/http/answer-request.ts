import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '#kernel/errors.ts'
import { admit } from './admit.ts'
import { send } from './answer.ts'
import { describeError } from './describe-error.ts'
import type { Edge, ServedRoute } from './edge.ts'
import { Exchange, setHeaders } from './exchange.ts'
import { hasBody, parseBody, requireMediaType } from './input/read-body.ts'
import { receiveBody } from './input/receive-body.ts'
import { recordRefused } from './record-action.ts'
import { renderError } from './render-error.ts'
import { observeRequest } from './request-log.ts'
import type { Router } from './router.ts'
import { serve } from './serve.ts'
import { answerUnmatched } from './unknown-route.ts'

/**
 * The way of every request: id and headers, 404 or 405, how often and who and in which version and whether at all
 * (`admit`), media type, body, schemas, work, answer. Whatever is thrown on the way is rendered in one place.
 */
export async function answer(
  edge: Edge,
  router: Router<ServedRoute>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const exchange = new Exchange(edge, request, response)
  observeRequest(edge, exchange)
  try {
    requireHost(request)
    const found = router.find(exchange.method, exchange.path)
    if (found === null) return answerUnmatched(edge, exchange)
    const { served } = found
    begin(edge, served, exchange)
    exchange.params = found.params
    if (!(await admit(edge, served, exchange))) return
    // A body on a read means nothing in HTTP and is not looked at.
    if (served.route.method !== 'GET' && hasBody(request.headers)) exchange.body = await readBody(edge, served, request)
    await serve(edge, served, exchange)
  } catch (error) {
    refuse(edge, exchange, error)
  }
}

function begin(edge: Edge, served: ServedRoute, exchange: Exchange): void {
  const { errorsAs = 'envelope', access, cors } = served.route
  exchange.served = served
  exchange.errorsAs = errorsAs
  // Before anything can be refused: a page has to be able to read why.
  if (cors === 'any') setHeaders(exchange, edge.cors.readable)
  if (access.kind === 'token') exchange.headers['vary'] = `Authorization, ${edge.names.version}`
}

async function readBody(edge: Edge, { route }: ServedRoute, request: IncomingMessage): Promise<unknown> {
  const { accepts = ['application/json'], bodyBytesMax = edge.settings.bodyBytesMax, bodyAs } = route
  requireMediaType(request.headers, accepts)
  return parseBody(request.headers, await receiveBody(request, bodyBytesMax), bodyAs)
}

/** Node would answer these by itself, without a request id, or not at all; RFC 9112 asks for the 400. */
function requireHost({ httpVersion, rawHeaders }: IncomingMessage): void {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw new ApiError('invalid_request', { public: `HTTP/${httpVersion} is not spoken on this connection.` })
  }
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return
  throw new ApiError('invalid_request', { public: 'The request must have exactly one Host header.' })
}

function refuse(edge: Edge, exchange: Exchange, thrown: unknown): void {
  const { id, response } = exchange
  try {
    if (response.headersSent) throw thrown
    sendError(edge, exchange, thrown)
  } catch (error) {
    // Half an answer cannot be taken back: hanging up says that it is not the whole.
    edge.ports.log.error({ request_id: id, error: describeError(error) }, 'an answer broke off')
    response.destroy()
  }
}

function sendError(edge: Edge, exchange: Exchange, thrown: unknown): void {
  const presented = renderError(thrown, exchange.id, edge.presentations[exchange.errorsAs])
  const { status, headers, contentType, body, failure } = presented
  exchange.failure = failure
  recordRefused(edge, exchange, failure.type)
  if (failure.type === 'payload_too_large' && !drains(exchange.request)) exchange.headers['connection'] = 'close'
  setHeaders(exchange, headers)
  exchange.headers['content-type'] = contentType
  send(edge, exchange, status, body)
}

const DRAINED_BYTES_MAX = 16_777_216

/**
 * To hang up on a client that is still sending would often lose it the answer that says why, so a body of known and
 * moderate length is read to its end and thrown away (Node does so by itself). An endless one is not.
 */
function drains({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length']) <= DRAINED_BYTES_MAX
}
