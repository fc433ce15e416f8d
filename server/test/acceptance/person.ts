import { createHash, randomBytes } from 'node:crypto'

export type Credentials = { readonly email: string; readonly password: string }
export type Client = {
  readonly client_id: string
  readonly client_secret?: string
  readonly redirect_uris: readonly string[]
}
export type Tokens = { readonly access_token: string; readonly scope: string; readonly expires_in: number }

/**
 * Acts as a person who signs in and connects an app by forms, without scripts. It stores cookies and copies
 * the `csrf` field from each form. authorization.test.ts uses a real browser.
 */
export async function connect(
  base: string,
  { email, password }: Credentials,
  { client, scopes }: { readonly client: Client; readonly scopes: readonly string[] },
): Promise<Tokens> {
  const cookies = new Map<string, string>()
  const visit = async (path: string, fields?: URLSearchParams) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = fields === undefined ? {} : { method: 'POST', body: fields }
    const answer = await fetch(new URL(path, base), { ...sent, headers: { cookie, origin: base }, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';', 1)[0]?.split('=') ?? []
      cookies.set(name, value)
    }
    return { location: answer.headers.get('location') ?? '', text: await answer.text(), status: answer.status }
  }
  const csrfOf = (text: string) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''

  const redirectUri = client.redirect_uris[0] ?? ''
  const verifier = randomBytes(32).toString('base64url')
  const question = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state: 's',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const page = await visit(`/oauth/authorize?${question}`)
  const signIn = await visit(page.location)
  const signedIn = await visit(
    '/sign-in',
    new URLSearchParams({ csrf: csrfOf(signIn.text), email, password, return_to: `/oauth/authorize?${question}` }),
  )
  const consent = await visit(signedIn.location)
  const agreed = new URLSearchParams({ csrf: csrfOf(consent.text), decision: 'connect' })
  for (const scope of scopes) agreed.append('scope', scope)
  const back = new URL((await visit(signedIn.location, agreed)).location)
  const answer = await fetch(new URL('/oauth/token', base), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
      client_id: client.client_id,
      ...(client.client_secret === undefined ? {} : { client_secret: client.client_secret }),
    }),
  })
  if (!answer.ok) throw new Error(`no token: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Tokens
}
