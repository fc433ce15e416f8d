import { type ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http'
import type { Edge, ServedRoute } from './edge.ts'
import { addHeaders, type Exchange, type SentHeaders } from './exchange.ts'
import { isUnchanged } from './open-document.ts'
import { isPicture, LiveText, StoredJson, StreamedText, type Write } from './response-bodies.ts'
import type { ResponseHeaders, Route } from './route.ts'
import { PAGE_HEADERS } from './security-headers.ts'

/**
 * A response in the newest version, already as text. It is sent now, and again for a repeated idempotency key. Only routes
 * without idempotency keys return bytes (pictures, stored JSON, compressed text) or streams.
 */
export type NewestResponse = {
  readonly status: number
  readonly headers: ResponseHeaders
  /** Null for a status without a body. */
  readonly body: string | Buffer | readonly Buffer[] | StreamedText | LiveText | null
}

const BODYLESS: ReadonlySet<number> = new Set([204, 301, 302, 303, 304, 307, 308])

type RouteResult = Awaited<ReturnType<Route['run']>>

const JSON_TYPE = 'application/json; charset=utf-8'
/** A route with one of these types sends its response in pieces. */
export const STREAMED_TYPES: ReadonlySet<string> = new Set(['text/csv; charset=utf-8', JSON_TYPE])
const NO_HEADERS: ResponseHeaders = {}

/**
 * Writes JSON through the schema that the route declared for this status, so that no undeclared field leaves the server. Only
 * `StoredJson`, JSON that is sent in pieces, and documents with a content type of their own bypass the schema.
 */
export function serialise({ route, schemas }: ServedRoute, result: RouteResult): NewestResponse {
  const { status, headers = NO_HEADERS } = result
  if (route.schema.response[status] === undefined) {
    throw new Error(`${route.operation} answered ${status}, which it does not declare`)
  }
  requireSendable(headers)
  if (BODYLESS.has(status)) return { status, headers, body: null }
  if (route.contentType === 'image/*') return { status, ...pictureBody(route, result) }
  if (STREAMED_TYPES.has(route.contentType ?? '')) return { status, headers, body: streamedBody(route, result.body) }
  if (route.contentType === 'text/event-stream') return { status, headers, body: liveBody(route, result.body) }
  if (route.contentType !== undefined) return { status, headers, body: textBody(route, result.body) }
  if (result.body instanceof StoredJson) return { status, headers, body: result.body.text }
  const write = schemas().writers[status]
  if (write === undefined) throw new Error(`${route.operation} has no schema to write ${status} with`)
  return { status, headers, body: write(result.body) }
}

/**
 * Node checks the headers only when the response is sent. They are checked here too, because a response that cannot be sent
 * must roll back the transaction.
 */
function requireSendable(headers: ResponseHeaders): void {
  for (const name in headers) {
    const value = headers[name] ?? ''
    validateHeaderName(name)
    for (const each of typeof value === 'string' ? [value] : value) validateHeaderValue(name, each)
  }
}

/** Bytes are text that was compressed before. The route names the encoding. */
function textBody({ operation }: Route, body: unknown): string | Buffer {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) throw new Error(`${operation} must return text`)
  return body
}

function streamedBody({ operation }: Route, body: unknown): StreamedText {
  if (!(body instanceof StreamedText)) throw new Error(`${operation} must return text in pieces`)
  return body
}

function liveBody({ operation }: Route, body: unknown): LiveText {
  if (!(body instanceof LiveText)) throw new Error(`${operation} must return a live text`)
  return body
}

function pictureBody(
  { operation }: Route,
  { headers = {}, body }: RouteResult,
): Pick<NewestResponse, 'headers' | 'body'> {
  if (!isPicture(body)) throw new Error(`${operation} must return a picture`)
  return { headers: { ...headers, 'Content-Type': body.mediaType }, body: body.bytes }
}

