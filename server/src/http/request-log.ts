import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccountCaller, Caller } from '#kernel/caller.ts'
import type { Edge } from './request-state.ts'

const CLIENT_WENT_AWAY = 499

/**
 * One line and one measurement per request, when its connection has let go of it: finished, or given up by the client.
 * Route patterns and never URLs, kinds of caller and never credentials: nothing a client typed is in the line.
 */
export function observeRequest({ ports }: Edge, request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.on('close', () => {
    const { startedMs, route, caller, failure } = request.edge
    const durationMs = performance.now() - startedMs
    // Gone before a word was said: not our 200, and by custom nobody's but the client's own.
    const status = reply.raw.headersSent ? reply.raw.statusCode : CLIENT_WENT_AWAY
    ports.metrics.observe(route?.operation ?? 'unmatched', status, durationMs / 1_000)
    const line = {
      request_id: request.id,
      operation: route?.operation ?? null,
      method: request.method,
      route: route?.path ?? null,
      status,
      duration_ms: Math.round(durationMs * 10) / 10,
      ...(caller === null ? {} : callerFields(caller)),
      ...(failure === null ? {} : { error_type: failure.type, internal: failure.internal, error: failure.error }),
      ...(reply.raw.writableFinished ? {} : { aborted: true }),
    }
    if (status >= 500) ports.log.error(line, 'request failed')
    else ports.log.info(line, 'request')
  })
}

function callerFields(caller: Caller | AccountCaller): Record<string, string> {
  if (caller.kind === 'account') return { caller: caller.kind }
  const who = caller.kind === 'operator' ? {} : { app_id: caller.appId }
  return { caller: caller.kind, world: caller.world, ...who }
}
