import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider as AnyProvider } from 'oidc-provider'

/** The parts of the package that this file uses. The type declarations in bench/tokens lack them. */
type Provider = {
  readonly Grant: new (of: { readonly accountId: string; readonly clientId: string }) => Grant
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
  interactionDetails(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<{ readonly params: InteractionParams }>
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
}
type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> }
type InteractionParams = { readonly client_id: string; readonly scope: string }

const Provider = AnyProvider as unknown as new (issuer: string, configuration: object) => Provider

export type ProviderPerson = {
  readonly subject: string
  readonly email?: string
  readonly emailVerified?: boolean
  readonly name?: string
}

/** A real OpenID Connect provider on loopback. Its only page asks for the person. */
export type TestOpenIdProvider = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Adds a person, or changes their claims. */
  setPerson(person: ProviderPerson): void
  /**
   * Opens the address to which a sign-in redirected, completes the provider's page, and returns the address to which
   * the provider redirects.
   */
  signIn(location: string, subject: string): Promise<string>
  /** Like `signIn`, but presses Cancel. */
  cancel(location: string): Promise<string>
  close(): Promise<void>
}

export type ProviderOptions = {
  /** The path of the redirect URI. On loopback the provider accepts any port. */
  readonly callbackPath?: string
  /** Whether the ID token contains the email address. Otherwise only the userinfo endpoint returns it. */
  readonly claimsInIdToken?: boolean
}

const CLIENT = { id: 'portico', secret: 'a secret of the provider and the service' }
const HOSTS = ['127.0.0.1', 'localhost', '[::1]']

export async function openIdProvider(options: ProviderOptions = {}): Promise<TestOpenIdProvider> {
  const people = new Map<string, ProviderPerson>()
  let serve: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async () => {}
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  serve = requestHandler(new Provider(issuer, configuration(people, options)))
  return {
    issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    setPerson: (person) => void people.set(person.subject, person),
    signIn: (location, subject) => throughPages(location, { login: subject }),
    cancel: (location) => throughPages(location, { cancel: 'yes' }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function configuration(people: ReadonlyMap<string, ProviderPerson>, options: ProviderOptions): object {
  const { callbackPath = '/sign-in/openid/callback', claimsInIdToken = false } = options
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        // The provider redirects native clients to any port of loopback (RFC 8252).
        application_type: 'native',
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: HOSTS.map((host) => `http://${host}${callbackPath}`),
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'only' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: !claimsInIdToken,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    ttl: { AccessToken: 300, AuthorizationCode: 60, Grant: 300, IdToken: 300, Interaction: 300, Session: 300 },
    findAccount: (_context: unknown, subject: string) => {
      const { email, emailVerified, name } = people.get(subject) ?? {}
      const claims = { sub: subject, email, email_verified: emailVerified, name }
      return { accountId: subject, claims: () => claims }
    },
  }
}

/** Serves the provider's only page, which accepts every name. The library serves all other paths. */
function requestHandler(provider: Provider) {
  const libraryHandler = provider.callback()
  return async (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/interaction/')) return libraryHandler(request, response)
    if (request.method !== 'POST') return showForm(response)
    const form = await readForm(request)
    const { params } = await provider.interactionDetails(request, response)
    const result =
      form.get('cancel') === null
        ? await grantConsent(provider, form.get('login') ?? '', params)
        : { error: 'access_denied', error_description: 'The person pressed Cancel.' }
    return provider.interactionFinished(request, response, result)
  }
}

async function grantConsent(
  provider: Provider,
  accountId: string,
  { client_id, scope }: InteractionParams,
): Promise<object> {
  const grant = new provider.Grant({ accountId, clientId: client_id })
  grant.addOIDCScope(scope)
  return { login: { accountId }, consent: { grantId: await grant.save() } }
}

function showForm(response: ServerResponse): void {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(`<!doctype html><title>Another provider</title><form method="post">
<label>Who are you? <input name="login"></label> <button>Sign in</button>
<button name="cancel" value="yes">Cancel</button></form>`)
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

/** Acts as a browser with its own cookies, and follows the provider's redirects until one leads to another origin. */
async function throughPages(start: string, form: Readonly<Record<string, string>>): Promise<string> {
  const { origin } = new URL(start)
  const cookies = new Map<string, string>()
  const visit = async (address: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, { ...init, headers: { cookie }, redirect: 'manual' })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    return response
  }
  let address = start
  for (;;) {
    let response = await visit(address)
    if (response.status === 200) response = await visit(address, { method: 'POST', body: new URLSearchParams(form) })
    const location = response.headers.get('location')
    if (location === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
    address = new URL(location, address).href
    if (new URL(address).origin !== origin) return address
  }
}