/** Returns a promise only if the response is sent in pieces. */
export function sendResponse(
  edge: Edge,
  served: ServedRoute,
  exchange: Exchange,
  result: NewestResponse,
): Promise<void> | undefined {
  const { status, body } = result
  const { contentType } = served.route
  const headers = headersOf(result, served, exchange)
  // The type of a picture is in its headers.
  if (body !== null && contentType !== 'image/*') headers['content-type'] = contentType ?? JSON_TYPE
  if (body instanceof StreamedText) {
    addConnectionHeaders(edge, exchange, headers)
    return sendStreamed(exchange.response, { status, headers, body })
  }
  if (body instanceof LiveText) {
    sendLive(edge, exchange, { status, headers, body })
    return undefined
  }
  const isJson = body !== null && contentType === undefined
  const written = isJson ? inVersion(served, exchange, { status, body }) : body
  if (served.isOpenDocument && status === 200 && written !== null && !isPieces(written) && isPublic(headers)) {
    return sendDocument(edge, exchange, { status, headers, body: written })
  }
  send(edge, exchange, { status, headers, body: written })
  return undefined
}

/**
 * Whether the edge may add its own ETag. A document without `Cache-Control: public` gets none, because it may be
 * for one person only, such as the person who has its link. A picture gets none, because it already has an ETag.
 */
function isPublic(headers: SentHeaders): boolean {
  return String(headers['cache-control']).startsWith('public') && headers['etag'] === undefined
}

type DocumentResponse = Outgoing & { readonly body: string | Buffer }

async function sendDocument(
  edge: Edge,
  exchange: Exchange,
  { status, headers, body }: DocumentResponse,
): Promise<void> {
  const document = edge.documents(body)
  const { headers: requestHeaders } = exchange.request
  headers['etag'] = document.etag
  headers['vary'] = 'Accept-Encoding'
  if (isUnchanged(requestHeaders['if-none-match'], document.etag)) {
    send(edge, exchange, { status: 304, headers, body: null })
    return
  }
  const encoding = document.encodingFor(requestHeaders['accept-encoding']?.toString())
  const bytes = await document.bytes(encoding)
  if (encoding !== 'identity') headers['content-encoding'] = encoding
  send(edge, exchange, { status, headers, body: bytes })
}

/**
 * If the response adds no header, this returns the exchange's own object instead of a copy. Headers that are added to it later
 * are then also sent with an error response.
 */
function headersOf(result: NewestResponse, { route }: ServedRoute, exchange: Exchange): SentHeaders {
  const isPage = route.contentType?.startsWith('text/html') === true
  if (result.headers === NO_HEADERS && !isPage) return exchange.headers
  const headers = { ...exchange.headers }
  if (isPage) addHeaders(headers, PAGE_HEADERS)
  addHeaders(headers, result.headers)
  keepCookies(headers, exchange.headers['set-cookie'])
  return headers
}

/** A cookie that the route sets replaces the edge's cookie of the same name. The edge's other cookies are sent too. */
function keepCookies(headers: SentHeaders, before: string | string[] | undefined): void {
  if (before === undefined) return
  const nameOf = (cookie: string) => cookie.split('=', 1)[0]
  const set = [headers['set-cookie'] ?? []].flat()
  const names = new Set(set.map(nameOf))
  headers['set-cookie'] = [...[before].flat().filter((cookie) => !names.has(nameOf(cookie))), ...set]
}

type Written = { readonly status: number; readonly body: string | Buffer | readonly Buffer[] }

/**
 * Responses in older versions are made from the newest text, after the schema has picked the fields, so that a step cannot leak
 * an undeclared field.
 */
function inVersion({ steps }: ServedRoute, { version }: Exchange, { status, body }: Written): Written['body'] {
  if (!steps.changesResponse(version)) return body
  const text = isPieces(body) ? Buffer.concat(body).toString() : body.toString()
  return JSON.stringify(steps.response(version, JSON.parse(text), status))
}

function isPieces(body: Written['body']): body is readonly Buffer[] {
  return Array.isArray(body)
}

export type Outgoing = {
  readonly status: number
  readonly headers: SentHeaders
  readonly body: Written['body'] | null
}

