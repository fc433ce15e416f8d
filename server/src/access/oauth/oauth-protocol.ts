import { parseQueryText, type RawQuery } from '#http/input/read-query.ts'
import { withParameters } from '#pages/return-place.ts'

/** Every parameter that our endpoints know. Any other "MUST be ignored" (RFC 6749, section 3.2), even if repeated. */
const KNOWN = [
  'grant_type',
  'client_id',
  'client_secret',
  'scope',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'token',
  'token_type_hint',
] as const

type ParameterName = (typeof KNOWN)[number]
export type Parameters = { readonly [Name in ParameterName]?: string }

/** Longer than every value that we issue or accept. The longest is a redirect URI with 2,000 characters. */
const VALUE_CHARS_MAX = 4_096

/** RFC 6749, appendix A: all parameters consist of visible ASCII and the space. */
const VALUE = /^[\x20-\x7e]*$/

type Body = { readonly body: string; readonly contentType: string | undefined }

/**
 * "Parameters sent without a value MUST be treated as if they were omitted"; "parameters MUST NOT be included more than
 * once" (RFC 6749, section 3.2). The body is a form, as the RFC requires, or a JSON object with the same fields.
 */
export function readParameters({ body, contentType }: Body): { readonly parameters: Parameters } {
  const isJson = /^\s*application\/json\s*(;|$)/i.test(contentType ?? '')
  const sent = body === '' ? new Map<string, readonly unknown[]>() : isJson ? valuesOfJson(body) : valuesOfForm(body)
  const parameters: { [Name in ParameterName]?: string } = {}
  for (const name of KNOWN) {
    const values = sent.get(name)
    const value = values === undefined ? '' : singleValue(name, values)
    if (value !== '') parameters[name] = value
  }
  return { parameters }
}

type Sent = ReadonlyMap<string, readonly unknown[]>

function singleValue(name: ParameterName, values: readonly unknown[]): string {
  if (values.length > 1) throw new OAuthError('invalid_request', `${name} was sent more than once.`)
  const [value = ''] = values
  if (typeof value !== 'string') throw new OAuthError('invalid_request', `${name} must be a string.`)
  if (value.length > VALUE_CHARS_MAX) throw new OAuthError('invalid_request', `${name} is too long.`)
  if (!VALUE.test(value)) throw new OAuthError('invalid_request', `${name} must be plain ASCII.`)
  return value
}

function valuesOfForm(text: string): Sent {
  const { values, malformed } = parseQueryText(text)
  if (malformed) throw new OAuthError('invalid_request', 'The form is not correctly percent-encoded.')
  return values
}

function valuesOfJson(text: string): Sent {
  const fields = parsed(text)
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw new OAuthError('invalid_request', 'The body must be a JSON object.')
  }
  const values = new Map<string, unknown[]>(Object.entries(fields).map(([name, value]) => [name, [value]]))
  const seen = new Set<string>()
  for (const name of namesInJson(text)) {
    // JSON.parse returns only the last of several equal names, so we search the text for repeated names.
    if (seen.has(name)) values.get(name)?.push(undefined)
    seen.add(name)
  }
  return values
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message would quote the body, which may contain a secret.
    throw new OAuthError('invalid_request', 'The body is not JSON.')
  }
}

/** Matches strings and structural characters; numbers, literals and spaces are skipped. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g

/**
 * The names of the outermost object, in order and with duplicates. The text must be valid JSON, where the token before a
 * colon is always a name.
 */
export function namesInJson(json: string): readonly string[] {
  const names: string[] = []
  let depth = 0
  let before = ''
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (token === ':' && depth === 1) names.push(String(JSON.parse(before)))
    before = token
  }
  return names
}

/**
 * The error codes of the endpoints that apps call directly, and their statuses (RFC 6749, section 5.2). The edge renders
 * all other errors in the same form.
 */
const STATUS_OF = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
} as const

export type OAuthErrorCode = keyof typeof STATUS_OF

/** `description` is for the app's developers, in plain ASCII without quotation marks (RFC 6749, section 5.2). */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly status: 400 | 401
  readonly description: string

  constructor(code: OAuthErrorCode, description: string) {
    super(description)
    this.name = 'OAuthError'
    this.code = code
    this.status = STATUS_OF[code]
    this.description = description
  }
}

/** One named step. It gets the results of the earlier steps and may add its own result. It throws to reject the request. */
type Step<Before, Added> = (found: Before) => Added | Promise<Added>

type With<Before, Added> = Added extends object ? Before & Added : Before

/** The ordered steps of a protocol endpoint. A step that needs a result which no earlier step adds does not compile. */
export type Steps<In extends object, Found extends object> = {
  readonly names: readonly string[]
  step<Added>(next: Step<Found, Added>): Steps<In, With<Found, Added>>
  run(input: In): Promise<Found>
}

