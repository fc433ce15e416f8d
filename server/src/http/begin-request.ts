import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '#kernel/errors.ts'
import { observeRequest } from './request-log.ts'
import type { Edge } from './request-state.ts'
import { knownVersion, NEWEST, type Version } from './versions.ts'

/** The first thing that happens to any request: it gets its id, its headers and its line in the log. */
export function beginRequest(edge: Edge, request: FastifyRequest, reply: FastifyReply): void {
  // Until the caller is known, answers speak the version asked for if there is one.
  const version = knownVersion(headerOf(request, edge.names.version)) ?? NEWEST
  const route = request.routeOptions.config.served?.route ?? null
  const errorsAs = route?.errorsAs ?? 'envelope'
  request.edge = { startedMs: performance.now(), route, version, caller: null, browser: null, errorsAs, failure: null }
  reply.headers(edge.baseHeaders)
  // Before anything can be refused: a page has to be able to read why.
  if (route?.cors === 'any') reply.headers(edge.cors.readable)
  // Ours and never the client's: an id that two requests share would find neither in the log.
  reply.header('x-request-id', request.id).header('x-wf-request-id', request.id)
  reply.header(edge.names.versionLatest, NEWEST)
  setVersion(edge, request, reply, version)
  observeRequest(edge, request, reply)
}

export function setVersion(edge: Edge, request: FastifyRequest, reply: FastifyReply, version: Version): void {
  request.edge.version = version
  reply.header(edge.names.version, version)
}

/** Node would answer these by itself, without a request id, or not at all; RFC 9112 asks for the 400. */
export function requireHost(request: FastifyRequest): void {
  const { httpVersion, rawHeaders } = request.raw
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw new ApiError('invalid_request', { public: `HTTP/${httpVersion} is not spoken on this connection.` })
  }
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts++
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return
  throw new ApiError('invalid_request', { public: 'The request must have exactly one Host header.' })
}

export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : value
}
