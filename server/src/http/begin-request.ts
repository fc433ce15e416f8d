import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '#kernel/errors.ts'
import { observeRequest } from './request-log.ts'
import type { Edge } from './request-state.ts'
import { knownVersion, NEWEST, type Version } from './versions.ts'

/** The first thing that happens to any request: it gets its id, its headers and its line in the log. */
export function beginRequest(edge: Edge, request: FastifyRequest, reply: FastifyReply): void {
  // Until the caller is known, answers speak the version asked for if there is one.
  const version = knownVersion(headerOf(request, edge.names.version)) ?? NEWEST
  request.edge = { startedMs: performance.now(), version, caller: null, failure: null }
  reply.headers(edge.baseHeaders)
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

/** Node would answer this by itself, without a request id; RFC 9112 asks for the 400. */
export function requireHost(request: FastifyRequest): void {
  if (request.raw.httpVersion !== '1.1' || request.headers.host !== undefined) return
  throw new ApiError('invalid_request', { public: 'The request has no Host header.' })
}

export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : value
}
