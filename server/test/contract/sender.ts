import { type ErrorResponse, readError } from '#http/testing/error-response.ts'

export type Fields = Readonly<Record<string, unknown>>

/** A record, either flat or with its fields under `attributes`. */
export type Resource = {
  readonly id: string
  readonly status: string
  readonly scopes: readonly string[]
  readonly attributes: Fields
  readonly [more: string]: unknown
}

export type TokenBlock = {
  readonly access_token: string
  readonly scope: string
  readonly expires_in?: number
  readonly [more: string]: unknown
}

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly data: Resource
  /** The value of `data` if it is a list. */
  readonly list: readonly Resource[]
  readonly meta: Fields
  /** The token in responses that contain an installation. */
  readonly token: TokenBlock
  /** The secret in responses that contain a key. */
  readonly client_secret: string | null
  /** The error of a rejection. `readError` has checked that it follows the rules for every error. */
  readonly error: ErrorResponse
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
export type Send = (
  method: Method,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>

export function sender(url: string, always: Readonly<Record<string, string>>): Send {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...always, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const seen = { status: response.status, headers: response.headers }
    if (!response.ok) return { ...seen, error: await readError(response) } as Answer
    const text = await response.text()
    const parsed = (text === '' ? {} : JSON.parse(text)) as { data?: unknown }
    return { ...seen, ...parsed, list: parsed.data } as Answer
  }
}

/** Returns a rejection as one line: `403 insufficient_scope`. */
export const refusalOf = ({ status, error }: Answer): string => `${status} ${error?.type}`
