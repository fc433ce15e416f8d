import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '#kernel/caller.ts'
import { type Presented, readBearer, requireCaller } from './authenticate.ts'
import { authorize } from './authorize.ts'
import { headerOf, setVersion } from './begin-request.ts'
import { admitPerson } from './browser/admit-person.ts'
import type { Edge, ServedRoute } from './request-state.ts'
import { resolveVersion } from './versions.ts'

/**
 * Everything that can refuse a request before its body is read, cheapest and most general first: how often (429), who
 * (401), then the version (400), then what they may do (403). Resolves to the reply where it has been sent.
 */
export async function admit(
  edge: Edge,
  served: ServedRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { access } = served.route
  if (access.kind === 'session') return admitPerson(edge, served, request, reply)
  reply.headers(edge.cors.answer(access, null))
  if (access.kind === 'token') reply.header('vary', `Authorization, ${edge.names.version}`)
  const presented = access.kind === 'open' ? null : readBearer(request.headers.authorization)
  const credential = presented?.credential ?? null
  const counting = served.limiter?.({ address: request.ip, credential })
  if (counting !== undefined) await counting
  const holder = presented === null ? null : await holderOf(edge, request, presented)
  request.edge.caller = holder
  if (holder !== null && holder.kind !== 'publishable') hideFromBrowsers(reply)
  const caller = access.kind === 'open' ? null : requireCaller(holder, credential)
  const pinned = caller === null || caller.kind === 'operator' ? undefined : caller.apiVersion
  const header = headerOf(request, edge.names.version)
  setVersion(edge, request, reply, resolveVersion({ headerName: edge.names.version, header, pinned }))
  if (access.kind === 'token' && caller !== null) authorize(access, caller)
  return undefined
}

async function holderOf({ ports }: Edge, request: FastifyRequest, { bearer }: Presented): Promise<Caller | null> {
  const caller = await ports.authenticate(bearer)
  if (caller === null) ports.limit?.unknownCredential(request.ip)
  return caller
}

/** A page on another origin must not read what a token opens, even where a publishable key could read the same. */
function hideFromBrowsers(reply: FastifyReply): void {
  reply.removeHeader('access-control-allow-origin').removeHeader('access-control-expose-headers')
}