export function inOrder<In extends object>(): Steps<In, In> {
  return listOf([])
}

function listOf<In extends object, Found extends object>(all: readonly Step<never, unknown>[]): Steps<In, Found> {
  return {
    names: all.map(({ name }) => name),
    step: (next) => listOf([...all, next]),
    run: async (input) => {
      const found: object = { ...input }
      for (const step of all) {
        // The array has no types for the results. The signature of `step` checks that earlier steps add the results that a step needs.
        const added = step(found as never)
        Object.assign(found, added instanceof Promise ? await added : added)
      }
      return found as Found
    },
  }
}

/** `iss` on every response, so that an app with several authorization servers can tell them apart (RFC 9207). */
export type ResponseParameters = { readonly iss: string; readonly state: string | null } & (
  | { readonly code: string }
  | { readonly error: AuthorizeErrorCode; readonly error_description: string }
)

/** Returns the address of the redirect. The redirect URI's own query "MUST be retained" (RFC 6749, section 3.1.2). */
export function authorizationResponse(redirectUri: string, { state, ...parameters }: ResponseParameters): string {
  const response = new URLSearchParams(parameters)
  if (state !== null) response.set('state', state)
  return withParameters(redirectUri, response)
}

/**
 * A rejection before the redirect URI is trusted: the error is shown on our own page instead of redirecting (RFC 6749,
 * section 4.1.2.1). `detail` is for the app's developers.
 */
export class PageRefusal extends Error {
  readonly reason: PageReason
  readonly detail: string

  constructor(reason: PageReason, detail: string) {
    super(detail)
    this.name = 'PageRefusal'
    this.reason = reason
    this.detail = detail
  }
}

export type PageReason = 'unreadable_request' | 'too_long' | 'unknown_app' | 'app_unavailable' | 'wrong_redirect_uri'

/** The codes of RFC 6749, section 4.1.2.1, and those with which RFC 9101, section 7.6, rejects request objects. */
export type AuthorizeErrorCode =
  | 'invalid_request'
  | 'access_denied'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'request_not_supported'
  | 'request_uri_not_supported'

/**
 * A rejection after client and redirect URI are trusted: the error is redirected to the app. `description` is ASCII without
 * quotation marks.
 */
export class AuthorizeError extends Error {
  readonly code: AuthorizeErrorCode
  readonly description: string

  constructor(code: AuthorizeErrorCode, description: string) {
    super(description)
    this.name = 'AuthorizeError'
    this.code = code
    this.description = description
  }
}

export const AUTHORIZE_PATH = '/oauth/authorize'

/**
 * The address of this request: the target of the consent form, and the page to which a person returns after signing in. The server stores
 * nothing about the request, so every visit checks it again. The address contains the redirect URI even if the app omitted it, because the
 * sign-in page reads from this address to which site its form may redirect.
 */
export function authorizeAddress({ values }: RawQuery, redirectUri?: string): string {
  const query = new URLSearchParams()
  for (const [name, all] of values) for (const value of all) query.append(name, value)
  if (redirectUri !== undefined) query.set('redirect_uri', redirectUri)
  return `${AUTHORIZE_PATH}?${query}`
}

const LOOPBACK = /^http:\/\/(?<host>127\.0\.0\.1|\[::1\]|localhost)(?::(?<port>[1-9]\d{0,4}))?(?<rest>(?:[/?].*)?)$/
const PORT_MAX = 65_535

/**
 * "Authorization servers MUST utilize exact string matching except for port numbers in localhost redirection URIs of
 * native apps" (RFC 9700, 2.1): such an app listens on a port that the system assigns (RFC 8252, 7.3), which may be the default
 * port. Everything except the port must be equal.
 */
function matchesRedirectUri(registered: string, presented: string): boolean {
  if (registered === presented) return true
  const ours = LOOPBACK.exec(registered)?.groups
  const theirs = LOOPBACK.exec(presented)?.groups
  if (ours === undefined || theirs === undefined || Number(theirs['port'] ?? 0) > PORT_MAX) return false
  return ours['host'] === theirs['host'] && ours['rest'] === theirs['rest']
}

/** "Exact redirect URIs, any port on loopback." */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  return registered.some((known) => matchesRedirectUri(known, uri))
}

/**
 * RFC 6749, section 3.1.2.3: a client with one registered redirect URI may omit it. The registered URI is used unchanged, so exact matching
 * (RFC 9700, section 2.1) is not weakened. This does not apply to loopback (plain http), where the port varies.
 */
export function impliedUri(registered: readonly string[]): string | null {
  const [only, ...others] = registered
  return only === undefined || others.length > 0 || only.startsWith('http://') ? null : only
}
