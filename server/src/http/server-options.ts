import type { Server } from 'node:http'
import type { FastifyHttpOptions } from 'fastify'
import { newId } from '#kernel/ids.ts'
import { parseQueryText } from './input/query-text.ts'
import type { Edge } from './request-state.ts'

/** How often Node looks for requests that take too long; its own 30 s would make the timeouts below a wish. */
const TIMEOUT_CHECK_MS = 2_000

export function serverOptions({ settings, ports }: Edge) {
  return {
    // Its lines would quote URLs, and with them whatever clients put there; ours are in request-log.ts.
    logger: false,
    genReqId: () => newId('request', ports.clock.now()),
    requestIdHeader: false,
    bodyLimit: settings.bodyBytesMax,
    trustProxy: typeof settings.trustProxy === 'boolean' ? settings.trustProxy : [...settings.trustProxy],
    requestTimeout: settings.requestTimeoutMs,
    connectionTimeout: settings.silenceTimeoutMs,
    keepAliveTimeout: settings.keepAliveTimeoutMs,
    // While closing, requests on open connections are still served; the framework's own 503 has no request id.
    return503OnClosing: false,
    // The header limit bounds a path already; a shorter one here would refuse long ids before asking who is calling.
    routerOptions: { querystringParser: parseQueryText, maxParamLength: settings.headerBytesMax },
    http: {
      maxHeaderSize: settings.headerBytesMax,
      headersTimeout: settings.headersTimeoutMs,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Node's own refusal has no request id; `requireHost` refuses instead.
      requireHostHeader: false,
    },
  } satisfies FastifyHttpOptions<Server>
}
