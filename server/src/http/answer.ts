import type { FastifyReply, FastifyRequest } from 'fastify'
import { isPicture } from './picture.ts'
import type { ServedRoute } from './request-state.ts'
import type { AnswerHeaders, Route } from './route.ts'
import { PAGE_HEADERS } from './security-headers.ts'
import { StoredJson } from './stored-json.ts'

/**
 * An answer as the newest version sends it, already text: what is sent now, and what a repeated key replays later. Bytes
 * only of a picture and of stored JSON, which are read and never made: a route that answers with one has no key to be kept
 * for.
 */
export type NewestAnswer = {
  readonly status: number
  readonly headers: AnswerHeaders
  /** Null where HTTP allows no body. */
  readonly body: string | Buffer | null
}

const BODYLESS: ReadonlySet<number> = new Set([204, 301, 302, 303, 304, 307, 308])

type Answer = Awaited<ReturnType<Route['run']>>

/**
 * Through the schema the route declared for this status, so that nothing undeclared can leave the server. Only stored text
 * goes past it.
 */
export function serialise({ route }: ServedRoute, reply: FastifyReply, answer: Answer): NewestAnswer {
  const { status, headers = {} } = answer
  if (route.schema.response[status] === undefined) {
    throw new Error(`${route.operation} answered ${status}, which it does not declare`)
  }
  if (BODYLESS.has(status)) return { status, headers, body: null }
  if (route.contentType === 'image/*') return { status, ...pictureBody(route, answer) }
  if (route.contentType !== undefined) return { status, headers, body: textBody(route, answer.body) }
  if (answer.body instanceof StoredJson) return { status, headers, body: answer.body.text }
  const toText = reply.getSerializationFunction(String(status))
  if (toText === undefined) throw new Error(`${route.operation} has no serialiser for ${status}`)
  const body: unknown = toText(answer.body as Record<string, unknown>)
  return { status, headers, body: String(body) }
}

function textBody({ operation }: Route, body: unknown): string {
  if (typeof body !== 'string') throw new Error(`${operation} must answer with text`)
  return body
}

function pictureBody({ operation }: Route, { headers = {}, body }: Answer): Pick<NewestAnswer, 'headers' | 'body'> {
  if (!isPicture(body)) throw new Error(`${operation} must answer with a picture`)
  return { headers: { ...headers, 'Content-Type': body.mediaType }, body: body.bytes }
}

export function sendAnswer(served: ServedRoute, request: FastifyRequest, reply: FastifyReply, answer: NewestAnswer) {
  const { contentType } = served.route
  const page = contentType?.startsWith('text/html') ? PAGE_HEADERS : {}
  reply.code(answer.status).headers(page)
  for (const [name, value] of Object.entries(answer.headers)) {
    if (name.toLowerCase() === 'set-cookie') setCookies(reply, [value].flat())
    else reply.header(name, value)
  }
  const { status, body } = answer
  if (body === null) return reply.send()
  // A picture's kind is among its headers.
  if (contentType === 'image/*') return reply.send(body)
  reply.type(contentType ?? 'application/json; charset=utf-8')
  return reply.send(contentType === undefined ? inVersion(served, request, { status, body }) : body)
}

/** A cookie the route sets takes the place of one of the same name that the edge was about to set. */
function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  const nameOf = (cookie: string) => cookie.split('=', 1)[0]
  const before = [reply.getHeader('set-cookie') ?? []].flat().map(String)
  const names = new Set(cookies.map(nameOf))
  const kept = before.filter((cookie) => !names.has(nameOf(cookie)))
  reply.removeHeader('set-cookie').header('set-cookie', [...kept, ...cookies])
}

type Written = { readonly status: number; readonly body: string | Buffer }

/** Older forms are made from the newest text, after the schema has picked its fields: a step cannot leak one. */
function inVersion({ steps }: ServedRoute, { edge }: FastifyRequest, { status, body }: Written): string | Buffer {
  if (!steps.changesResponse(edge.version)) return body
  return JSON.stringify(steps.response(edge.version, JSON.parse(String(body)), status))
}
