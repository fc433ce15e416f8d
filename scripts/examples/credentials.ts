import { createHash, randomBytes } from 'node:crypto'

/** A bearer token or key, or a person who signed in with a browser. */
export type Credential = string | SignedIn
export type SignedIn = { readonly base: string; readonly cookies: Map<string, string>; csrf: string }

export type Person = { readonly id: string; readonly email: string; readonly password: string }
export type Client = { readonly client_id: string; readonly client_secret?: string; readonly redirect_uris: string[] }

export function headersFor(as: Credential | undefined, method: string): Record<string, string> {
  if (as === undefined) return {}
  if (typeof as === 'string') return { authorization: `Bearer ${as}` }
  const cookie = [...as.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return { cookie, ...(method === 'get' ? {} : { origin: as.base, 'x-portico-csrf': as.csrf }) }
}

/** Signs a person in as a browser does it: cookies, and the hidden field of the form. */
export async function signIn(base: string, { email, password }: Person): Promise<SignedIn> {
  const browser: SignedIn = { base, cookies: new Map(), csrf: '' }
  const form = await visit(browser, '/sign-in')
  await visit(browser, '/sign-in', new URLSearchParams({ csrf: csrfOf(form.text), email, password }))
  const me = await fetch(`${base}/portal/api/me`, { headers: headersFor(browser, 'get') })
  const { meta } = (await me.json()) as { meta: { csrf: string } }
  browser.csrf = meta.csrf
  return browser
}

/** Gets a user's tokens by the authorization-code flow with PKCE. */
export async function connect(browser: SignedIn, client: Client, scopes: readonly string[]): Promise<UserTokens> {
  const verifier = randomBytes(32).toString('base64url')
  const redirectUri = client.redirect_uris[0] ?? ''
  const question = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state: 'a1b2c3',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const consent = await visit(browser, `/oauth/authorize?${question}`)
  const agreed = new URLSearchParams({ csrf: csrfOf(consent.text), decision: 'connect' })
  for (const scope of scopes) agreed.append('scope', scope)
  const { location } = await visit(browser, `/oauth/authorize?${question}`, agreed)
  const code = URL.canParse(location) ? (new URL(location).searchParams.get('code') ?? '') : ''
  if (code === '') throw new Error(`no code for ${scopes.join(' ')}: ${location} ${consent.text.slice(0, 300)}`)
  const { client_id, client_secret } = client
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier, client_id }
  const body = new URLSearchParams({ ...form, ...(client_secret === undefined ? {} : { client_secret }) })
  const answer = await fetch(`${browser.base}/oauth/token`, { method: 'POST', body })
  if (!answer.ok) throw new Error(`no token: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as UserTokens
}

export type UserTokens = { readonly access_token: string; readonly refresh_token: string }

async function visit(browser: SignedIn, path: string, fields?: URLSearchParams) {
  const sent = fields === undefined ? {} : { method: 'POST', body: fields }
  const headers = { ...headersFor(browser, 'get'), origin: browser.base }
  const answer = await fetch(new URL(path, browser.base), { ...sent, headers, redirect: 'manual' })
  for (const line of answer.headers.getSetCookie()) {
    const [name = '', value = ''] = line.split(';', 1)[0]?.split('=') ?? []
    browser.cookies.set(name, value)
  }
  return { location: answer.headers.get('location') ?? '', text: await answer.text() }
}

const csrfOf = (text: string) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
