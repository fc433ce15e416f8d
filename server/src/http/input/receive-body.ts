import type { IncomingMessage } from 'node:http'
import { ApiError } from '#kernel/errors.ts'

/** All of a request's body. Refused before a byte is read where its length is said and too large. */
export function receiveBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > bytesMax) return reject(tooLarge(bytesMax))
    const chunks: Buffer[] = []
    let bytes = 0
    const take = (chunk: Buffer) => {
      bytes += chunk.byteLength
      if (bytes <= bytesMax) chunks.push(chunk)
      else {
        // What is still to come is thrown away.
        request.off('data', take).resume()
        reject(tooLarge(bytesMax))
      }
    }
    request.on('data', take)
    request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    // Broken off: nobody is left to read the answer. Both are told, in either order, and the first counts.
    request.once('error', (error) => reject(brokenOff(error)))
    request.once('close', () => reject(brokenOff(null)))
  })
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
