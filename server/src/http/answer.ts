import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServedRoute } from './request-state.ts'
import type { AnswerHeaders, Route } from './route.ts'
import { PAGE_HEADERS } from './security-headers.ts'

/** An answer as the newest version sends it, already text: what is sent now, and what a repeated key replays later. */
export type NewestAnswer = {
  readonly status: number
  readonly headers: AnswerHeaders
  /** Null where HTTP allows no body. */
  readonly body: string | null
}

const BODYLESS: ReadonlySet<number> = new Set([204, 301, 302, 303, 304, 307, 308])

type Answer = Awaited<ReturnType<Route['run']>>

/** Through the schema the route declared for this status, so that nothing undeclared can leave the server. */
export function serialise({ route }: ServedRoute, reply: FastifyReply, answer: Answer): NewestAnswer {
  const { status, headers = {} } = answer
  if (route.schema.response[status] === undefined) {
    throw new Error(`${route.operation} answered ${status}, which it does not declare`)
  }
  if (BODYLESS.has(status)) return { status, headers, body: null }
  if (route.contentType !== undefined) return { status, headers, body: textBody(route, answer.body) }
  const toText = reply.getSerializationFunction(String(status))
  if (toText === undefined) throw new Error(`${route.operation} has no serialiser for ${status}`)
  const body: unknown = toText(answer.body as Record<string, unknown>)
  return { status, headers, body: String(body) }
}

function textBody({ operation }: Route, body: unknown): string {
  if (typeof body !== 'string') throw new Error(`${operation} must answer with text`)
  return body
}

export function sendAnswer(served: ServedRoute, request: FastifyRequest, reply: FastifyReply, answer: NewestAnswer) {
  const { contentType } = served.route
  const page = contentType?.startsWith('text/html') ? PAGE_HEADERS : {}
  reply.code(answer.status).headers(page)
  for (const [name, value] of Object.entries(answer.headers)) {
    if (name.toLowerCase() === 'set-cookie') setCookies(reply, [value].flat())
    else reply.header(name, value)
  }
  if (answer.body === null) return reply.send()
  reply.type(contentType ?? 'application/json; charset=utf-8')
  return reply.send(contentType === undefined ? inVersion(served, request, answer) : answer.body)
}

/** A cookie the route sets takes the place of one of the same name that the edge was about to set. */
function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  const nameOf = (cookie: string) => cookie.split('=', 1)[0]
  const before = [reply.getHeader('set-cookie') ?? []].flat().map(String)
  const names = new Set(cookies.map(nameOf))
  const kept = before.filter((cookie) => !names.has(nameOf(cookie)))
  reply.removeHeader('set-cookie').header('set-cookie', [...kept, ...cookies])
}

/** Older forms are made from the newest text, after the schema has picked its fields: a step cannot leak one. */
function inVersion({ steps }: ServedRoute, { edge }: FastifyRequest, { status, body }: NewestAnswer): string {
  if (body === null || !steps.changesResponse(edge.version)) return body ?? ''
  return JSON.stringify(steps.response(edge.version, JSON.parse(body), status))
}
