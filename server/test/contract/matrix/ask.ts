import { Agent, request } from 'node:http'

export type CellRequest = {
  readonly method: string
  readonly path: string
  readonly authorization: string | null
  /** Further headers, such as a browser's cookie and CSRF token. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/**
 * Returns the response as the text of a cell of the matrix. The text is the status. For an error, these follow: the type,
 * the reason, the code of a fault in the header X-Portico-Reason, and the scopes that WWW-Authenticate names.
 */
export type SendRequest = (asked: CellRequest) => Promise<string>

export type Sender = { readonly send: SendRequest; close(): void }

/**
 * Sends many thousand requests over a few open connections. It returns only the text of a cell, because the matrix is about
 * who may call a route, not about the data in the response.
 */
export function openSender(url: string): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const send: SendRequest = ({ method, path, authorization, headers, body }) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const sent = request(url + path, {
        agent,
        method,
        headers: {
          // An operator must send a reason with every request about a person and with every change of a partner.
          'x-portico-reason': 'Tests',
          ...headers,
          ...(authorization === null ? {} : { authorization }),
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
      })
      sent.once('error', reject)
      sent.once('response', (response) => {
        // A stream does not end by itself.
        if (response.headers['content-type'] === 'text/event-stream') {
          response.on('error', () => {}).destroy()
          resolve(String(response.statusCode))
          return
        }
        let responseText = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => (responseText += part))
        response.once('error', reject)
        response.once('end', () =>
          resolve(outcome(response.statusCode ?? 0, responseText, response.headers['www-authenticate'])),
        )
      })
      sent.end(text)
    })
  return { send, close: () => agent.destroy() }
}

type Field = { readonly field: string; readonly code: string }
type Refused = {
  readonly type?: string
  readonly details?: { readonly reason?: unknown; readonly fields?: readonly Field[] }
}

const INSUFFICIENT = /^Bearer error="insufficient_scope"(?:, scope="([^"]+)")?$/

function outcome(status: number, text: string, challenge: string | undefined): string {
  if (status < 400) return String(status)
  const { type = 'no type', details } = (JSON.parse(text) as { error?: Refused }).error ?? {}
  const about = details?.fields?.find(({ field }) => field === 'X-Portico-Reason')
  const more = [details?.reason, about?.field, about?.code].filter((word) => typeof word === 'string')
  const summary = [status, type, ...more].join(' ')
  switch (type) {
    case 'insufficient_scope':
      return `${summary} ${scopesIn(challenge ?? '')}`.trimEnd()
    case 'invalid_token':
      return challenge === 'Bearer error="invalid_token"' ? summary : `${summary} with WWW-Authenticate: ${challenge}`
    default:
      return challenge === undefined ? summary : `${summary} with WWW-Authenticate: ${challenge}`
  }
}

/**
 * Returns the scopes that the header names. The list is empty if the operation needs no scope and this kind of
 * credential has no user.
 */
function scopesIn(challenge: string): string {
  const found = INSUFFICIENT.exec(challenge)
  return found === null ? `with WWW-Authenticate: ${challenge}` : (found[1] ?? '')
}
