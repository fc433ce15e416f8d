import type { Operations } from './api-types.ts'
import { AuthenticationError, PorticoError } from './errors.ts'
import { type OAuthClient, requestToken, type Tokens } from './oauth.ts'
import type { HttpRequest, HttpResponse, Transport } from './transport.ts'

/** Supplies the `Authorization` header of a client. The functions of this file create one. */
export type Credential = {
  /** Returns the header of the next request. Obtains or renews a token first if one is needed. */
  authorization(transport: Transport): Promise<string>
  /** Called if the service responded to this header with 401. Resolves to true if the client can try another header. */
  rejected?(authorization: string, transport: Transport): Promise<boolean>
}

/** A key that reads public data. It is not secret and may be in a page or a phone app. */
export function publishableKey(key: string): Credential {
  return fixed(`Bearer ${key}`)
}

/** A token that you obtained yourself. It is not renewed. */
export function accessToken(token: string): Credential {
  return fixed(`Bearer ${token}`)
}

/** A key of the host platform’s own systems. */
export function operatorKey(key: string): Credential {
  return fixed(`Bearer ${key}`)
}

/**
 * HTTP Basic with the app’s confidential key, for installations, webhook endpoints and events. Never use it in a
 * browser.
 */
export function serverKey({ clientId, clientSecret }: { clientId: string; clientSecret: string }): Credential {
  return fixed(`Basic ${btoa(`${clientId}:${clientSecret}`)}`)
}

/** A token of the app itself, without a user. The first request obtains the token, which is valid for 24 hours. */
export function clientCredentials(app: { clientId: string; clientSecret: string; scope?: string }): Credential {
  return renewed((transport) => {
    const scope = app.scope === undefined ? {} : { scope: app.scope }
    return requestToken(transport, app, { grant_type: 'client_credentials', ...scope })
  })
}

/** Tokens of the app for one company, syndicate or user. Each is valid for two hours and is renewed before it expires. */
export function installation({ id, mintWith, scopes }: InstallationOptions): Credential {
  return renewed(async (transport) => {
    const { body } = await sendWith(transport, mintWith, {
      method: 'POST',
      path: `/installations/${encodeURIComponent(id)}/tokens`,
      body: JSON.stringify(scopes === undefined ? {} : { scopes }),
      headers: { 'Idempotency-Key': crypto.randomUUID() },
      isRepeatable: true,
    })
    const { token } = body as Operations['POST /installations/{id}/tokens']['response']
    return { accessToken: token.access_token, expiresAt: expiryOf(token.expires_in), scope: token.scope }
  })
}

export type InstallationOptions = {
  /** `inst_…` */
  readonly id: string
  /** A `serverKey()`, or a `user()` whose token has the scope `write:installations`. */
  readonly mintWith: Credential
  /** Default: all scopes of the installation. */
  readonly scopes?: readonly string[]
}

/** Stores the tokens of one user between runs. */
export type TokenStore = {
  get(): Promise<Tokens | undefined>
  set(tokens: Tokens): Promise<void>
  /** If several processes share the store, lets one of them at a time renew the tokens. */
  lock?<T>(work: () => Promise<T>): Promise<T>
}

/** Stores tokens while the process runs. */
export function memoryTokenStore(tokens?: Tokens): TokenStore {
  let current = tokens
  return {
    get: async () => current,
    set: async (next) => {
      current = next
    },
  }
}

/**
 * Tokens of a user who consented. Put the tokens of `exchangeCode()` into the store. They are renewed when needed. A
 * refresh token works once, and a second use more than 30 seconds later ends the connection. So the store is read again
 * before each refresh.
 */
export function user({ store, ...client }: OAuthClient & { store: TokenStore }): Credential {
  const locked = store.lock?.bind(store) ?? (<T>(work: () => Promise<T>) => work())
  return renewed((transport, previous) =>
    locked(async () => {
      const stored = await store.get()
      if (stored === undefined)
        throw new PorticoError('The token store is empty. Send the user through authorizeUrl() first.')
      if (stored.accessToken !== previous?.accessToken && isFresh(stored)) return stored
      if (stored.refreshToken === undefined)
        throw new PorticoError(
          'The token has ended and the store has no refresh token. Send the user through authorizeUrl() again.',
        )
      const grant = { grant_type: 'refresh_token', refresh_token: stored.refreshToken }
      const next = await requestToken(transport, client, grant)
      await store.set(next)
      return next
    }),
  )
}

/** Sends a request with a credential. If the service rejects the header, gets a new header and sends the request again. */
export async function sendWith(
  transport: Transport,
  credential: Credential,
  request: HttpRequest,
): Promise<HttpResponse> {
  const authorization = await credential.authorization(transport)
  try {
    return await transport.send(withAuthorization(request, authorization))
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error
    if ((await credential.rejected?.(authorization, transport)) !== true) throw error
  }
  return transport.send(withAuthorization(request, await credential.authorization(transport)))
}

export function withAuthorization(request: HttpRequest, authorization: string): HttpRequest {
  return { ...request, headers: { ...request.headers, Authorization: authorization } }
}

/** Tokens are renewed this long before they expire, so that a token does not expire while its request is sent. */
const MARGIN_MS = 60_000

function isFresh({ expiresAt }: Tokens): boolean {
  return expiresAt === undefined || expiresAt - Date.now() > MARGIN_MS
}

function expiryOf(expiresIn: number | undefined): number | undefined {
  return expiresIn === undefined ? undefined : Date.now() + expiresIn * 1_000
}

function fixed(authorization: string): Credential {
  return { authorization: async () => authorization }
}

/** Caches one token. If several requests need a new token at the same moment, one request obtains it for all of them. */
function renewed(obtain: (transport: Transport, previous: Tokens | undefined) => Promise<Tokens>): Credential {
  let current: Tokens | undefined
  let isRejected = false
  let pending: Promise<Tokens> | undefined

  async function next(transport: Transport): Promise<Tokens> {
    current = await obtain(transport, current)
    isRejected = false
    return current
  }
  return {
    async authorization(transport) {
      if (current !== undefined && !isRejected && isFresh(current)) return bearer(current)
      pending ??= next(transport).finally(() => {
        pending = undefined
      })
      return bearer(await pending)
    },
    async rejected(authorization) {
      // If another request renewed the token meanwhile, the client tries the newer token.
      if (current !== undefined && bearer(current) === authorization) isRejected = true
      return true
    },
  }
}

function bearer({ accessToken: token }: Tokens): string {
  return `Bearer ${token}`
}
