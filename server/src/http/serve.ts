import type { AccountCaller } from '#kernel/caller.ts'
import type { World } from '#kernel/world.ts'
import {
  type PlatformTx,
  readPrimary,
  type StaleReads,
  type Tx,
  type WorldDatabase,
} from '#system/postgres/database.ts'
import { isStaffRequest } from './browser/admit-staff.ts'
import { requireOwnForm } from './browser/own-form.ts'
import type { Edge, ServedRoute } from './edge.ts'
import { type Exchange, headerOf } from './exchange.ts'
import { claimFor, once, withReplayStatus } from './idempotency.ts'
import { platformKeys, worldKeys } from './idempotency-store.ts'
import type { Input } from './input/read-input.ts'
import { parseQueryText } from './input/read-query.ts'
import { recordOperatorRead, whyOf } from './operator-reason.ts'
import { recordDone } from './record-action.ts'
import { type NewestResponse, sendResponse, serialise } from './send-response.ts'
import { behaviour } from './versions.ts'

/** Handles an admitted request: validates its input, runs its work, sends its response. */
export async function serve(edge: Edge, served: ServedRoute, exchange: Exchange): Promise<void> {
  const { version, params } = exchange
  const isBrowsers = served.route.access.kind === 'session' || isStaffRequest(exchange)
  const sent = isBrowsers ? requireOwnForm(edge, exchange) : exchange.body
  const body = sent === undefined ? undefined : served.steps.request(version, sent)
  const query = served.steps.query(version, parseQueryText(exchange.target.queryText))
  const input = served.schemas().readInput({ params, query, body }, version)
  // If there is a transaction, it has committed when this promise resolves. Only then is the response sent.
  const answer = await WORK[served.route.work](edge, served, { exchange, input })
  const sending = sendResponse(edge, served, exchange, withReplayStatus(answer, served.route, version))
  if (sending !== undefined) await sending
}

type RouteResult = Awaited<ReturnType<ServedRoute['route']['run']>>
type Visit = { readonly exchange: Exchange; readonly input: Input }

const WORK = { handler: reading, transaction: inTransaction, platform: onPlatform } as const

async function reading(edge: Edge, served: ServedRoute, visit: Visit): Promise<NewestResponse> {
  const { exchange } = visit
  const { caller } = exchange
  const db = caller === null || caller.kind === 'account' ? undefined : edge.ports.databases[caller.world]
  const answer = await run(edge, served, visit, { db })
  if (answer.refusal !== undefined) exchange.failure = { type: answer.refusal }
  const sent = serialise(served, answer)
  if (served.action !== null) await recordDone(edge, served, doneBy(visit, answer), null)
  if (caller?.kind === 'operator') {
    await recordOperatorRead(edge, served, exchange, { query: visit.input.query, body: answer.body })
  }
  return sent
}

async function inTransaction(edge: Edge, served: ServedRoute, visit: Visit): Promise<NewestResponse> {
  const { caller } = visit.exchange
  if (caller === null) throw new Error(`${served.route.operation} needs a caller to open a transaction for`)
  const world = caller.kind === 'account' ? await worldFor(served, caller, visit.input) : caller.world
  const claim = claimFor(served.route, caller, headerOf(visit.exchange, 'idempotency-key'), visit.input)
  return edge.ports.databases[world].transaction(async (tx) => {
    if (caller.kind === 'operator') await edge.ports.operatorAudit?.within(tx, whyOf(visit.exchange))
    return once(edge.ports, worldKeys(tx), claim, () => changing(edge, served, visit, { tx }))
  })
}

async function worldFor({ route }: ServedRoute, caller: AccountCaller, { params }: Input): Promise<World> {
  if (route.inWorld === undefined)
    throw new Error(`${route.operation} does not say in which world to open a transaction`)
  // As in `run`: `route()` has checked the declaration and erased its types.
  return route.inWorld({ caller, params } as never)
}

async function onPlatform(edge: Edge, served: ServedRoute, visit: Visit): Promise<NewestResponse> {
  const { caller } = visit.exchange
  const key = headerOf(visit.exchange, 'idempotency-key')
  // Idempotency keys of visitors who have not signed in are ignored, because all visitors would share them.
  const claim = caller === null ? null : claimFor(served.route, caller, key, visit.input)
  return edge.ports.platform.transaction(async (ptx) => {
    if (caller?.kind === 'operator') await edge.ports.operatorAudit?.onPlatform(ptx, whyOf(visit.exchange))
    return once(edge.ports, platformKeys(ptx), claim, () => changing(edge, served, visit, { ptx }))
  })
}

/**
 * Serializes the response and records the action inside the transaction, so that an error in one of these steps rolls
 * the transaction back.
 */
async function changing(
  edge: Edge,
  served: ServedRoute,
  visit: Visit,
  within: { readonly tx: Tx } | { readonly ptx: PlatformTx },
): Promise<NewestResponse> {
  const answer = await run(edge, served, visit, within)
  const sent = serialise(served, answer)
  await recordDone(edge, served, doneBy(visit, answer), within)
  return sent
}

function doneBy({ exchange, input }: Visit, answer: RouteResult) {
  return { exchange, answer, body: input.body }
}

const rejectStale: StaleReads = async (db) => {
  throw new Error(`a route without stale: 'ok' read a replica of ${db.world}`)
}

type Store = { readonly db?: WorldDatabase | undefined; readonly tx?: Tx; readonly ptx?: PlatformTx }

function run(
  edge: Edge,
  { route }: ServedRoute,
  { exchange, input }: Visit,
  { db, tx, ptx }: Store,
): ReturnType<ServedRoute['route']['run']> {
  const withoutCaller = route.access.kind === 'session' ? null : undefined
  const given = {
    caller: exchange.caller ?? withoutCaller,
    browser: exchange.browser ?? undefined,
    params: input.params,
    query: input.query,
    body: input.body,
    requestId: exchange.id,
    reason: exchange.reason,
    behaviour: behaviour(exchange.version),
    header: (name: string) => headerOf(exchange, name),
    isHead: exchange.method === 'HEAD',
    address: edge.addressOf(exchange.request),
    counted: exchange.counted,
    db,
    tx,
    ptx,
    ahead: exchange.ahead,
    staleReads: route.stale === 'ok' ? (edge.ports.staleReads ?? readPrimary) : rejectStale,
  }
  // `route()` has checked the declaration and erased its types; the arguments match the declaration.
  return route.run(given as never)
}
