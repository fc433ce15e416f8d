import { type ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http'
import type { Edge, ServedRoute } from './edge.ts'
import { addHeaders, type Exchange, type SentHeaders } from './exchange.ts'
import { isUnchanged } from './open-document.ts'
import { isPicture, LiveText, StoredJson, StreamedText, type Write } from './response-bodies.ts'
import type { AnswerHeaders, Route } from './route.ts'
import { PAGE_HEADERS } from './security-headers.ts'

/**
 * An answer as the newest version sends it, already text: what is sent now, and what a repeated key replays later. Bytes
 * only of a picture and of stored JSON, which are read and never made: a route that answers with one has no key to be kept
 * for.
 */
export type NewestAnswer = {
  readonly status: number
  readonly headers: AnswerHeaders
  /** Null where HTTP allows no body. */
  readonly body: string | Buffer | readonly Buffer[] | StreamedText | LiveText | null
}

const BODYLESS: ReadonlySet<number> = new Set([204, 301, 302, 303, 304, 307, 308])

type Answer = Awaited<ReturnType<Route['run']>>

const JSON_TYPE = 'application/json; charset=utf-8'
const STREAMED_TYPES: ReadonlySet<string> = new Set(['text/csv; charset=utf-8', JSON_TYPE])
const NO_HEADERS: AnswerHeaders = {}

/**
 * Through the schema the route declared for this status, so that nothing undeclared can leave the server. Only stored text
 * goes past it.
 */
export function serialise({ route, schemas }: ServedRoute, answer: Answer): NewestAnswer {
  const { status, headers = NO_HEADERS } = answer
  if (route.schema.response[status] === undefined) {
    throw new Error(`${route.operation} answered ${status}, which it does not declare`)
  }
  requireSendable(headers)
  if (BODYLESS.has(status)) return { status, headers, body: null }
  if (route.contentType === 'image/*') return { status, ...pictureBody(route, answer) }
  if (STREAMED_TYPES.has(route.contentType ?? '')) return { status, headers, body: streamedBody(route, answer.body) }
  if (route.contentType === 'text/event-stream') return { status, headers, body: liveBody(route, answer.body) }
  if (route.contentType !== undefined) return { status, headers, body: textBody(route, answer.body) }
  if (answer.body instanceof StoredJson) return { status, headers, body: answer.body.text }
  const write = schemas().writers[status]
  if (write === undefined) throw new Error(`${route.operation} has nothing to write ${status} with`)
  return { status, headers, body: write(answer.body) }
}

/** Here and not only when they are sent: what was done for an answer that cannot be sent has to be undone. */
function requireSendable(headers: AnswerHeaders): void {
  for (const name in headers) {
    const value = headers[name] ?? ''
    validateHeaderName(name)
    for (const each of typeof value === 'string' ? [value] : value) validateHeaderValue(name, each)
  }
}

function textBody({ operation }: Route, body: unknown): string {
  if (typeof body !== 'string') throw new Error(`${operation} must answer with text`)
  return body
}

function streamedBody({ operation }: Route, body: unknown): StreamedText {
  if (!(body instanceof StreamedText)) throw new Error(`${operation} must answer with text in pieces`)
  return body
}

function liveBody({ operation }: Route, body: unknown): LiveText {
  if (!(body instanceof LiveText)) throw new Error(`${operation} must answer with text that goes on`)
  return body
}

function pictureBody({ operation }: Route, { headers = {}, body }: Answer): Pick<NewestAnswer, 'headers' | 'body'> {
  if (!isPicture(body)) throw new Error(`${operation} must answer with a picture`)
  return { headers: { ...headers, 'Content-Type': body.mediaType }, body: body.bytes }
}

/** Something to wait for only where the answer is sent piece by piece. */
export function sendAnswer(
  edge: Edge,
  served: ServedRoute,
  exchange: Exchange,
  answer: NewestAnswer,
): Promise<void> | undefined {
  const { status, body } = answer
  const { contentType } = served.route
  const headers = headersOf(answer, served, exchange)
  // A picture's kind is among its headers.
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

/** A document without `Cache-Control: public` is about one person's link, and pictures have a tag of their own. */
function isPublic(headers: SentHeaders): boolean {
  return String(headers['cache-control']).startsWith('public') && headers['etag'] === undefined
}

type DocumentAnswer = Outgoing & { readonly body: string | Buffer }

async function sendDocument(edge: Edge, exchange: Exchange, { status, headers, body }: DocumentAnswer): Promise<void> {
  const document = edge.documents(body)
  const { headers: asked } = exchange.request
  headers['etag'] = document.etag
  headers['vary'] = 'Accept-Encoding'
  if (isUnchanged(asked['if-none-match'], document.etag)) {
    send(edge, exchange, { status: 304, headers, body: null })
    return
  }
  const encoding = document.encodingFor(asked['accept-encoding']?.toString())
  const bytes = await document.bytes(encoding)
  if (encoding !== 'identity') headers['content-encoding'] = encoding
  send(edge, exchange, { status, headers, body: bytes })
}

/** Those of the exchange themselves where the answer adds none: what is written into them from here on, a refusal writes too. */
function headersOf(answer: NewestAnswer, { route }: ServedRoute, exchange: Exchange): SentHeaders {
  const isPage = route.contentType?.startsWith('text/html') === true
  if (answer.headers === NO_HEADERS && !isPage) return exchange.headers
  const headers = { ...exchange.headers }
  if (isPage) addHeaders(headers, PAGE_HEADERS)
  addHeaders(headers, answer.headers)
  keepCookies(headers, exchange.headers['set-cookie'])
  return headers
}

/** A cookie the route sets takes the place of one of the same name that the edge was about to set; others stay. */
function keepCookies(headers: SentHeaders, before: string | string[] | undefined): void {
  if (before === undefined) return
  const nameOf = (cookie: string) => cookie.split('=', 1)[0]
  const set = [headers['set-cookie'] ?? []].flat()
  const names = new Set(set.map(nameOf))
  headers['set-cookie'] = [...[before].flat().filter((cookie) => !names.has(nameOf(cookie))), ...set]
}

type Written = { readonly status: number; readonly body: string | Buffer | readonly Buffer[] }

/** Older forms are made from the newest text, after the schema has picked its fields: a step cannot leak one. */
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

/** Where every answer leaves, but for those to what is no HTTP (`client-error.ts`). */
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
    // Held back until the last of them, and then sent together; Node would see to it after this turn, at a cost.
    response.cork()
    for (const piece of body.slice(0, -1)) response.write(piece)
    response.end(body.at(-1))
    return
  }
  const bytes = Buffer.byteLength(body)
  headers['content-length'] = String(bytes)
  // Text of ASCII alone leaves together with its headers, in one piece and as it is.
  response.writeHead(status, headers).end(body, bytes === body.length ? 'latin1' : 'utf8')
}

