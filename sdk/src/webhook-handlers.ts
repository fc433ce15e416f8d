import type { WebhookEvent } from './webhook-events.ts'
import { type RawBody, type VerifyOptions, verify, type WebhookHeaders, WebhookVerificationError } from './webhooks.ts'

export type HandlerOptions = VerifyOptions & {
  /** One secret, or several while you rotate. */
  readonly secret: string | readonly string[]
  /**
   * Store the event, then return: the service waits 15 seconds for the response. If this function throws, the response is
   * 500, and the service sends the event again later.
   */
  readonly onEvent: (event: WebhookEvent) => Promise<void> | void
  /** Called when a POST request is rejected, or when `onEvent` throws. */
  readonly onError?: (error: unknown) => void
  /** A longer body is rejected. Default: 1 MiB. */
  readonly maxBytes?: number
}

type Reply = { readonly status: number; readonly text: string }

/** A handler for frameworks with `Request` and `Response`: Next.js, Deno, Bun, Cloudflare Workers, Hono. */
export function requestHandler(options: HandlerOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const reply = await respond(options, request.method, request.headers, () =>
      bodyOf(request.body, maxBytesOf(options)),
    )
    return new Response(reply.status === 204 ? null : reply.text, { status: reply.status })
  }
}

/** The parts that this package needs of Node’s request, with the `body` that Express and Next.js add. */
export type NodeRequest = AsyncIterable<Uint8Array | string> & {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body?: unknown
}
export type NodeResponse = { statusCode: number; end(text?: string): unknown }

/** A handler for `node:http`, API routes of Next.js and Express (`app.post('/hook', nodeHandler(…))`, before `express.json()`). */
export function nodeHandler(options: HandlerOptions): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const { status, text } = await respond(options, request.method, request.headers, () =>
      nodeBody(request, maxBytesOf(options)),
    )
    response.statusCode = status
    response.end(text)
  }
}

/** The methods that this package needs of a Fastify instance. */
export type FastifyInstance = {
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parser: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown
  post(
    path: string,
    options: { bodyLimit: number },
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ): unknown
}
type FastifyRequest = { readonly method: string; readonly headers: NodeRequest['headers']; readonly body: unknown }
type FastifyReply = { code(status: number): FastifyReply; send(text?: string): FastifyReply }

/**
 * A Fastify plugin: `app.register(fastifyPlugin({ path: '/hook', … }))`. It does not change the JSON parser of other routes.
 * Fastify itself rejects a body longer than `maxBytes`, so `onError` is not called for it.
 */
export function fastifyPlugin({ path, ...options }: HandlerOptions & { readonly path: string }) {
  return async (fastify: FastifyInstance): Promise<void> => {
    fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    // This sets the limit of the route. Otherwise Fastify would use the limit of the whole app.
    fastify.post(path, { bodyLimit: maxBytesOf(options) }, async (request, reply) => {
      const { status, text } = await respond(options, request.method, request.headers, async () =>
        requireRawBody(request.body),
      )
      return reply.code(status).send(text)
    })
  }
}

async function respond(
  options: HandlerOptions,
  method: string | undefined,
  headers: WebhookHeaders,
  read: () => Promise<RawBody>,
): Promise<Reply> {
  if (method !== 'POST') return { status: 405, text: 'Send a POST request.' }
  try {
    const event = await verify(await read(), headers, options.secret, options)
    await options.onEvent(event)
    return { status: 204, text: '' }
  } catch (error) {
    options.onError?.(error)
    if (error instanceof WebhookVerificationError) return { status: 400, text: error.message }
    if (error instanceof TooLong) return { status: 413, text: error.message }
    return { status: 500, text: 'The event could not be stored.' }
  }
}

class TooLong extends Error {
  override name = 'TooLong'
}

function maxBytesOf({ maxBytes = 1024 * 1024 }: HandlerOptions): number {
  return maxBytes
}

async function bodyOf(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<RawBody> {
  if (body === null) return ''
  const reader = body.getReader()
  async function* pieces() {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  }
  return joinBytes(pieces(), maxBytes)
}

async function nodeBody(request: NodeRequest, maxBytes: number): Promise<RawBody> {
  return request.body === undefined ? joinBytes(request, maxBytes) : requireRawBody(request.body)
}

/** Throws if the body was parsed: the signature is over the received bytes, so a parsed body cannot be verified. */
function requireRawBody(body: unknown): RawBody {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  throw new TypeError(
    'The body was parsed before it could be verified. Register this handler before express.json(), or switch the body parser of this route off.',
  )
}

async function joinBytes(pieces: AsyncIterable<Uint8Array | string>, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? new TextEncoder().encode(piece) : piece
    length += bytes.length
    if (length > maxBytes) throw new TooLong(`The body is longer than ${maxBytes} bytes.`)
    parts.push(bytes)
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
