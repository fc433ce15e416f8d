import { createHash, randomBytes } from 'node:crypto'
import { openSite, type Site } from '#access/installations/testing/site.ts'
import type { TestBrowser } from '#http/testing/browser.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { aKey, anApp, type KeyPair, type MadeUpApp } from '#test/apps.ts'
import { oauthRoutes } from '../../routes.ts'
import { NO_CLIENT_LIMIT } from '../../testing/no-client-limit.ts'
import { consentRoutes } from '../routes.ts'

export const CALLBACK = 'https://app.fieldbook.example/oauth/callback?from=us'

/** The authorize endpoint together with its pages and the token endpoint. */
export function openConsentSite(): Promise<Site> {
  return openSite((deps) => [
    ...oauthRoutes({ ...deps, clientLimit: NO_CLIENT_LIMIT }),
    ...consentRoutes({ ...deps, onRevoked: [] }),
  ])
}

export type AskingApp = KeyPair & { readonly appId: Id<'app'> }
type Made = MadeUpApp & { readonly world?: World; readonly redirectUris?: readonly string[] }

/** An app with a few scopes and a key. */
export async function anAskingApp({ db }: Site, { world = 'test', redirectUris = [CALLBACK], ...made }: Made = {}) {
  const scopes = ['read:profile', 'read:investments', 'read:companies', 'read:investors:pii']
  const appId = await anApp(db, { name: 'Fieldbook CRM', scopes, ...made })
  return { appId, ...(await aKey(db, appId, { world, redirectUris })) }
}

export const VERIFIER = randomBytes(32).toString('base64url')
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

type Parameters = Readonly<Record<string, string | undefined>>

/** The authorize URL of this app; undefined omits a parameter. */
export function addressFor(app: AskingApp, more: Parameters = {}): string {
  const parameters: Parameters = {
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: CALLBACK,
    scope: 'read:profile read:investments',
    state: 'st&te',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...more,
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.append(name, value)
  return `/oauth/authorize?${query}`
}

/** Presses the main button with these switches on. */
export function agree(browser: TestBrowser, address: string, scope: readonly string[]) {
  return browser.submit(address, { decision: 'connect', scope })
}

/** The parameters that the app receives at its redirect URI. */
export function parametersIn(location: string | null): Readonly<Record<string, string>> {
  const url = new URL(String(location))
  return { at: `${url.origin}${url.pathname}`, ...Object.fromEntries(url.searchParams) }
}
