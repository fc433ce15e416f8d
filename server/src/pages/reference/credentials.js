import { announcement, button, element, labelled, readFromTab, storeInTab } from './elements.js'

/**
 * The credential that "Try it" sends, and other credentials to choose from: the demo's key, a token of a person who connected,
 * keys of the reader's own apps, and tokens from responses. All of them except the demo's key are stored in sessionStorage, so
 * only in this tab.
 */
const IN_USE = 'reference.token'
const KNOWN = 'reference.known'
const KNOWN_MAX = 8

export function credentialBox(place) {
  const input = element('input', {
    type: 'password',
    autocomplete: 'off',
    spellcheck: false,
    value: readFromTab(IN_USE) ?? '',
  })
  const note = announcement('note')
  const choices = element('ul', { className: 'choices' })
  const { publishableKey = '' } = place.dataset
  const demoKeys = publishableKey ? [{ label: 'The demo’s publishable key', token: publishableKey }] : []
  const listeners = []
  let stored = storedChoices()

  function update() {
    const token = input.value.trim()
    storeInTab(IN_USE, token === '' ? null : token)
    note.classList.toggle('live', token.includes('_live_'))
    note.textContent = noteFor(token)
    for (const item of choices.querySelectorAll('button')) {
      item.setAttribute('aria-pressed', String(item.dataset.token === token))
    }
    for (const listener of listeners) listener(token)
  }

  function list() {
    const items = [...demoKeys, ...stored].map(({ label, token }) => {
      const made = button(label, () => use({ label, token }))
      made.dataset.token = token
      return element('li', {}, made)
    })
    choices.replaceChildren(...items)
    choices.hidden = items.length === 0
    update()
  }

  function use({ label, token }) {
    input.value = token
    if (![...demoKeys, ...stored].some((known) => known.token === token)) {
      stored = [...stored, { label, token }].slice(-KNOWN_MAX)
      storeInTab(KNOWN, JSON.stringify(stored))
    }
    list()
  }

  input.addEventListener('input', update)
  const box = element('div', { className: 'credential' }, labelled('try-token', 'Your credential, for “Try it”', input))
  const own = button('Use the test keys of my apps', async () => {
    const keys = await ownKeys(showNote)
    for (const key of keys.toReversed()) use(key)
  })
  box.append(choices, note, element('p', { className: 'connect' }, own))
  place.append(box)
  list()
  function showNote(...words) {
    note.replaceChildren(...words)
  }
  return {
    box,
    use,
    showNote,
    token: () => input.value.trim(),
    /** The chosen credential. If none is chosen: the demo's key if the operation accepts a publishable key, otherwise ''. */
    tokenFor: (holders) => input.value.trim() || (holders.includes('publishable') ? publishableKey : ''),
    nameOf: (token) => nameOf(token, [...demoKeys, ...stored]),
    /** Calls the listener now and whenever the credential changes. */
    watch: (listener) => {
      listeners.push(listener)
      listener(input.value.trim())
    },
  }
}

function nameOf(token, known) {
  if (token === '') return 'no credential'
  return known.find((one) => one.token === token)?.label ?? `what you pasted, ${token.slice(0, 8)}…`
}

function noteFor(token) {
  if (token === '') return 'Paste one, or get one below. It stays in this tab and is deleted when you close the tab.'
  if (token.includes('_live_')) return 'This is a live credential: what you send is real.'
  return 'It stays in this tab and is deleted when you close the tab.'
}

function storedChoices() {
  try {
    const saved = JSON.parse(readFromTab(KNOWN) ?? '[]')
    return saved.filter(({ label, token }) => typeof label === 'string' && typeof token === 'string')
  } catch {
    return []
  }
}

