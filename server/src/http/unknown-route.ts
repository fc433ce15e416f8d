import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, notFound } from '#kernel/errors.ts'
import type { Edge } from './request-state.ts'

/**
 * Decides about requests no route matched, before their body is looked at: a path nobody serves is 404, another
 * method than those served is 405, and OPTIONS is answered for every path there is.
 */
export function answerUnmatched(edge: Edge, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = edge.pathAt(pathOf(request.raw.url ?? ''))
  // Only a browser that is going somewhere says so: a person followed a link or typed an address.
  const person = request.headers['sec-fetch-mode'] === 'navigate'
  request.edge.errorsAs = path?.errorsAs ?? (person ? 'page' : 'envelope')
  if (path === null) throw notFound('no such path')
  const { browsers } = path
  if (browsers?.how === 'any') reply.headers(edge.cors.readable)
  const allow = path.methods.join(', ')
  if (request.method !== 'OPTIONS') {
    throw new ApiError('method_not_allowed', {
      public: `${request.method} is not possible here. Possible: ${allow}.`,
      headers: { Allow: allow },
    })
  }
  const preflight = request.headers['access-control-request-method'] !== undefined
  if (browsers !== null && preflight) reply.headers(edge.cors.preflight(browsers))
  return reply.code(204).header('allow', allow).send()
}

/** The router matches decoded paths, so `/%69nvestments` is as known as `/investments`. */
function pathOf(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? ''
  try {
    return decodeURI(path)
  } catch {
    // Not decodable: no pattern will match it either.
    return path
  }
}
