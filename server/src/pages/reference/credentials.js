import { announcement, button, element, keep, labelled, recall } from './elements.js'

/**
 * The credential that calls are made with, and the others that came by on the way: of the demo, of a person who
 * connected, of one's own app, out of an answer. They stay in this tab: sessionStorage.
 */
const IN_USE = 'reference.token'
const KNOWN = 'reference.known'
const KNOWN_MAX = 8

export function credentialBox(place) {
  const input = element('input', {
    type: 'password',
    autocomplete: 'off',
    spellcheck: false,
    value: recall(IN_USE) ?? '',
  })
  const note = announcement('note')
  const choices = element('ul', { className: 'choices' })
  const { publishableKey = '' } = place.dataset
  const given = publishableKey ? [{ label: 'The demo’s publishable key', token: publishableKey }] : []
  const watchers = []
  let found = storedChoices()

  function look() {
    const token = input.value.trim()
    keep(IN_USE, token === '' ? null : token)
    note.classList.toggle('live', token.includes('_live_'))
    note.textContent = wordsOn(token)
    for (const item of choices.querySelectorAll('button')) {
      item.setAttribute('aria-pressed', String(item.dataset.token === token))
    }
    for (const tell of watchers) tell(token)
  }

  function list() {
    const items = [...given, ...found].map(({ label, token }) => {
      const made = button(label, () => use({ label, token }))
      made.dataset.token = token
      return element('li', {}, made)
    })
    choices.replaceChildren(...items)
    choices.hidden = items.length === 0
    look()
  }

  function use({ label, token }) {
    input.value = token
    if (![...given, ...found].some((known) => known.token === token)) {
      found = [...found, { label, token }].slice(-KNOWN_MAX)
      keep(KNOWN, JSON.stringify(found))
    }
    list()
  }

  input.addEventListener('input', look)
  const box = element('div', { className: 'credential' }, labelled('try-token', 'Your credential, for “Try it”', input))
  const own = button('Use the test keys of my apps', async () => {
    const keys = await ownKeys(say)
    for (const key of keys.toReversed()) use(key)
  })
  box.append(choices, note, element('p', { className: 'connect' }, own))
  place.append(box)
  list()
  function say(...words) {
    note.replaceChildren(...words)
  }
  return {
    box,
    use,
    say,
    token: () => input.value.trim(),
    /** The chosen one, otherwise the demo's key for what it can read. */
    tokenFor: (holders) => input.value.trim() || (holders.includes('publishable') ? publishableKey : ''),
    nameOf: (token) => nameOf(token, [...given, ...found]),
    /** Calls it now and whenever another one is chosen. */
    watch: (tell) => {
      watchers.push(tell)
      tell(input.value.trim())
    },
  }
}

function nameOf(token, known) {
  if (token === '') return 'no credential'
  return known.find((one) => one.token === token)?.label ?? `what you pasted, ${token.slice(0, 8)}…`
}

function wordsOn(token) {
  if (token === '') return 'Paste one, or get one below. It is kept in this tab only and forgotten when you close it.'
  if (token.includes('_live_')) return 'This is a live credential: what you send is real.'
  return 'Kept in this tab only and forgotten when you close it.'
}

function storedChoices() {
  try {
    const stored = JSON.parse(recall(KNOWN) ?? '[]')
    return stored.filter(({ label, token }) => typeof label === 'string' && typeof token === 'string')
  } catch {
    return []
  }
}

/** The publishable keys of the apps of who is signed in to the portal in this browser. They are no secrets. */
async function ownKeys(say) {
  const read = async (path) => {
    const response = await fetch(`/portal/api/${path}`, { credentials: 'same-origin', cache: 'no-store' })
    return response.ok ? (await response.json()).data : null
  }
  const apps = await read('apps')
  if (apps === null) {
    say('Sign in to the ', element('a', { href: '/developers' }, 'developer portal'), ' in this browser first.')
    return []
  }
  const keys = await Promise.all(
    apps.slice(0, KNOWN_MAX).map(async ({ id, attributes: { name } }) => {
      const all = (await read(`apps/${encodeURIComponent(id)}/keys`)) ?? []
      const test = all.find(({ attributes }) => attributes.mode === 'test' && attributes.status === 'active')
      return test === undefined ? [] : [{ label: `Test key of ${name}`, token: test.id }]
    }),
  )
  if (keys.flat().length === 0) say('None of your apps has a test key.')
  return keys.flat()
}

/**
 * A user's token for whoever reads the demo's reference: the authorization-code flow with PKCE and the demo's public
 * key, as an app in a browser does it. The consent screen leads back to the start of the reference, with a code in its address,
 * and from there to the page on which the person began.
 */
const UNDER_WAY = 'reference.connecting'
const RESUMED = 'reference.resumed'

const START = '/docs'
const redirectUri = () => location.origin + START

function urlSafe(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

const chance = () => urlSafe(crypto.getRandomValues(new Uint8Array(32)))

async function leaveForConsent({ clientId, scopes, email, section = '#credentials' }) {
  const begun = { state: chance(), verifier: chance(), from: location.pathname + section }
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
    ...(email === undefined ? {} : { login_hint: email }),
  })
  location.assign(`/oauth/authorize?${query}`)
}

const canConnect = ({ clientId }) => Boolean(clientId && crypto.subtle)

/** Offers it where it can work: there is a demo, and the browser trusts this address with its cryptography. */
export function offerToConnect(place, { box }) {
  const { clientId, scopes } = place.dataset
  if (!canConnect(place.dataset)) return
  const words = 'Sign in as a person of the demo and connect its app: you come back here with a user’s token.'
  const connect = button('Get a user’s token', () => leaveForConsent({ clientId, scopes }))
  box.append(element('div', { className: 'connect' }, connect, element('p', { className: 'note' }, words)))
}

/** The person of the demo who can do what an operation does, by the scopes that it needs and by its id. */
const PEOPLE = [
  ['manager', /syndicate/],
  ['developer', /webhooks/],
  ['founder', /compan|campaign|invite_links|investment_sessions|installations|attribution|OfferingStats/],
  ['investor', /./],
]

/** Beside an operation that needs a user's token: a button that signs in as the right person of the demo. */
export function signInOffer(place, section) {
  const { clientId, scopes } = place.dataset
  const holders = section.dataset.holders.split(' ')
  if (!canConnect(place.dataset)) return []
  if (!holders.includes('user') && !holders.includes('installation')) return []
  const [person] = PEOPLE.find(([, pattern]) => pattern.test(`${section.dataset.scopes} ${section.id}`))
  const email = place.dataset[person]
  const sign = () => leaveForConsent({ clientId, scopes, email, section: `#${section.id}` })
  const offer = [button(`Sign in as the demo ${person}`, sign)]
  if (holders.includes('user')) return offer
  const after = 'Then send “Create an installation” and use the token of its answer: this call takes an installation’s.'
  return [...offer, element('p', { className: 'note' }, after)]
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
    if (!begun.from.startsWith(`${START}/api/`)) return
    keep(RESUMED, begun.from)
    location.replace(begun.from)
  } catch (error) {
    say(`No token was given: ${error.message}`)
  }
}

/** The operation whose button began the sign-in that has just ended, once. */
export function resumedSection() {
  const from = recall(RESUMED) ?? ''
  if (from !== location.pathname + location.hash) return null
  keep(RESUMED, null)
  return document.querySelector(`.operation[data-method][id="${CSS.escape(location.hash.slice(1))}"]`)
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
