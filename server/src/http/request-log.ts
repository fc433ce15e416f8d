import { channel } from 'node:diagnostics_channel'
import type { AccountCaller, Caller } from '#kernel/caller.ts'
import type { Edge } from './edge.ts'
import type { Exchange } from './exchange.ts'

const CLIENT_WENT_AWAY = 499

/** For observers outside of the service; the tests compare what was answered with what the OpenAPI document lists. */
const answered = channel('portico.answered')

/**
 * One line and one measurement per request, when its connection has let go of it: finished, or given up by the client.
 * Route patterns and never URLs, kinds of caller and never credentials: nothing a client typed is in the line.
 */
export function observeRequest(edge: Edge, exchange: Exchange): void {
  const { ports } = edge
  const { response } = exchange
  response.on('close', () => {
    const durationMs = performance.now() - exchange.startedMs
    const status = response.headersSent ? response.statusCode : unansweredStatus(exchange)
    if (!exchange.request.complete) noteUnfinished(edge, exchange)
    if (answered.hasSubscribers && response.headersSent) publishAnswer(exchange, status)
    ports.metrics.observe(exchange.served?.route.operation ?? 'unmatched', status, durationMs / 1_000)
    if (status >= 500) ports.log.error(lineOf(exchange, status, durationMs), 'request failed')
    else if (ports.log.isLevelEnabled('info')) ports.log.info(lineOf(exchange, status, durationMs), 'request')
  })
}

function publishAnswer({ served }: Exchange, status: number): void {
  if (served === null) return
  const { operation, path } = served.route
  answered.publish({ operation, path, status })
}

/** Gone before a word was said: not our 200, and by custom nobody's but the client's own. */
function unansweredStatus({ brokenWith, failure }: Exchange): number {
  return brokenWith ?? (failure?.type === 'internal_error' ? 500 : CLIENT_WENT_AWAY)
}

/** The answer is out, and its request is still coming: should that break, there is nothing more to say to it. */
function noteUnfinished({ answeredEarly }: Edge, { request }: Exchange): void {
  const { socket } = request
  answeredEarly.add(socket)
  request.once('end', () => answeredEarly.delete(socket))
}

function lineOf(exchange: Exchange, status: number, durationMs: number) {
  const { id, served, method, caller, failure, response } = exchange
  return {
    request_id: id,
    operation: served?.route.operation ?? null,
    method,
    route: served?.route.path ?? null,
    status,
    duration_ms: Math.round(durationMs * 10) / 10,
    ...(caller === null ? {} : callerFields(caller)),
    ...(failure === null ? {} : { error_type: failure.type, internal: failure.internal, error: failure.error }),
    ...(response.writableFinished ? {} : { aborted: true }),
  }
}

function callerFields(caller: Caller | AccountCaller): Record<string, string> {
  if (caller.kind === 'account') return { caller: caller.kind }
  const who = caller.kind === 'operator' ? {} : { app_id: caller.appId }
  return { caller: caller.kind, world: caller.world, ...who }
}
