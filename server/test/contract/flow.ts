import { createHash, randomBytes } from 'node:crypto'
import type { SeenPage } from '#http/testing/browser.ts'
import { CALLBACK, type Key, type Person, type Stage } from './stage.ts'

const VERIFIER = randomBytes(32).toString('base64url')
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

type Parameters = Readonly<Record<string, string | undefined>>

/** Returns the authorize URL as an app writes it. A parameter with the value undefined is omitted. */
export function authorizeUrl({ clientId }: Pick<Key, 'clientId'>, more: Parameters = {}): string {
  const parameters: Parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    state: 'st&te',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...more,
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.append(name, value)
  return `/oauth/authorize?${query}`
}

/** Returns the parameters that the app receives at its redirect URI. */
export function callbackParams({ location }: Pick<SeenPage, 'location'>): Readonly<Record<string, string>> {
  if (location?.startsWith(CALLBACK) !== true)
    throw new Error(`the app receives nothing; the person is sent to ${location}`)
  return Object.fromEntries(new URL(location).searchParams)
}

export type Tokens = {
  readonly access_token: string
  readonly refresh_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly scope: string
  readonly created_at: number
}
export type TokenAnswer = Tokens & {
  readonly status: number
  readonly error: string
  readonly error_description: string
}

/** Sends a request to the token endpoint with this key. */
async function askForToken({ service }: Stage, key: Key, fields: Parameters): Promise<TokenAnswer> {
  const body = new URLSearchParams({ client_id: key.clientId })
  if (key.secret !== '') body.set('client_secret', key.secret)
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) body.set(name, value)
  const response = await fetch(`${service.url}/oauth/token`, { method: 'POST', body })
  return { status: response.status, ...((await response.json()) as Omit<TokenAnswer, 'status'>) }
}

export const clientCredentials = (stage: Stage, key: Key, scope?: string) =>
  askForToken(stage, key, { grant_type: 'client_credentials', scope })

export const refresh = (stage: Stage, key: Key, { refresh_token }: Tokens, scope?: string) =>
  askForToken(stage, key, { grant_type: 'refresh_token', refresh_token, scope })

const SWITCH = /<input type="checkbox" role="switch" name="scope" value="([^"]+)"/g

/** Returns the scopes for which a consent screen has a switch. */
export function offeredOn({ text }: Pick<SeenPage, 'text'>): readonly string[] {
  return [...text.matchAll(SWITCH)].map(([, names = '']) => names)
}

type Consent = {
  readonly scope?: string | undefined
  /** The switches that the person leaves on. By default, all. */
  readonly on?: readonly string[]
}

/** Lets a signed-in person open the authorize URL and agree on the consent screen. Then the app redeems the code. */
export async function consent(stage: Stage, key: Key, person: Person, asked: Consent = {}): Promise<Tokens> {
  const url = authorizeUrl(key, { scope: asked.scope })
  const page = await person.browser.open(url)
  if (page.status !== 200) throw new Error(`no consent screen but ${page.status} ${page.location}`)
  const scope = asked.on ?? offeredOn(page)
  const { code } = callbackParams(await person.browser.submit(url, { decision: 'connect', scope }))
  const tokens = await redeem(stage, key, code)
  if (tokens.status !== 200) throw new Error(`${tokens.error}: ${tokens.error_description}`)
  return tokens
}

export const redeem = (stage: Stage, key: Key, code: string | undefined) =>
  askForToken(stage, key, { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER })

/** Returns the error that the app receives, or `asked` if the person sees a consent screen for these scopes. */
export async function refusedAtAuthorize(key: Key, person: Person, scope: string): Promise<string | undefined> {
  const page = await person.browser.open(authorizeUrl(key, { scope }))
  return page.status === 200 ? 'asked' : callbackParams(page)['error']
}
