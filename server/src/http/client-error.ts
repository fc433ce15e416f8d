import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError, type ErrorType } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { Edge } from './edge.ts'
import { type Exchange, ExchangeResponse } from './exchange.ts'
import { type Failure, renderError } from './render-error.ts'
import { NEWEST } from './versions.ts'

type Refusal = { readonly status: number; readonly error: ApiError }

const refusal = (status: number, message: string, type: ErrorType = 'invalid_request'): Refusal => {
  return { status, error: new ApiError(type, { public: message }) }
}

/** Errors of Node's HTTP server. It passes the socket and no request, so the response is written directly to the socket. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: refusal(431, 'The request line and headers are too large together.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refusal(413, 'The chunk extensions are too large.', 'payload_too_large'),
  ERR_HTTP_REQUEST_TIMEOUT: refusal(408, 'The request took too long to arrive.'),
}
const MALFORMED = refusal(400, 'This is not an HTTP request we can read.')

export function respondToClientError(edge: Edge, error: Error, socket: Duplex): void {
  const code = String(Reflect.get(error, 'code'))
  const current = currentResponse(socket)
  // Earlier requests on this connection are still running. Their responses are sent, and then the connection is closed.
  if (current !== null && needsResponse(current, socket)) {
    current.once('close', () => socket.destroy())
    return
  }
  // The client has disconnected, or at least a part of the response to the broken request was sent. A second response would corrupt
  // the first one.
  const answered = current?.headersSent === true || edge.respondedEarly.has(socket)
  if (!socket.writable || code === 'ECONNRESET' || answered) {
    socket.destroy()
    return
  }
  const errorsAs = asksForHtml(error) ? 'page' : 'envelope'
  const exchange = current?.exchange ?? null
  rejectRaw(edge, socket, REFUSALS[code] ?? MALFORMED, { reason: code, exchange, errorsAs })
}

/** CONNECT never reaches the router. Without this listener Node would close the connection without a response. */
export function respondToConnect(edge: Edge, socket: Duplex): void {
  const error = new ApiError('method_not_allowed', { public: 'CONNECT is not possible here.' })
  const broken = { reason: 'CONNECT', exchange: null, errorsAs: 'envelope' } as const
  const rejectSocket = () => rejectRaw(edge, socket, { status: error.status, error }, broken)
  // Node has removed its own error listener. Without this listener, a client that resets the connection would crash the process.
  socket.on('error', () => socket.destroy())
  const current = currentResponse(socket)
  if (current === null) rejectSocket()
  else current.once('close', rejectSocket)
}

type Broken = {
  readonly reason: string
  /** The request's exchange, if its headers were complete. */
  readonly exchange: Exchange | null
  readonly errorsAs: 'envelope' | 'page'
}

const ACCEPTS_HTML = /\r\naccept:[^\r\n]*\btext\/html\b/i

/** Whether the client accepts HTML. For a broken request Node passes no request object, only the last packet. */
function asksForHtml(error: Error): boolean {
  const packet: unknown = Reflect.get(error, 'rawPacket')
  return Buffer.isBuffer(packet) && ACCEPTS_HTML.test(packet.toString('latin1'))
}

function rejectRaw(
  edge: Edge,
  socket: Duplex,
  { status, error }: Refusal,
  { reason, exchange, errorsAs }: Broken,
): void {
  const { ports, versionHeader } = edge
  const requestId = exchange?.id ?? newId('request', ports.clock.now())
  const { body, headers, contentType } = renderError(error, requestId, edge.presentations[errorsAs])
  const lines = Object.entries({
    ...edge.headers,
    ...headers,
    'content-type': contentType,
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    'x-wf-request-id': requestId,
    [versionHeader]: NEWEST,
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const failure = { type: error.type, internal: reason }
  if (exchange === null) observeRaw(edge, requestId, status, failure)
  else Object.assign(exchange, { brokenWith: status, failure })
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy())
}

/** Writes the log line and the measurement for bytes that never became a request. For a request `observeRequest` does this. */
function observeRaw({ ports }: Edge, requestId: string, status: number, { type, internal }: Failure): void {
  ports.metrics.observe('unmatched', status, 0)
  ports.log.info({ request_id: requestId, operation: null, status, error_type: type, internal }, 'request')
}

/** Node stores the current response on the socket and reads it in its own handler for this event. */
function currentResponse(socket: Duplex): ExchangeResponse | null {
  const message: unknown = Reflect.get(socket, '_httpMessage')
  return message instanceof ExchangeResponse ? message : null
}

/** Whether the request was complete before the parser failed on later bytes, and its response still has to be sent. */
function needsResponse(response: ExchangeResponse, socket: Duplex): boolean {
  return response.req.complete && !response.writableEnded && socket.writable
}
