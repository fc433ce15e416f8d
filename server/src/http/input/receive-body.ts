import type { IncomingMessage } from 'node:http'
import { ApiError } from '#kernel/errors.ts'

/**
 * So much of a body that is too large is read and thrown away: to hang up on a client that is still sending would often
 * lose it the answer that says why.
 */
const DRAINED_BYTES_MAX = 16_777_216

/** Refuses a body whose length is said and too large before a byte of it is read. */
export function requireLength({ headers }: IncomingMessage, bytesMax: number): void {
  if (Number(headers['content-length']) > bytesMax) throw tooLarge(bytesMax)
}

/** All of a request's body. */
export function receiveBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength
    if (bytes <= bytesMax) chunks.push(chunk)
    else chunks.length = 0
    if (bytes > DRAINED_BYTES_MAX) reject(tooLarge(bytesMax))
  })
  request.once('end', () => (bytes > bytesMax ? reject(tooLarge(bytesMax)) : resolve(Buffer.concat(chunks))))
  // Broken off: nobody is left to read the answer. Node reports both, in either order, and the first counts.
  request.once('error', (error) => reject(brokenOff(error)))
  request.once('close', () => reject(brokenOff(null)))
  // Gone already, while we looked who it was.
  if (request.destroyed) reject(brokenOff(null))
  return promise
}

/** Whether what is still to come of the body is so little that the connection can be kept: Node throws it away by itself. */
export function endsSoon({ complete, headers }: IncomingMessage): boolean {
  return complete || Number(headers['content-length']) <= DRAINED_BYTES_MAX
}

function brokenOff(error: Error | null): ApiError {
  const code = error === null ? 'closed' : String(Reflect.get(error, 'code'))
  return new ApiError('invalid_request', { public: 'The request could not be read.', internal: code })
}

function tooLarge(bytesMax: number): ApiError {
  return new ApiError('payload_too_large', {
    public: `The request body is larger than the ${inWords(bytesMax)} that this operation accepts.`,
    remediation: 'Send less in one request.',
  })
}

const UNITS = [
  [1_048_576, 'MiB'],
  [1_024, 'KiB'],
] as const

function inWords(bytes: number): string {
  const [size, unit] = UNITS.find(([each]) => bytes % each === 0) ?? [1, 'bytes']
  return `${bytes / size} ${unit}`
}