function addConnectionHeaders(edge: Edge, exchange: Exchange, headers: SentHeaders): void {
  const { awaitsLeave } = exchange
  // Closing waits for connections to end, and one that stays open after its last answer would make it wait in vain. And
  // a client that was not asked for its body may send it all the same, where the next request would begin.
  if (edge.isClosing() || awaitsLeave) headers['connection'] = 'close'
}

/** For one piece. Less than PostgreSQL waits for a transaction in which nothing happens (20 s): it would end it in mid-sentence. */
const PIECE_TAKEN_WITHIN_MS = 10_000

/** The client hung up, or takes too long. Not an error of ours, and nobody is left to receive an answer. */
class ClientGone extends Error {}

type Streamed = { readonly status: number; readonly headers: SentHeaders; readonly body: StreamedText }

/** What is thrown before the first piece is the caller's to answer; after it, all that can be said is to hang up. */
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

/** No proxy may hold it back or keep it, and no request follows it on its connection: that would wait for hours. */
const LIVE_HEADERS = { 'cache-control': 'no-store', 'x-accel-buffering': 'no', connection: 'close' }

function sendLive(edge: Edge, exchange: Exchange, { status, headers, body }: Live): void {
  const { response } = exchange
  body.admit()
  response.writeHead(status, { ...headers, ...LIVE_HEADERS })
  if (exchange.method === 'HEAD') {
    response.end()
    return
  }
  // The client went away while the request was looked at.
  if (response.destroyed) return
  response.flushHeaders()
  const writer = body.begin({ write: (text) => response.write(text), end: () => void response.end() })
  exchange.live = writer
  const closing = () => {
    writer.ended('closing')
    // A client that takes nothing would keep the server from closing.
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