/** The publishable keys of the apps of the person who is signed in to the portal in this browser. These keys are not secret. */
async function ownKeys(showNote) {
  const read = async (path) => {
    const response = await fetch(`/portal/api/${path}`, { credentials: 'same-origin', cache: 'no-store' })
    return response.ok ? (await response.json()).data : null
  }
  const apps = await read('apps')
  if (apps === null) {
    showNote('Sign in to the ', element('a', { href: '/developers' }, 'developer portal'), ' in this browser first.')
    return []
  }
  const keys = await Promise.all(
    apps.slice(0, KNOWN_MAX).map(async ({ id, attributes: { name } }) => {
      const all = (await read(`apps/${encodeURIComponent(id)}/keys`)) ?? []
      const test = all.find(({ attributes }) => attributes.mode === 'test' && attributes.status === 'active')
      return test === undefined ? [] : [{ label: `Test key of ${name}`, token: test.id }]
    }),
  )
  if (keys.flat().length === 0) showNote('None of your apps has a test key.')
  return keys.flat()
}

/**
 * Gets a user's token for a reader of the demo's reference, with the authorization-code flow, PKCE and the demo's public key, as
 * an app in a browser does it. The consent screen redirects to the start of the reference with a code in the address. From there
 * the reader returns to the page on which they began.
 */
const PENDING = 'reference.connecting'
const RETURN_TO = 'reference.resumed'

const START = '/docs'
const redirectUri = () => location.origin + START

function urlSafe(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

const randomText = () => urlSafe(crypto.getRandomValues(new Uint8Array(32)))

async function leaveForConsent({ clientId, scopes, email, section = '#credentials' }) {
  const begun = { state: randomText(), verifier: randomText(), from: location.pathname + section }
  storeInTab(PENDING, JSON.stringify(begun))
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

/** Adds the button only if the flow can work: there is a demo, and the browser offers cryptography to pages of this address. */
export function offerToConnect(place, { box }) {
  const { clientId, scopes } = place.dataset
  if (!canConnect(place.dataset)) return
  const words = 'Sign in as a person of the demo and connect its app: you come back here with a user’s token.'
  const connect = button('Get a user’s token', () => leaveForConsent({ clientId, scopes }))
  box.append(element('div', { className: 'connect' }, connect, element('p', { className: 'note' }, words)))
}

/** Which person of the demo may call an operation, by the operation's scopes and id. */
const PEOPLE = [
  ['manager', /syndicate/],
  ['developer', /webhooks/],
  ['founder', /compan|campaign|invite_links|investment_sessions|installations|attribution|OfferingStats/],
  ['investor', /./],
]

/** For an operation that needs a user's or an installation's token: a button to sign in as the right person of the demo. */
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
  const after =
    'Then send “Create an installation” and use the token in its response, because this call needs an installation’s token.'
  return [...offer, element('p', { className: 'note' }, after)]
}

/** Runs after the consent screen. The code can be exchanged for a token once, and only by the browser that began the flow. */
export async function finishConnecting(place, { use, showNote }) {
  const answered = new URLSearchParams(location.search)
  const state = answered.get('state')
  const begun = JSON.parse(readFromTab(PENDING) ?? 'null')
  if (state === null || begun?.state !== state) return
  storeInTab(PENDING, null)
  history.replaceState(null, '', `${location.pathname}#credentials`)
  document.getElementById('credentials')?.scrollIntoView()
  const code = answered.get('code')
  if (code === null)
    return showNote(`Nothing was connected: ${answered.get('error_description') ?? answered.get('error')}`)
  try {
    use({ label: 'The user’s token you just got', token: await redeem(place.dataset.clientId, code, begun.verifier) })
    if (!begun.from.startsWith(`${START}/api/`)) return
    storeInTab(RETURN_TO, begun.from)
    location.replace(begun.from)
  } catch (error) {
    showNote(`No token was issued: ${error.message}`)
  }
}

/** The section of the operation whose button began the sign-in. It is returned only once, after the sign-in has ended. */
export function resumedSection() {
  const from = readFromTab(RETURN_TO) ?? ''
  if (from !== location.pathname + location.hash) return null
  storeInTab(RETURN_TO, null)
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
