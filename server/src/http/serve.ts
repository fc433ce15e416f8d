import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PlatformTx, Tx } from '#system/postgres/database.ts'
import { type NewestAnswer, sendAnswer, serialise } from './answer.ts'
import { headerOf } from './begin-request.ts'
import { requireOwnForm } from './browser/own-form.ts'
import { claimFor, once } from './idempotency.ts'
import { platformKeys, worldKeys } from './idempotency-store.ts'
import type { RawQuery } from './input/query-text.ts'
import type { Input } from './input/read-input.ts'
import { recordDone } from './record-action.ts'
import type { Edge, ServedRoute } from './request-state.ts'
import { behaviour } from './versions.ts'

/** An admitted request: its input against the schemas, its work, its answer. */
export async function serve(
  edge: Edge,
  served: ServedRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { version } = request.edge
  const sent = served.route.access.kind === 'session' ? requireOwnForm(edge, request) : request.body
  const body = sent === undefined ? undefined : served.steps.request(version, sent)
  const input = served.readInput({ params: request.params, query: request.query as RawQuery, body }, version)
  // The transaction, where there is one, has committed when this resolves: only then does the client hear of it.
  sendAnswer(served, request, reply, await WORK[served.route.work](edge, served, { request, reply, input }))
}

type Answer = Awaited<ReturnType<ServedRoute['route']['run']>>
type Visit = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly input: Input }

const WORK = { handler: reading, transaction: inTransaction, platform: onPlatform } as const

async function reading(edge: Edge, served: ServedRoute, visit: Visit): Promise<NewestAnswer> {
  const { caller } = visit.request.edge
  const db = caller === null || caller.kind === 'account' ? undefined : edge.ports.databases[caller.world]
  const answer = await run(served, visit, { db })
  if (answer.refusal !== undefined) visit.request.edge.failure = { type: answer.refusal }
  const sent = serialise(served, visit.reply, answer)
  if (served.action !== null) await recordDone(edge, served, doneBy(visit, answer), null)
  return sent
}

async function inTransaction(edge: Edge, served: ServedRoute, visit: Visit): Promise<NewestAnswer> {
  const { caller } = visit.request.edge
  if (caller === null || caller.kind === 'account') {
    throw new Error(`${served.route.operation} needs a caller of one world to open a transaction for`)
  }
  const claim = claimFor(served.route, caller, headerOf(visit.request, 'Idempotency-Key'), visit.input)
  return edge.ports.databases[caller.world].transaction((tx) =>
    once(edge.ports, worldKeys(tx), claim, () => changing(edge, served, visit, { tx })),
  )
}

async function onPlatform(edge: Edge, served: ServedRoute, visit: Visit): Promise<NewestAnswer> {
  const { caller } = visit.request.edge
  const key = headerOf(visit.request, 'Idempotency-Key')
  // A stranger's key would be everybody's.
  const claim = caller === null ? null : claimFor(served.route, caller, key, visit.input)
  return edge.ports.platform.transaction((ptx) =>
    once(edge.ports, platformKeys(ptx), claim, () => changing(edge, served, visit, { ptx })),
  )
}

/** Serialised and recorded inside, so that an answer that cannot be sent undoes what it was about. */
async function changing(
  edge: Edge,
  served: ServedRoute,
  visit: Visit,
  within: { readonly tx: Tx } | { readonly ptx: PlatformTx },
): Promise<NewestAnswer> {
  const answer = await run(served, visit, within)
  const sent = serialise(served, visit.reply, answer)
  await recordDone(edge, served, doneBy(visit, answer), within)
  return sent
}

function doneBy({ request, input }: Visit, answer: Answer) {
  return { request, answer, body: input.body }
}

function run(
  { route }: ServedRoute,
  { request, input }: Visit,
  store: object,
): ReturnType<ServedRoute['route']['run']> {
  const nobody = route.access.kind === 'session' ? null : undefined
  const given = {
    caller: request.edge.caller ?? nobody,
    browser: request.edge.browser ?? undefined,
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
