import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { reasonOf } from '../connection/explain.ts'
import { usageFailure } from '../failure.ts'
import { type Signing, signedHeaders } from './signature.ts'

/** The service also waits this long for the response of a webhook endpoint. */
const TIMEOUT_MS = 15_000

export type Forwarded =
  | { readonly outcome: 'answered'; readonly status: number; readonly ms: number }
  /**
   * The request timed out, or the receiver closed the connection without a response. The receiver may have received
   * the request.
   */
  | { readonly outcome: 'no_answer'; readonly reason: string; readonly ms: number }
  /** The request could not be sent, for example because no program listens at the address, or the connection did not open. */
  | { readonly outcome: 'refused'; readonly reason: string }

export function readForwardUrl(text: string | undefined): string | null {
  if (text === undefined) return null
  // People type `3000/hook` and `localhost:3000/hook`.
  const full = /^\d+(\/|$)/.test(text) ? `http://127.0.0.1:${text}` : /^https?:/.test(text) ? text : `http://${text}`
  // The line above would accept another scheme as a host name: it turns `ftp://files` into `http://ftp://files`.
  if (!URL.canParse(full) || /^[a-z][\w+.-]*:\/\//i.test(text) !== /^https?:/.test(text))
    throw usageFailure(`"${text}" is not an address.`, 'It looks like http://127.0.0.1:3000/hook.')
  return new URL(full).href
}

/** Sends one POST like a webhook delivery: signed, without following redirects, within 15 seconds. */
export function forward(
  url: string,
  signing: Signing,
  signal: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<Forwarded> {
  const started = performance.now()
  const ms = () => Math.round(performance.now() - started)
  const sendRequest = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': signing.body.length,
      'user-agent': 'Portico-Webhooks/1',
      ...signedHeaders(signing),
    }
    const request = sendRequest(url, { method: 'POST', headers, agent: false, timeout: timeoutMs, signal })
    const fail = (reason: string, unsentReason = reason) => {
      const wasSent = request.socket?.connecting === false && request.writableFinished
      resolve(wasSent ? { outcome: 'no_answer', reason, ms: ms() } : { outcome: 'refused', reason: unsentReason })
    }
    request.once('response', (response) => {
      response.resume()
      resolve({ outcome: 'answered', status: response.statusCode ?? 0, ms: ms() })
    })
    request.once('timeout', () => {
      const within = `within ${timeoutMs / 1_000} s`
      fail(`no answer ${within}`, `no connection ${within}`)
      request.destroy()
    })
    request.once('error', (error) => fail(reasonOf(error)))
    request.end(signing.body)
  })
}
