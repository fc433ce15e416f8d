import type { CustomFetch } from 'openid-client'
import { ProviderRefusal } from './provider-refusal.ts'

/** What one answer of a provider may cost us. */
export type AnswerLimits = {
  readonly bytesMax: number
  /** From the request to the last byte of the answer. */
  readonly milliseconds: number
}

/** A provider that takes longer than this is down as far as a waiting person is concerned. */
export const ANSWER_LIMITS: AnswerLimits = { bytesMax: 1_000_000, milliseconds: 10_000 }

/**
 * `fetch` that has read the whole answer when it resolves. The library's own timeout does not bound how much a provider
 * sends, and `fetch` itself would read an endless answer until memory is full.
 */
export function boundedFetch({ bytesMax, milliseconds }: AnswerLimits): CustomFetch {
  return async (url, { signal, ...sent }) => {
    const late = AbortSignal.timeout(milliseconds)
    const stop = signal === undefined || signal === null ? late : AbortSignal.any([signal, late])
    try {
      const response = await fetch(url, { ...sent, signal: stop } as RequestInit)
      const bytes = await readAtMost(response, bytesMax)
      const { status, statusText } = response
      return new Response(bytes, { status, statusText, headers: withoutEncoding(response.headers) })
    } catch (error) {
      if (stop.aborted) throw new ProviderRefusal('down', `no whole answer within ${milliseconds} ms`)
      throw error
    }
  }
}

/** Null for an answer without a body, which some statuses must not have. */
async function readAtMost(response: Response, bytesMax: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (response.body === null) return null
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of response.body) {
    total += chunk.byteLength
    // Leaving the loop cancels the stream, which closes the connection.
    if (total > bytesMax) throw new ProviderRefusal('broken', `an answer of more than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** The bytes are decoded by now. */
function withoutEncoding(headers: Headers): Headers {
  const kept = new Headers(headers)
  kept.delete('content-encoding')
  kept.delete('content-length')
  return kept
}
