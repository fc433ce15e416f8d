import { channel } from 'node:diagnostics_channel'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { AccountCaller, Caller } from '#kernel/caller.ts'
import { clientAddress, requestedHost, sentBy } from './client-address.ts'
import { respondToClientError, respondToConnect } from './client-error.ts'
import type { Edge } from './edge.ts'
import { HTTP_DEFAULTS, type HttpSettings } from './edge.ts'
import { Exchange, ExchangeResponse, endRequestSpan } from './exchange.ts'
import { handleRequest } from './handle-request.ts'
import { type Listening, listenOn, type Where } from './listen.ts'
import { asOAuthError } from './oauth-error.ts'
import { openDocuments } from './open-document.ts'
import { inTurn, takeBack } from './pipelining.ts'
import type { Ports, RequestLogPort } from './ports.ts'
import { knownPaths, registerRoutes } from './register-routes.ts'
import { asEnvelope, type Presentation } from './render-error.ts'
import type { Route } from './route.ts'
import { brandHeaders, corsHeaders, securityHeaders } from './security-headers.ts'
import { NEWEST } from './versions.ts'

export type AppParts = {
  readonly routes: readonly Route[]
  readonly ports: Ports
  /** Renders an error as a page, for a person who reads the response in a browser. */
  readonly pageOfError: Presentation
  readonly settings?: Partial<HttpSettings>
}

type AppServer = Server<typeof IncomingMessage, typeof ExchangeResponse>

/** The edge as one server. */
export type App = {
  readonly server: AppServer
  /** Resolves to the address for clients. */
  listen(where: Where): Promise<string>
  /**
   * Compiles the schemas of all routes, one route per turn of the event loop, so that no request has to wait for a compilation.
   */
  prepare(): Promise<void>
  /** Accepts no new connections, and resolves when all running requests have been answered. */
  close(): Promise<void>
}

/** How often Node checks for slow requests. With its default of 30 s the timeouts below would take effect too late. */
const TIMEOUT_CHECK_MS = 2_000

export function buildApp(parts: AppParts): App {
  let closing = false
  const edge = edgeOf(parts, () => closing)
  const { router, served } = registerRoutes(edge, parts.routes)
  const { settings } = edge
  const server: AppServer = createServer({
    ServerResponse: ExchangeResponse,
    maxHeaderSize: settings.headerBytesMax,
    headersTimeout: settings.headersTimeoutMs,
    requestTimeout: settings.requestTimeoutMs,
    keepAliveTimeout: settings.keepAliveTimeoutMs,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    // Node's own rejection would have no request id, so `requireHost` rejects the request.
    requireHostHeader: false,
  })
  server.maxConnections = settings.connectionsMax
  server.setTimeout(settings.silenceTimeoutMs)
  const listener = inTurn((request, response) => {
    const exchange = new Exchange(edge, request, response)
    observeRequest(edge, exchange)
    void handleRequest(edge, router, exchange)
  })
  server.on('request', listener)
  // 100 Continue is sent when the body is about to be read.
  server.on('checkContinue', listener)
  // An unknown Expect is ignored, as RFC 9110 allows; Node would answer 417.
  server.on('checkExpectation', listener)
  server.on('clientError', (error, socket) => {
    if (!takeBack(error, socket)) respondToClientError(edge, error, socket)
  })
  server.on('connect', (_request, socket) => respondToConnect(edge, socket))
  const hangUpOnSilent = silentConnections(server)
  let listening: Listening | null = null
  return {
    server,
    async listen(where) {
      listening = await listenOn(server, where)
      return listening.address
    },
    async prepare() {
      for (const { schemas } of served) {
        if (closing) return
        schemas()
        await turn()
      }
    },
    async close() {
      closing = true
      const closed = listening?.close()
      listening = null
      hangUpOnSilent()
      for (const end of edge.live) end()
      await closed
    },
  }
}

/**
 * Returns a function that closes the connections on which the client has sent nothing yet. Node does not count them as idle,
 * and would wait for them when the server closes.
 */
function silentConnections(server: AppServer): () => void {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
}

