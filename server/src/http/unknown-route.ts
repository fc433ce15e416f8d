import { ApiError } from '#kernel/errors.ts'
import { send } from './answer.ts'
import type { Edge } from './edge.ts'
import { addHeaders, type Exchange, type SentHeaders } from './exchange.ts'

/**
 * Decides about requests no route matched, before their body is looked at: a path nobody serves is 404, another
 * method than those served is 405, and OPTIONS is answered for every path there is.
 */
export function answerUnmatched(edge: Edge, exchange: Exchange): void {
  const { method, request } = exchange
  const path = edge.pathAt(decoded(exchange.target.path))
  // Only a browser that is going somewhere says so: a person followed a link or typed an address.
  const person = request.headers['sec-fetch-mode'] === 'navigate'
  exchange.errorsAs = path?.errorsAs ?? (person ? 'page' : 'envelope')
  if (path === null) {
    throw new ApiError('not_found', {
      public: 'This path does not exist.',
      remediation: 'Check the spelling of the path. GET /docs lists every path of the API.',
      internal: 'no such path',
    })
  }
  const { browsers } = path
  if (browsers !== null) addHeaders(exchange.headers, edge.cors.readable)
  const allow = path.methods.join(', ')
  if (method !== 'OPTIONS') {
    throw new ApiError('method_not_allowed', {
      public: `This path exists, but not for ${method}. It supports ${allow}.`,
      remediation: 'Use one of these methods, or check the spelling of the path.',
      headers: { Allow: allow },
    })
  }
  const preflight = request.headers['access-control-request-method'] !== undefined
  const headers: SentHeaders = { ...exchange.headers, allow }
  if (browsers !== null && preflight) addHeaders(headers, edge.cors.preflight(browsers))
  send(edge, exchange, { status: 204, headers, body: null })
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
