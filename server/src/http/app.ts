import Fastify, {
  type FastifyBodyParser,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { beginRequest, requireHost } from './begin-request.ts'
import { brandHeaders } from './brand-headers.ts'
import { answerClientError, answerConnect } from './client-error.ts'
import { corsHeaders } from './cors.ts'
import { frameworkError } from './framework-errors.ts'
import { parseBody } from './input/read-body.ts'
import { knownPaths } from './known-paths.ts'
import { asOAuthError } from './oauth-error.ts'
import { pageOfError } from './pages/error-page.ts'
import type { Ports } from './ports.ts'
import { recordRefused } from './record-action.ts'
import { registerRoutes } from './register-routes.ts'
import { asEnvelope, renderError } from './render-error.ts'
import type { Edge } from './request-state.ts'
import { MEDIA_TYPES, type Route } from './route.ts'
import { securityHeaders } from './security-headers.ts'
import { serverOptions } from './server-options.ts'
import { HTTP_DEFAULTS, type HttpSettings } from './settings.ts'
import { answerUnmatched } from './unknown-route.ts'

export type AppParts = {
  readonly routes: readonly Route[]
  readonly ports: Ports
  readonly settings?: Partial<HttpSettings>
}

/**
 * The edge as one Fastify instance. A request goes: id and headers, 404 or 405, who and how often and in which version
 * and whether at all (`admit`), media type, body, schemas, work, answer. Whatever is thrown on the way is rendered in
 * one place.
 */
export function buildApp(parts: AppParts): FastifyInstance {
  const edge = edgeOf(parts)
  const app: FastifyInstance = Fastify({
    ...serverOptions(edge),
    clientErrorHandler: (error, socket) => answerClientError(edge, error, socket),
    // The router's own refusals (a path that cannot be decoded, an endless segment) come before any hook.
    frameworkErrors: (error, request, reply) => {
      beginRequest(edge, request as unknown as FastifyRequest, reply as unknown as FastifyReply)
      sendError(edge, error, { request: request as unknown as FastifyRequest, reply: reply as unknown as FastifyReply })
    },
  })
  app.server.maxConnections = edge.settings.connectionsMax
  app.server.on('connect', (_request, socket) => answerConnect(edge, socket))
  // An Expect we do not know is ignored, as RFC 9110 allows; Node would answer 417 by itself.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  app.removeAllContentTypeParsers()
  // The framework remembers its parser for a type it was told of, and looks for one every time for any other.
  for (const type of [...MEDIA_TYPES, '*']) app.addContentTypeParser(type, { parseAs: 'buffer' }, readBody)
  app.addHook('onRequest', (request, reply, done) => {
    beginRequest(edge, request, reply)
    requireHost(request)
    if (request.is404) answerUnmatched(edge, request, reply)
    else done()
  })
  hangUpWhenClosing(app)
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(edge, error, { request, reply }))
  registerRoutes(app, edge, parts.routes)
  return app
}

const readBody: FastifyBodyParser<Buffer> = (request, bytes, done) =>
  done(null, parseBody(request.headers, bytes, request.edge.route?.bodyAs))

/** Closing waits for connections to end, and one that stays open after its last answer would make it wait in vain. */
function hangUpWhenClosing(app: FastifyInstance): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
}

function edgeOf({ routes, ports, settings }: AppParts): Edge {
  const all = { ...HTTP_DEFAULTS, ...settings }
  const names = brandHeaders(all.brand)
  return {
    ports,
    settings: all,
    names,
    cors: corsHeaders(names),
    baseHeaders: securityHeaders(all),
    pathAt: knownPaths(routes),
    presentations: { envelope: asEnvelope, oauth: asOAuthError, page: pageOfError(all.brand) },
  }
}

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

function sendError(edge: Edge, thrown: FastifyError, { request, reply }: Exchange): void {
  const error = frameworkError(thrown, request.routeOptions.bodyLimit) ?? thrown
  const presented = renderError(error, request.id, edge.presentations[request.edge.errorsAs])
  const { status, headers, contentType, body, failure } = presented
  request.edge.failure = failure
  recordRefused(edge, request, failure.type)
  if (drains(request)) reply.removeHeader('connection')
  reply.code(status).headers(headers).type(contentType).send(body)
}

const DRAINED_BYTES_MAX = 16_777_216

/**
 * The framework hangs up after a body it did not take. A client that is still sending would then often lose the answer
 * that says why, so a body of known and moderate length is read to its end and thrown away.
 */
function drains(request: FastifyRequest): boolean {
  return Number(request.headers['content-length']) <= DRAINED_BYTES_MAX
}