/** Sends every response except streamed and live ones (see below) and responses to invalid HTTP (`client-error.ts`). */
export function send(edge: Edge, exchange: Exchange, { status, headers, body }: Outgoing): void {
  const { response } = exchange
  addConnectionHeaders(edge, exchange, headers)
  if (body === null) {
    if (status !== 204 && status !== 304) headers['content-length'] = '0'
    response.writeHead(status, headers).end()
    return
  }
  if (isPieces(body)) {
    headers['content-length'] = String(body.reduce((sum, { length }) => sum + length, 0))
    response.writeHead(status, headers)
    // The socket is corked, so that headers and body are sent in one write. Node would join them too, but later and at a cost.
    response.cork()
    for (const piece of body.slice(0, -1)) response.write(piece)
    response.end(body.at(-1))
    return
  }
  const bytes = Buffer.byteLength(body)
  headers['content-length'] = String(bytes)
  // Headers and text are sent in one piece. For ASCII text 'latin1' gives the same bytes as 'utf8', and is faster.
  response.writeHead(status, headers).end(body, bytes === body.length ? 'latin1' : 'utf8')
}

function addConnectionHeaders(edge: Edge, exchange: Exchange, headers: SentHeaders): void {
  const { awaitsContinue } = exchange
  // When the server closes, it waits for connections to end, so an open connection would delay it. And a client that got no 100
  // Continue may still send its body, which would be read as the next request.
  if (edge.isClosing() || awaitsContinue) headers['connection'] = 'close'
}

/** The time limit for one piece. After 20 s PostgreSQL would end the idle transaction, and the response would fail. */
const PIECE_TAKEN_WITHIN_MS = 10_000

/** The client closed the connection, or reads too slowly. This is not our error, and nothing more can be sent. */
class ClientGone extends Error {}

type Streamed = { readonly status: number; readonly headers: SentHeaders; readonly body: StreamedText }

/** An error before the first piece becomes an error response. An error after the first piece closes the connection. */
async function sendStreamed(response: ServerResponse, { status, headers, body }: Streamed): Promise<void> {
  let deadline = Number.POSITIVE_INFINITY
  const write: Write = async (text) => {
    if (response.destroyed || performance.now() > deadline) throw new ClientGone()
    if (!response.headersSent) {
      response.writeHead(status, headers)
      deadline = performance.now() + body.takenWithinMs
    }
    if (!response.write(text)) await roomIn(response, deadline - performance.now())
  }
  try {
    await body.produce(write)
  } catch (error) {
    if (!(error instanceof ClientGone)) throw error
    response.destroy()
    return
  }
  if (!response.headersSent) response.writeHead(status, headers)
  response.end()
}

function roomIn(response: ServerResponse, leftMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const gone = () => reject(new ClientGone())
  const waiting = setTimeout(gone, Math.min(PIECE_TAKEN_WITHIN_MS, leftMs))
  response.once('drain', resolve)
  response.once('close', gone)
  return promise.finally(() => {
    clearTimeout(waiting)
    response.off('drain', resolve)
    response.off('close', gone)
  })
}

type Live = { readonly status: number; readonly headers: SentHeaders; readonly body: LiveText }

/**
 * These headers forbid proxies to buffer or store a live response, and clients to send another request on its connection, which
 * would wait for hours.
 */
const LIVE_HEADERS = { 'cache-control': 'no-store', 'x-accel-buffering': 'no', connection: 'close' }

function sendLive(edge: Edge, exchange: Exchange, { status, headers, body }: Live): void {
  const { response } = exchange
  body.admit(edge.ports.clock.now())
  response.writeHead(status, { ...headers, ...LIVE_HEADERS })
  if (exchange.method === 'HEAD') {
    response.end()
    return
  }
  // The client closed the connection while the request was checked.
  if (response.destroyed) return
  response.flushHeaders()
  const writer = body.begin({ write: (text) => response.write(text), end: () => void response.end() })
  exchange.live = writer
  const closing = () => {
    writer.ended('closing')
    // Without this a client that reads nothing would prevent the server from closing.
    if (response.writableNeedDrain) response.destroy()
  }
  edge.live.add(closing)
  response.on('drain', () => writer.drained())
  response.once('close', () => {
    edge.live.delete(closing)
    writer.ended('gone')
  })
  if (edge.isClosing()) closing()
}