function edgeOf({ routes, ports, pageOfError, settings }: AppParts, isClosing: () => boolean): Edge {
  const all = { ...HTTP_DEFAULTS, ...settings }
  const names = brandHeaders(all.brand)
  const versionHeader = names.version.toLowerCase()
  return {
    ports,
    settings: all,
    names,
    versionHeader,
    cors: corsHeaders(names),
    headers: { ...securityHeaders(all), [names.versionLatest.toLowerCase()]: NEWEST },
    pathAt: knownPaths(routes),
    addressOf: clientAddress(all.trustedProxies),
    hostOf: requestedHost(all.trustedProxies),
    isTraceParent: sentBy(all.traceParents),
    presentations: { envelope: asEnvelope, oauth: asOAuthError, page: pageOfError },
    documents: openDocuments(),
    live: new Set(),
    isClosing,
    respondedEarly: new WeakSet(),
  }
}

const CLIENT_WENT_AWAY = 499

/** Publishes the operation and the status of each response on a diagnostics channel, for tests. */
const answered = channel('portico.answered')

/**
 * Writes one log line and one measurement per request, when it is finished or the client has disconnected. The line has the
 * route's pattern instead of the URL, and the kind of caller instead of the credential. Apart from ids in `internal`, it
 * contains no text from a client.
 */
function observeRequest(edge: Edge, exchange: Exchange): void {
  const { ports } = edge
  const { response } = exchange
  response.on('close', () => {
    const durationMs = performance.now() - exchange.startedMs
    const status = response.headersSent ? response.statusCode : unansweredStatus(exchange)
    if (!exchange.request.complete) noteUnfinished(edge, exchange)
    endRequestSpan(edge, exchange, status)
    if (answered.hasSubscribers && response.headersSent) publishResponse(exchange, status)
    if (ports.requestLog !== undefined)
      logForApp(ports.requestLog, exchange, { status, durationMs, nowMs: ports.clock.now() })
    ports.metrics.observe(exchange.served?.route.operation ?? 'unmatched', status, durationMs / 1_000)
    if (status >= 500) ports.log.error(lineOf(exchange, status, durationMs), 'request failed')
    else if (ports.log.isLevelEnabled('info')) ports.log.info(lineOf(exchange, status, durationMs), 'request')
  })
}

type Outcome = { readonly status: number; readonly durationMs: number; readonly nowMs: number }

/**
 * A request belongs to the app whose credential authenticated it. A request without a valid credential belongs to no
 * app.
 */
function logForApp(log: RequestLogPort, exchange: Exchange, { status, durationMs, nowMs }: Outcome): void {
  const { caller, served, failure } = exchange
  if (caller === null || served === null || caller.kind === 'account' || caller.kind === 'operator') return
  log.record({
    appId: caller.appId,
    world: caller.world,
    requestId: exchange.id,
    startedAtMs: nowMs - durationMs,
    method: exchange.method,
    route: served.route.path,
    status,
    durationMs,
    credential: caller.kind,
    keyId: caller.keyId,
    credentialDigest: exchange.counted?.sent.credential?.digest ?? null,
    installationId: caller.kind === 'installation' ? caller.installationId : null,
    errorType: failure?.type ?? null,
  })
}

function publishResponse({ served }: Exchange, status: number): void {
  if (served === null) return
  const { operation, path } = served.route
  answered.publish({ operation, path, status })
}

/** The status in the log if no response was sent, usually because the client left. 499 is the customary number for this. */
function unansweredStatus({ brokenWith, failure }: Exchange): number {
  return brokenWith ?? (failure?.type === 'internal_error' ? 500 : CLIENT_WENT_AWAY)
}

/**
 * The response was sent before the whole request had arrived. If the rest of the request is invalid, no second response may
 * follow.
 */
function noteUnfinished({ respondedEarly }: Edge, { request }: Exchange): void {
  const { socket } = request
  respondedEarly.add(socket)
  request.once('end', () => respondedEarly.delete(socket))
}

function lineOf(exchange: Exchange, status: number, durationMs: number) {
  const { id, served, method, caller, failure, response, live, span } = exchange
  return {
    request_id: id,
    operation: served?.route.operation ?? null,
    method,
    route: served?.route.path ?? null,
    status,
    duration_ms: Math.round(durationMs * 10) / 10,
    ...(span === null ? {} : { trace_id: span.traceId }),
    ...(caller === null ? {} : callerFields(caller)),
    ...(live === null ? {} : live.line()),
    ...(failure === null ? {} : { error_type: failure.type, internal: failure.internal, error: failure.error }),
    ...(response.writableFinished ? {} : { aborted: true }),
  }
}

function callerFields(caller: Caller | AccountCaller): Record<string, string> {
  if (caller.kind === 'account') return { caller: caller.kind }
  const who = caller.kind === 'operator' ? {} : { app_id: caller.appId }
  return { caller: caller.kind, world: caller.world, ...who }
}
