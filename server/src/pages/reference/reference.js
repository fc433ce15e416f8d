import { credentialBox, finishConnecting, offerToConnect, resumedSection, signInOffer } from './credentials.js'
import {
  addressOf,
  announcement,
  bodyField,
  button,
  element,
  headersOf,
  parameterFields,
  requiredFirst,
} from './elements.js'
import { fillCredentials, followLanguage, followScrolling, offerCopies } from './reading.js'

/** The request that "Try it" sends, from the page's `data-` attributes, the fields of the form and the chosen credential. */
function requestOf(section, { fields, body, credentials }) {
  const { method, path, open, holders } = section.dataset
  const headers = new Headers(headersOf(fields))
  const token = open === 'no' ? credentials.tokenFor(holders.split(' ')) : ''
  if (token !== '') headers.set('Authorization', `Bearer ${token}`)
  const content = body === null || body.control.value.trim() === '' ? undefined : body.control.value
  if (content !== undefined) headers.set('Content-Type', body.type)
  const settings = { credentials: 'omit', cache: 'no-store', redirect: 'manual' }
  return { address: addressOf(path, fields), sent: { method, headers, body: content, ...settings } }
}

function tryForm(section, credentials, place) {
  const fields = parameterFields(section)
  const body = bodyField(section)
  const send = button(`Send ${section.dataset.method}`, null, 'submit')
  const answer = answerView(credentials)
  const form = element('form', { className: 'try' }, ...requiredFirst(fields))
  if (body !== null) form.append(body.parts)
  const sender = section.dataset.open === 'no' ? credentialLine(section, credentials, place) : null
  if (sender !== null) form.append(sender.view)
  form.append(send, answer.view)

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (send.getAttribute('aria-disabled') === 'true') return
    // `disabled` would take the focus away from a reader who uses the keyboard.
    send.setAttribute('aria-disabled', 'true')
    const startedMs = performance.now()
    const { address, sent } = requestOf(section, { fields, body, credentials })
    const request = `${sent.method} ${address}`
    try {
      answer.wait()
      const response = await fetch(address, sent)
      if (response.status === 401 || response.status === 403) sender?.offerPerson()
      await answer.show(request, response, startedMs)
    } catch (error) {
      answer.fail(request, error)
    } finally {
      send.removeAttribute('aria-disabled')
    }
  })
  return form
}

/**
 * Shows the credential that the request is sent with. The reader chooses it once, at the start of the page. Without a fitting
 * credential the line also offers to sign in as a person of the demo.
 */
function credentialLine(section, credentials, place) {
  const name = element('b')
  const change = element('a', { href: '#try-token' }, 'Change')
  const offer = element('div', { className: 'offer' }, ...signInOffer(place, section))
  credentials.watch(() => {
    const token = credentials.tokenFor(section.dataset.holders.split(' '))
    name.textContent = credentials.nameOf(token)
    offer.hidden = token !== '' && !token.startsWith('pk_')
  })
  const holders = section.dataset.holders.split(' ')
  const line = element('p', { className: 'note with' }, 'Sent with ', name, '. ', change)
  return {
    view: element('div', {}, line, ...(holders.includes('publishable') ? [] : [offer])),
    /** Called when the service rejected the credential. */
    offerPerson: () => {
      offer.hidden = false
    },
  }
}

/**
 * Whether the request is sent as soon as the form opens: a GET with all required fields filled. It needs no credential, or it
 * accepts a publishable key and a credential is available.
 */
function isReady(section, credentials, form) {
  const { method, open, holders } = section.dataset
  const isPublic = open === 'yes' || holders.split(' ').includes('publishable')
  const hasCredential = open === 'yes' || credentials.tokenFor(holders.split(' ')) !== ''
  return method === 'GET' && isPublic && hasCredential && form.checkValidity()
}

function addTryIt(section, credentials, place) {
  let form = null
  const opener = button('Try it', () => {
    if (form === null) {
      form = tryForm(section, credentials, place)
      opener.after(form)
      if (isReady(section, credentials, form)) form.requestSubmit()
    } else {
      form.hidden = !form.hidden
    }
    opener.setAttribute('aria-expanded', String(!form.hidden))
    if (!form.hidden) form.querySelector('input, select, textarea, button')?.focus()
  })
  opener.setAttribute('aria-expanded', 'false')
  opener.setAttribute('aria-label', `Try it: ${section.querySelector('h2').textContent}`)
  section.querySelector('.request').append(opener)
  return opener
}

/** Shows the response to a call: the request, the status, the headers and the body. */
function answerView(credentials) {
  const status = announcement('status')
  const requestLine = element('code')
  const headers = element('pre', { tabIndex: 0 })
  const body = element('pre', { tabIndex: 0 })
  headers.setAttribute('aria-label', 'Headers of the answer')
  body.setAttribute('aria-label', 'Body of the answer')
  const folded = element('details', {}, element('summary', {}, 'Headers'), headers)
  const tokenOffer = element('p', { className: 'token-offer' })
  const view = element(
    'div',
    { className: 'received', hidden: true },
    element('p', {}, requestLine),
    status,
    tokenOffer,
    folded,
    body,
  )

  return {
    view,
    /** Shows that a request is in progress, so that readers do not mistake the previous response for the new one. */
    wait() {
      status.textContent = 'Sending…'
    },
    async show(request, response, startedMs) {
      const text = await response.text()
      const took = Math.round(performance.now() - startedMs)
      requestLine.textContent = request
      headers.textContent = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
      body.textContent = indented(text)
      body.hidden = text === ''
      folded.hidden = false
      tokenOffer.replaceChildren(...offerToken(text, credentials))
      view.hidden = false
      view.classList.toggle('refused', !response.ok && response.status !== 304)
      status.textContent = `${response.status} ${response.statusText}`.trim().concat(`, after ${took} ms`)
    },
    fail(request, error) {
      requestLine.textContent = request
      folded.hidden = true
      body.hidden = true
      tokenOffer.replaceChildren()
      view.hidden = false
      view.classList.add('refused')
      status.textContent = `The request was not sent or got no answer: ${error.message}`
    },
  }
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** If the response contains a token, offers to use it, because the next call usually needs it. */
function offerToken(text, { use, box }) {
  const token = tokenIn(text)
  if (token === undefined) return []
  const label = `A token with ${token.scope || 'no scope'}`
  return [
    button('Use this token from now on', () => {
      use({ label, token: token.access_token })
      box.querySelector('input')?.focus()
    }),
  ]
}

function tokenIn(text) {
  try {
    const answer = JSON.parse(text)
    return [answer, answer?.token].find((it) => typeof it?.access_token === 'string')
  } catch {
    return undefined
  }
}

const page = document.getElementById('content')
followLanguage(page)
offerCopies(page)
followScrolling(page, document.getElementById('contents'))

/** Only the start page and pages that show operations have this element. On other pages it is null. */
const place = document.getElementById('try-credential')
if (place !== null) {
  const credentials = credentialBox(place)
  offerToConnect(place, credentials)
  fillCredentials(page, credentials)
  const openers = new Map(
    [...document.querySelectorAll('.operation[data-method]')].map((section) => [
      section,
      addTryIt(section, credentials, place),
    ]),
  )
  await finishConnecting(place, credentials)
  openers.get(resumedSection())?.click()
}
