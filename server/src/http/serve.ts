import type { FastifyReply, FastifyRequest } from 'fastify'
import { type NewestAnswer, sendAnswer, serialise } from './answer.ts'
import { headerOf } from './begin-request.ts'
import { claimFor, once } from './idempotency.ts'
import type { RawQuery } from './input/query-text.ts'
import type { Input } from './input/read-input.ts'
import type { Edge, ServedRoute } from './request-state.ts'
import { behaviour } from './versions.ts'

/** An admitted request: its input against the schemas, its work, its answer. */
export async function serve(edge: Edge, served: ServedRoute, request: FastifyRequest, reply: FastifyReply) {
  const { version } = request.edge
  const body = request.body === undefined ? undefined : served.steps.request(version, request.body)
  const input = served.readInput({ params: request.params, query: request.query as RawQuery, body }, version)
  const work = served.route.work === 'transaction' ? inTransaction : reading
  // The transaction, where there is one, has committed when this resolves: only then does the client hear of it.
  return sendAnswer(served, request, reply, await work(edge, served, { request, reply, input }))
}

type Visit = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly input: Input }

async function reading(edge: Edge, served: ServedRoute, visit: Visit): Promise<NewestAnswer> {
  const { caller } = visit.request.edge
  const db = caller === null ? undefined : edge.ports.databases[caller.world]
  return serialise(served, visit.reply, await run(served, visit, { db }))
}

async function inTransaction(edge: Edge, served: ServedRoute, visit: Visit): Promise<NewestAnswer> {
  const { caller } = visit.request.edge
  if (caller === null) throw new Error(`${served.route.operation} needs a caller to open a transaction for`)
  const claim = claimFor(served.route, caller, headerOf(visit.request, 'Idempotency-Key'), visit.input)
  return edge.ports.databases[caller.world].transaction((tx) =>
    // Serialised inside, so that an answer that cannot be sent undoes what it was about.
    once(edge.ports, tx, claim, async () => serialise(served, visit.reply, await run(served, visit, { tx }))),
  )
}

function run(
  { route }: ServedRoute,
  { request, input }: Visit,
  store: object,
): ReturnType<ServedRoute['route']['run']> {
  const given = {
    caller: request.edge.caller ?? undefined,
    params: input.params,
    query: input.query,
    body: input.body,
    requestId: request.id,
    behaviour: behaviour(request.edge.version),
    header: (name: string) => headerOf(request, name),
    address: request.ip,
    ...store,
  }
  // `route()` checked the declaration and forgot its types; what it was given matches what it declared.
  return route.run(given as never)
}
