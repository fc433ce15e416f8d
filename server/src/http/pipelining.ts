import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ExchangeResponse } from './exchange.ts'

type Listener = (request: IncomingMessage, response: ExchangeResponse) => void

/** How many requests of one connection may wait for the responses to earlier requests. Later bytes stay unparsed. */
export const PARKED_MAX = 8

type Pipeline = {
  /** Requests that Node has parsed, and that wait for earlier responses. */
  parked: number
  /** Whether the parser got the order to stop in the current call. */
  pausing: boolean
  /** Whether the parser has stopped and needs `resumeReading`. */
  stopped: boolean
}

/** Only connections with pipelined requests have an entry. */
const pipelines = new WeakMap<Duplex, Pipeline>()

/**
 * Answers the requests of one connection one at a time and in order, and limits how many of them wait. Pipelined
 * requests may depend on each other, and a client that reads no responses must not occupy the service with thousands of
 * requests.
 *
 * One read from a socket returns up to 64 KiB. That is thousands of small requests, and Node's parser emits all of them
 * in one call, even after `socket.pause()`. Therefore the parser itself is stopped when `PARKED_MAX` requests wait. It
 * then reports HPE_PAUSED together with the bytes that it has not parsed (`takeBack`). Those bytes go back to the front
 * of the socket's read buffer, and the socket stops reading when that buffer is full. The parser continues when the
 * last parked request gets its turn. When a connection closes, its parked requests and unparsed bytes are dropped.
 */
export function inTurn(listener: Listener): Listener {
  return (request, response) => {
    if (response.socket !== null) listener(request, response)
    else park(request, response, listener)
  }
}

function park(request: IncomingMessage, response: ExchangeResponse, listener: Listener): void {
  const { socket } = request
  const pipeline = pipelines.get(socket) ?? pipelineOf(socket)
  pipeline.parked++
  // Node emits the event `socket` when the previous response is finished.
  response.once('socket', () => {
    pipeline.parked--
    // In each turn of the event loop, only one request of a connection starts, so that pipelining does not delay other clients.
    setImmediate(() => {
      if (socket.destroyed || !socket.writable) return
      listener(request, response)
      if (pipeline.parked === 0 && pipeline.stopped) resumeReading(socket, pipeline)
    })
  })
}

/** The return value of a parser callback that stops the parser at once (`HPE_PAUSED`). */
const PAUSED = 21

function pipelineOf(socket: Socket): Pipeline {
  const pipeline: Pipeline = { parked: 0, pausing: false, stopped: false }
  pipelines.set(socket, pipeline)
  const parser = parserOf(socket)
  if (parser === null) return pipeline
  // This calls Node's own function, which emits the request. `parser.pause()` would take effect only after the whole read.
  const { onIncoming } = parser
  parser.onIncoming = (...request) => {
    const returned = onIncoming(...request)
    pipeline.pausing = pipeline.parked >= PARKED_MAX
    return pipeline.pausing ? PAUSED : returned
  }
  return pipeline
}

/** True if the parser stopped because of parked requests. The unparsed bytes go back to the socket. */
export function takeBack(error: Error, socket: Duplex): boolean {
  const pipeline = pipelines.get(socket)
  const packet: unknown = Reflect.get(error, 'rawPacket')
  if (pipeline === undefined || Reflect.get(error, 'code') !== 'HPE_PAUSED' || !Buffer.isBuffer(packet)) return false
  // A parser that was paused before the call parses nothing, and the number of bytes that it reports is from an earlier call.
  const parsed = pipeline.pausing ? Number(Reflect.get(error, 'bytesParsed')) : 0
  pipeline.pausing = false
  if (!pipeline.stopped) {
    pipeline.stopped = true
    // Until now Node passed the bytes from the connection to the parser directly. With a listener they go through the socket.
    if (!socket.listeners('data').includes(ignoreData)) socket.on('data', ignoreData)
  }
  socket.pause()
  if (parsed < packet.length) socket.unshift(packet.subarray(parsed))
  return true
}

function ignoreData(): void {}

/**
 * An empty view of a buffer that is not empty. An empty buffer would give Node's parser a null pointer, which the parser reads
 * as the end of the connection.
 */
const NO_BYTES = Buffer.from('-').subarray(1)

function resumeReading(socket: Socket, pipeline: Pipeline): void {
  if (socket.destroyed) return
  // Node itself stopped reading because the client does not read its responses. Until the client reads, the parser rejects bytes.
  if (Reflect.get(socket, '_paused') === true) {
    socket.once('drain', () => resumeReading(socket, pipeline))
    return
  }
  pipeline.stopped = false
  parserOf(socket)?.resume()
  // The parser stopped after the headers of the last parked request. If no bytes follow, this completes the request.
  socket.emit('data', NO_BYTES)
  socket.resume()
}

type Parser = { onIncoming: (...request: unknown[]) => number; resume(): void }

/** Node stores a connection's parser on its socket; `null` once the connection is closed or was handed over. */
function parserOf(socket: Socket): Parser | null {
  const parser: unknown = Reflect.get(socket, 'parser')
  return isParser(parser) ? parser : null
}

function isParser(value: unknown): value is Parser {
  return typeof value === 'object' && value !== null && 'onIncoming' in value && 'resume' in value
}
