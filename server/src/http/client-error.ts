import { ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError, type ErrorType } from '#kernel/errors.ts'
import { newId } from '#kernel/ids.ts'
import type { Edge } from './edge.ts'
import { renderError } from './render-error.ts'
import { NEWEST } from './versions.ts'

type Refusal = { readonly status: number; readonly error: ApiError }

const refusal = (status: number, message: string, type: ErrorType = 'invalid_request'): Refusal => {
  return { status, error: new ApiError(type, { public: message }) }
}

/** What Node's HTTP parser gives up on; no request exists, so the answer is written by hand. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: refusal(431, 'The request line and headers are too large together.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refusal(413, 'The chunk extensions are too large.', 'payload_too_large'),
  ERR_HTTP_REQUEST_TIMEOUT: refusal(408, 'The request took too long to arrive.'),
}
const MALFORMED = refusal(400, 'This is not an HTTP request we can read.')

export function answerClientError(edge: Edge, error: Error, socket: Duplex): void {
  const code = String(Reflect.get(error, 'code'))
  const owed = answerOwed(socket)
  // What was asked before the garbage is being done: its answer goes out, and nothing after it.
  if (owed !== null) {
    owed.once('close', () => socket.destroy())
    return
  }
  // Nobody is there to read, or an answer is already half on its way: a second one would corrupt it.
  if (!socket.writable || code === 'ECONNRESET' || answerStarted(socket)) {
    socket.destroy()
    return
  }
  refuseRaw(edge, socket, REFUSALS[code] ?? MALFORMED, code)
}

/** CONNECT never reaches the router; without a word of ours Node would just hang up. */
export function answerConnect(edge: Edge, socket: Duplex): void {
  const error = new ApiError('method_not_allowed', { public: 'CONNECT is not possible here.' })
  refuseRaw(edge, socket, { status: error.status, error }, 'CONNECT')
}

function refuseRaw(edge: Edge, socket: Duplex, { status, error }: Refusal, reason: string): void {
  const { ports, versionHeader } = edge
  const requestId = newId('request', ports.clock.now())
  const { body, headers } = renderError(error, requestId)
  const lines = Object.entries({
    ...edge.headers,
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    'x-wf-request-id': requestId,
    [versionHeader]: NEWEST,
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  ports.metrics.observe('unmatched', status, 0)
  ports.log.info(
    { request_id: requestId, operation: null, status, error_type: error.type, internal: reason },
    'request',
  )
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy())
}

/** Node keeps the answer under way on the socket and looks at it itself in its own handler for this event. */
function answerUnderWay(socket: Duplex): ServerResponse | null {
  const message: unknown = Reflect.get(socket, '_httpMessage')
  return message instanceof ServerResponse ? message : null
}

function answerStarted(socket: Duplex): boolean {
  return answerUnderWay(socket)?.headersSent === true
}

/** The answer to a request that had arrived whole before the parser gave up on what followed. */
function answerOwed(socket: Duplex): ServerResponse | null {
  const answer = answerUnderWay(socket)
  return answer?.req.complete === true && !answer.writableEnded && socket.writable ? answer : null
}
