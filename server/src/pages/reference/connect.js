import { button, element, keep, recall } from './elements.js'

/**
 * A user's token for whoever reads the demo's reference: the authorization-code flow with PKCE and the demo's public
 * key, as an app in a browser does it. The consent screen leads back to the start of the reference, with a code in its address,
 * and from there to the page on which the person began.
 */
const UNDER_WAY = 'reference.connecting'

const START = '/docs'
const redirectUri = () => location.origin + START

function urlSafe(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

const chance = () => urlSafe(crypto.getRandomValues(new Uint8Array(32)))

async function leaveForConsent({ clientId, scopes }) {
  const begun = { state: chance(), verifier: chance(), from: location.pathname }
  keep(UNDER_WAY, JSON.stringify(begun))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(begun.verifier))
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri(),
    scope: scopes,
    state: begun.state,
    code_challenge: urlSafe(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  })
  location.assign(`/oauth/authorize?${query}`)
}

/** Offers it where it can work: there is a demo, and the browser trusts this address with its cryptography. */
export function offerToConnect(place, { box }) {
  const { clientId, scopes } = place.dataset
  if (!clientId || !crypto.subtle) return
  const words = 'Sign in as a person of the demo and connect its app: you come back here with a user’s token.'
  const connect = button('Get a user’s token', () => leaveForConsent({ clientId, scopes }))
  box.append(element('div', { className: 'connect' }, connect, element('p', { className: 'note' }, words)))
}

/** Back from the consent screen: the code is worth a token once, and only to who began here. */
export async function finishConnecting(place, { use, say }) {
  const answered = new URLSearchParams(location.search)
  const state = answered.get('state')
  const begun = JSON.parse(recall(UNDER_WAY) ?? 'null')
  if (state === null || begun?.state !== state) return
  keep(UNDER_WAY, null)
  history.replaceState(null, '', `${location.pathname}#credentials`)
  document.getElementById('credentials')?.scrollIntoView()
  const code = answered.get('code')
  if (code === null) return say(`Nothing was connected: ${answered.get('error_description') ?? answered.get('error')}`)
  try {
    use({ label: 'The user’s token you just got', token: await redeem(place.dataset.clientId, code, begun.verifier) })
    if (begun.from !== START && begun.from.startsWith(`${START}/api/`)) location.replace(`${begun.from}#credentials`)
  } catch (error) {
    say(`No token was given: ${error.message}`)
  }
}

async function redeem(clientId, code, verifier) {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri(),
    code,
    code_verifier: verifier,
  })
  const response = await fetch('/oauth/token', { method: 'POST', body, credentials: 'omit' })
  const given = await response.json()
  if (!response.ok) throw new Error(given.error_description ?? `status ${response.status}`)
  return given.access_token
}
