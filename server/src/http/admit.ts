import type { FastifyReply, FastifyRequest } from 'fastify'
import { lookUp, requireCaller } from './authenticate.ts'
import { authorize } from './authorize.ts'
import { headerOf, setVersion } from './begin-request.ts'
import type { Edge, ServedRoute } from './request-state.ts'
import { resolveVersion } from './versions.ts'

/**
 * Everything that can refuse a request before its body is read, cheapest and most general first: who (and how often,
 * 429), then 401, then the version (400), then what they may do (403).
 */
export async function admit(
  edge: Edge,
  { route }: ServedRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { access, operation, tag } = route
  reply.headers(edge.cors.answer(access, null))
  if (access.kind === 'token') reply.header('vary', `Authorization, ${edge.names.version}`)
  const presented = await lookUp(edge.ports.authenticate, access, request.headers.authorization)
  request.edge.caller = presented.caller
  if (presented.caller !== null && presented.caller.kind !== 'publishable') hideFromBrowsers(reply)
  await edge.ports.limit?.({ operation, tag, address: request.ip, ...presented })
  const caller = access.kind === 'open' ? null : requireCaller(presented)
  const pinned = caller === null || caller.kind === 'operator' ? undefined : caller.apiVersion
  const header = headerOf(request, edge.names.version)
  setVersion(edge, request, reply, resolveVersion({ headerName: edge.names.version, header, pinned }))
  if (access.kind === 'token' && caller !== null) authorize(access, caller)
}

/** A page on another origin must not read what a token opens, even where a publishable key could read the same. */
function hideFromBrowsers(reply: FastifyReply): void {
  reply.removeHeader('access-control-allow-origin').removeHeader('access-control-expose-headers')
}
