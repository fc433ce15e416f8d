import type { Operations } from './api-types.ts'
import { AuthenticationError, PorticoError } from './errors.ts'
import { type OAuthClient, requestToken, type Tokens } from './oauth.ts'
import type { HttpRequest, HttpResponse, Transport } from './transport.ts'

/** Where a client takes its `Authorization` header from. Make one with the functions of this file. */
export type Credential = {
  /** The header of the next request; obtains or renews a token first if one is needed. */
  authorization(transport: Transport): Promise<string>
  /** Called if the service answered this header with 401. Resolves to whether another header can be tried. */
  rejected?(authorization: string, transport: Transport): Promise<boolean>
}

/** Reads public data. It is not secret and may be in a page or a phone app. */
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

/** The app itself, without a user. The token is requested when it is first needed, and is valid for 24 hours. */
export function clientCredentials(app: { clientId: string; clientSecret: string; scope?: string }): Credential {
  return renewed((transport) => {
    const scope = app.scope === undefined ? {} : { scope: app.scope }
    return requestToken(transport, app, { grant_type: 'client_credentials', ...scope })
  })
}

/** The app on one company, syndicate or user. Creates tokens that are valid for two hours, and renews them. */
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
  /** A `serverKey()`, or a `user()` whose token holds `write:installations`. */
  readonly mintWith: Credential
  /** All scopes of the installation, if left out. */
  readonly scopes?: readonly string[]
}

/** Stores the tokens of one user between runs. */
export type TokenStore = {
  get(): Promise<Tokens | undefined>
  set(tokens: Tokens): Promise<void>
  /** Lets one process at a time renew the tokens, if several share the store. */
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
 * A user who consented. Put the tokens of `exchangeCode()` into the store; they are renewed when needed. A refresh
 * token works once, and using an old one ends the connection. So the store is read again before each refresh.
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
        throw new PorticoError('The token has ended and the store has no refresh token.')
      const grant = { grant_type: 'refresh_token', refresh_token: stored.refreshToken }
      const next = await requestToken(transport, client, grant)
      await store.set(next)
      return next
    }),
  )
}

/** Sends with a credential. If the header is rejected, it is renewed once. */
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

/** Tokens are renewed this long before they expire, so that a request does not arrive too late. */
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

/** Caches one token. If several requests need a new one at the same moment, one of them obtains it for all. */
function renewed(obtain: (transport: Transport, previous: Tokens | undefined) => Promise<Tokens>): Credential {
  let current: Tokens | undefined
  let isRejected = false
  let underWay: Promise<Tokens> | undefined

  async function next(transport: Transport): Promise<Tokens> {
    current = await obtain(transport, current)
    isRejected = false
    return current
  }
  return {
    async authorization(transport) {
      if (current !== undefined && !isRejected && isFresh(current)) return bearer(current)
      underWay ??= next(transport).finally(() => {
        underWay = undefined
      })
      return bearer(await underWay)
    },
    async rejected(authorization) {
      // If another request renewed it meanwhile, there is a newer token to try.
      if (current !== undefined && bearer(current) === authorization) isRejected = true
      return true
    },
  }
}

function bearer({ accessToken: token }: Tokens): string {
  return `Bearer ${token}`
}
