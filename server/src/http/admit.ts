import type { FastifyReply, FastifyRequest } from 'fastify'
import { lookUp, NOTHING, requireCaller } from './authenticate.ts'
import { authorize } from './authorize.ts'
import { headerOf, setVersion } from './begin-request.ts'
import { admitPerson } from './browser/admit-person.ts'
import type { Edge, ServedRoute } from './request-state.ts'
import { resolveVersion } from './versions.ts'

/**
 * Everything that can refuse a request before its body is read, cheapest and most general first: who (and how often,
 * 429), then 401, then the version (400), then what they may do (403). Resolves to the reply where it has been sent.
 */
export async function admit(
  edge: Edge,
  served: ServedRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { access, operation, tag } = served.route
  if (access.kind === 'session') return admitPerson(edge, served, request, reply)
  reply.headers(edge.cors.answer(access, null))
  if (access.kind === 'token') reply.header('vary', `Authorization, ${edge.names.version}`)
  const { authorization } = request.headers
  const presented = access.kind === 'open' ? NOTHING : await lookUp(edge.ports.authenticate, authorization)
  request.edge.caller = presented.caller
  if (presented.caller !== null && presented.caller.kind !== 'publishable') hideFromBrowsers(reply)
  if (edge.ports.limit !== undefined) await edge.ports.limit({ operation, tag, address: request.ip, ...presented })
  const caller = access.kind === 'open' ? null : requireCaller(presented)
  const pinned = caller === null || caller.kind === 'operator' ? undefined : caller.apiVersion
  const header = headerOf(request, edge.names.version)
  setVersion(edge, request, reply, resolveVersion({ headerName: edge.names.version, header, pinned }))
  if (access.kind === 'token' && caller !== null) authorize(access, caller)
  return undefined
}

/** A page on another origin must not read what a token opens, even where a publishable key could read the same. */
function hideFromBrowsers(reply: FastifyReply): void {
  reply.removeHeader('access-control-allow-origin').removeHeader('access-control-expose-headers')
}
