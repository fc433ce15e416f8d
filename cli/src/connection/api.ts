import { EXIT, type ExitCode, Failure } from '../failure.ts'

export type Credential =
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'basic'; readonly id: string; readonly secret: string }

export type Call = {
  readonly method?: string
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export type Answer<T> = { readonly status: number; readonly headers: Headers; readonly body: T }

export type ApiSettings = {
  readonly baseUrl: string
  /** What to do when the credential is not accepted, or nothing answers. */
  readonly remedies: { readonly credential: string; readonly unreachable: string }
}

/** A request to the service; every refusal becomes a `Failure` that says what to do. */
export async function callApi<T>(settings: ApiSettings, credential: Credential | null, path: string, call: Call = {}) {
  const response = await send(settings, credential, path, call)
  const text = await response.text()
  if (!response.ok) throw refusal(settings, response, text)
  const body = (text === '' ? null : JSON.parse(text)) as T
  return { status: response.status, headers: response.headers, body } satisfies Answer<T>
}

/** The response as it comes, for streams. Throws where nothing answers. */
export async function send(
  { baseUrl, remedies }: ApiSettings,
  credential: Credential | null,
  path: string,
  { method = 'GET', query = {}, body, form, headers = {}, signal }: Call = {},
): Promise<Response> {
  const url = new URL(`${baseUrl}${path}`)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value))
  const content = form === undefined ? undefined : new URLSearchParams(form)
  try {
    return await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(credential === null ? {} : { authorization: authorization(credential) }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(content === undefined ? {} : { body: content }),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw new Failure(`Nothing answers at ${baseUrl} (${reasonOf(error)}).`, {
      exit: EXIT.unreachable,
      type: 'unreachable',
      remedy: remedies.unreachable,
      cause: error,
    })
  }
}

function authorization(credential: Credential): string {
  if (credential.kind === 'bearer') return `Bearer ${credential.token}`
  return `Basic ${Buffer.from(`${credential.id}:${credential.secret}`).toString('base64')}`
}

/** "connection refused", where fetch only says that it failed. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return REASONS[code] ?? (code === '' ? (cause instanceof Error ? cause.message : String(cause)) : code)
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name cannot be resolved',
  ETIMEDOUT: 'timed out',
  UND_ERR_CONNECT_TIMEOUT: 'timed out',
  UND_ERR_SOCKET: 'connection closed',
}

type Envelope = {
  readonly error?:
    | string
    | {
        readonly type?: string
        readonly message?: string
        readonly remediation?: string
        readonly request_id?: string
        readonly details?: Readonly<Record<string, unknown>>
      }
  readonly error_description?: string
}

/** The error of a response that is not 2xx. */
export class Refusal extends Failure {
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, sentence: string, how: ConstructorParameters<typeof Failure>[1], details = {}) {
    super(sentence, how)
    this.status = status
    this.details = details
  }
}

export function refusal({ remedies }: ApiSettings, { status, headers }: Response, text: string): Refusal {
  const { error, error_description } = envelopeOf(text)
  const { type, message, remediation, request_id, details } =
    typeof error === 'object' ? error : { type: error, message: error_description }
  const sentence = message ?? `The service answered ${status}.`
  const requestId = request_id ?? headers.get('x-request-id') ?? undefined
  const remedy = status === 401 ? remedies.credential : (fieldProblems(details) ?? remediation)
  const how = { exit: exitOf(status), type: type ?? `http_${status}`, requestId }
  return new Refusal(status, sentence, remedy === undefined ? how : { ...how, remedy }, details)
}

function envelopeOf(text: string): Envelope {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    // A proxy in between answers with a page.
    return {}
  }
}

function fieldProblems(details: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const fields = details?.['fields']
  if (!Array.isArray(fields)) return undefined
  return fields.map(({ field, message }) => `${field} ${message}.`).join(' ')
}

function exitOf(status: number): ExitCode {
  if (status === 401 || status === 403) return EXIT.credential
  return status === 404 ? EXIT.notFound : EXIT.failed
}
