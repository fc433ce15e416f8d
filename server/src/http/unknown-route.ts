import { ApiError, notFound } from '#kernel/errors.ts'
import { send } from './answer.ts'
import type { Edge } from './edge.ts'
import { type Exchange, setHeaders } from './exchange.ts'

/**
 * Decides about requests no route matched, before their body is looked at: a path nobody serves is 404, another
 * method than those served is 405, and OPTIONS is answered for every path there is.
 */
export function answerUnmatched(edge: Edge, exchange: Exchange): void {
  const { method, request } = exchange
  const path = edge.pathAt(decoded(exchange.path))
  // Only a browser that is going somewhere says so: a person followed a link or typed an address.
  const person = request.headers['sec-fetch-mode'] === 'navigate'
  exchange.errorsAs = path?.errorsAs ?? (person ? 'page' : 'envelope')
  if (path === null) throw notFound('no such path')
  const { browsers } = path
  if (browsers?.how === 'any') setHeaders(exchange, edge.cors.readable)
  const allow = path.methods.join(', ')
  if (method !== 'OPTIONS') {
    throw new ApiError('method_not_allowed', {
      public: `${method} is not possible here. Possible: ${allow}.`,
      headers: { Allow: allow },
    })
  }
  const preflight = request.headers['access-control-request-method'] !== undefined
  if (browsers !== null && preflight) setHeaders(exchange, edge.cors.preflight(browsers))
  exchange.headers['allow'] = allow
  send(edge, exchange, 204, null)
}

/** The router matches decoded paths, so `/%69nvestments` is as known as `/investments`. */
function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    // Not decodable: no pattern will match it either.
    return path
  }
}
