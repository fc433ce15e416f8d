import createClient from 'openapi-fetch'
import type { components, paths } from './api-types.ts'

export type Schemas = components['schemas']
export type App = Schemas['App']
export type Mode = 'test' | 'live'

type ErrorBody = Schemas['Error']['error']

/** The API responded with an error, or no response came. */
export class ApiFailure extends Error {
  /** The HTTP status; 0 if the server could not be reached. */
  readonly status: number
  readonly type: string
  readonly requestId: string | null
  readonly remediation: string | null
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, { type, message, request_id, remediation, details }: ErrorBody) {
    super(message)
    this.status = status
    this.type = type
    this.requestId = request_id === '' ? null : request_id
    this.remediation = remediation ?? null
    this.details = details ?? {}
  }

  /** The page on which the person proves their identity. Null unless the server asks for a recent proof. */
  get confirmUrl(): string | null {
    const { reason, confirm_url } = this.details
    return reason === 'recent_proof_required' && typeof confirm_url === 'string' ? confirm_url : null
  }

  /** The message for each invalid field of the request, by the name of the field. */
  fieldErrors(): Readonly<Record<string, string>> {
    const { fields } = this.details
    if (!Array.isArray(fields)) return {}
    return Object.fromEntries(fields.map(({ field, message }) => [String(field), String(message)]))
  }
}

const UNREACHABLE: ErrorBody = {
  type: 'unavailable',
  message: 'The server cannot be reached.',
  request_id: '',
  remediation: 'Check your connection and try again.',
}

export const unreachable = () => new ApiFailure(0, UNREACHABLE)

let csrf = ''

/** The CSRF token, which every request other than a GET sends. `GET /portal/api/me` returns the token. */
export const csrfToken = () => csrf

export function setCsrf(token: string): void {
  csrf = token
}

export const client = createClient<paths>({ baseUrl: location.origin, fetch: fetchOrFail })

client.use({
  onRequest: ({ request }) => {
    if (request.method !== 'GET') request.headers.set('X-Portico-Csrf', csrf)
    return request
  },
})

async function fetchOrFail(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    if (request.signal.aborted) throw error
    throw unreachable()
  }
}

type ApiResponse<Data> = { readonly data?: Data; readonly error?: unknown; readonly response: Response }

/** Returns the body of a successful response; any other response throws an ApiFailure. */
export async function read<Data>(request: Promise<ApiResponse<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await request
  if (response.ok) return data as NonNullable<Data>
  throw new ApiFailure(response.status, errorBody(error, response))
}

function errorBody(error: unknown, response: Response): ErrorBody {
  const body = (error as Partial<Schemas['Error']> | undefined)?.error
  if (body !== undefined) return body
  return { type: 'internal_error', message: `The server answered ${response.status}.`, request_id: '' }
}

type Page<Row> = {
  readonly data: readonly Row[]
  readonly meta: { readonly has_more: boolean; readonly next_cursor: string | null }
}

/** Reads all pages of a short list and returns their rows. */
export async function readAll<Row>(readPage: (cursor?: string) => Promise<Page<Row>>): Promise<readonly Row[]> {
  const rows: Row[] = []
  let cursor: string | undefined
  do {
    const { data, meta } = await readPage(cursor)
    rows.push(...data)
    cursor = meta.has_more ? (meta.next_cursor ?? undefined) : undefined
  } while (cursor !== undefined)
  return rows
}
