import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { answer } from './answer-request.ts'
import { brandHeaders } from './brand-headers.ts'
import { clientAddress, requestedHost } from './client-address.ts'
import { answerClientError, answerConnect } from './client-error.ts'
import { corsHeaders } from './cors.ts'
import type { Edge } from './edge.ts'
import { Exchange, ExchangeResponse } from './exchange.ts'
import { knownPaths } from './known-paths.ts'
import { asOAuthError } from './oauth-error.ts'
import { openDocuments } from './open-document.ts'
import { pageOfError } from './pages/error-page.ts'
import { inTurn, takeBack } from './pipelining.ts'
import type { Ports } from './ports.ts'
import { registerRoutes } from './register-routes.ts'
import { asEnvelope } from './render-error.ts'
import { observeRequest } from './request-log.ts'
import type { Route } from './route.ts'
import { securityHeaders } from './security-headers.ts'
import { HTTP_DEFAULTS, type HttpSettings } from './settings.ts'
import { NEWEST } from './versions.ts'

export type AppParts = {
  readonly routes: readonly Route[]
  readonly ports: Ports
  readonly settings?: Partial<HttpSettings>
}

type AppServer = Server<typeof IncomingMessage, typeof ExchangeResponse>

/** The edge as one server. */
export type App = {
  readonly server: AppServer
  /** Resolves to the address it can be reached under. */
  listen(where: { readonly host: string; readonly port: number }): Promise<string>
  /** Compiles the schemas of all routes, a route per turn of the event loop: no first request has to wait for its own. */
  prepare(): Promise<void>
  /** Takes no new connections, and resolves when what is under way has been answered. */
  close(): Promise<void>
}

/** How often Node looks for requests that take too long; its own 30 s would make the timeouts below a wish. */
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
    // Node's own refusal has no request id; `requireHost` refuses instead.
    requireHostHeader: false,
  })
  server.maxConnections = settings.connectionsMax
  server.setTimeout(settings.silenceTimeoutMs)
  const listener = inTurn((request, response) => {
    const exchange = new Exchange(edge, request, response)
    observeRequest(edge, exchange)
    void answer(edge, router, exchange)
  })
  server.on('request', listener)
  // Leave to send a body is given when it is going to be read.
  server.on('checkContinue', listener)
  // An Expect we do not know is ignored, as RFC 9110 allows; Node would answer 417 by itself.
  server.on('checkExpectation', listener)
  server.on('clientError', (error, socket) => {
    if (!takeBack(error, socket)) answerClientError(edge, error, socket)
  })
  server.on('connect', (_request, socket) => answerConnect(edge, socket))
  const hangUpOnSilent = silentConnections(server)
  return {
    server,
    async listen({ host, port }) {
      server.listen({ host, port })
      await once(server, 'listening')
      return addressOf(server.address() as AddressInfo)
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
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      hangUpOnSilent()
      await closed
    },
  }
}

/** Node does not count a connection that has never asked anything among the idle ones, and would wait for it when closing. */
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

/** An address of every interface is no address to go to; this machine's own is one of them. */
const REACHED_AS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

function addressOf({ address, family, port }: AddressInfo): string {
  return `http://${REACHED_AS[address] ?? (family === 'IPv6' ? `[${address}]` : address)}:${port}`
}

function edgeOf({ routes, ports, settings }: AppParts, isClosing: () => boolean): Edge {
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
    presentations: { envelope: asEnvelope, oauth: asOAuthError, page: pageOfError(all.platform) },
    documents: openDocuments(),
    isClosing,
    answeredEarly: new WeakSet(),
  }
}
