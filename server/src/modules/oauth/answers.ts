import type { DirectRequest } from './client/client-steps.ts'
import { OAuthError } from './oauth-error.ts'

/** RFC 6749, section 5.1, on every answer that may hold a token. The edge adds `Cache-Control: no-store`. */
const UNCACHED = { Pragma: 'no-cache' }

/**
 * "If the client attempted to authenticate via the Authorization request header field, the authorization server MUST …
 * include the WWW-Authenticate response header field matching the authentication scheme" (RFC 6749, section 5.2). Who
 * did not is not challenged: client libraries would report the challenge and hide the error they can act on.
 */
const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="oauth", charset="UTF-8"' }

type Headers = Readonly<Record<string, string>>
type Refusal = {
  readonly status: 400 | 401
  readonly body: { readonly error: string; readonly error_description: string }
  readonly headers: Headers
  readonly refusal: string
}
type Success<Body> = { readonly status: 200; readonly body: Body; readonly headers: Headers }

type Exchange<Body> = {
  readonly request: DirectRequest
  readonly work: (request: DirectRequest) => Promise<Body>
}

/** Runs an endpoint's steps; what they refuse becomes the body of RFC 6749, section 5.2. */
export async function answer<Body>({ request, work }: Exchange<Body>): Promise<Success<Body> | Refusal> {
  try {
    return { status: 200, body: await work(request), headers: UNCACHED }
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const { status, code, description } = error
    const challenge = status === 401 && request.authorization !== undefined ? CHALLENGE : {}
    const body = { error: code, error_description: description }
    return { status, body, headers: { ...UNCACHED, ...challenge }, refusal: code }
  }
}
