import { answerView } from './answer.js'
import { finishConnecting, offerToConnect } from './connect.js'
import { credentialBox } from './credentials.js'
import { button, element } from './elements.js'
import { addressOf, arranged, bodyField, headersOf, parameterFields } from './fields.js'

/** Adds "Try it" to a page that is complete without it. Everything it needs is in the page's `data-` attributes. */
function requestOf(section, { fields, body, credentials }) {
  const { method, path, open } = section.dataset
  const headers = new Headers(headersOf(fields))
  if (open === 'no' && credentials.token() !== '') headers.set('Authorization', `Bearer ${credentials.token()}`)
  const content = body === null || body.control.value.trim() === '' ? undefined : body.control.value
  if (content !== undefined) headers.set('Content-Type', body.type)
  const settings = { credentials: 'omit', cache: 'no-store', redirect: 'manual' }
  return { address: addressOf(path, fields), sent: { method, headers, body: content, ...settings } }
}

function tryForm(section, credentials, standIn) {
  const fields = parameterFields(section, standIn)
  const body = bodyField(section)
  const send = button(`Send ${section.dataset.method}`, null, 'submit')
  const answer = answerView(credentials)
  const form = element('form', { className: 'try' }, ...arranged(fields))
  if (body !== null) form.append(body.parts)
  if (section.dataset.open === 'no') form.append(credentialLine(credentials))
  form.append(send, answer.view)

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (send.getAttribute('aria-disabled') === 'true') return
    // Not `disabled`: that would take the focus from whoever sends with the keyboard.
    send.setAttribute('aria-disabled', 'true')
    const startedMs = performance.now()
    const { address, sent } = requestOf(section, { fields, body, credentials })
    const request = `${sent.method} ${address}`
    try {
      answer.wait()
      await answer.show(request, await fetch(address, sent), startedMs)
    } catch (error) {
      answer.fail(request, error)
    } finally {
      send.removeAttribute('aria-disabled')
    }
  })
  return form
}

/** The credential is chosen once, at the start of the page. */
function credentialLine(credentials) {
  const name = element('b')
  credentials.watch((words) => {
    name.textContent = words
  })
  const change = element('a', { href: '#try-token' }, 'Change')
  return element('p', { className: 'note with' }, 'Sent with ', name, '. ', change)
}

function addTryIt(section, makeForm) {
  let form = null
  const opener = button('Try it', () => {
    if (form === null) {
      form = makeForm(section)
      opener.after(form)
    } else {
      form.hidden = !form.hidden
    }
    opener.setAttribute('aria-expanded', String(!form.hidden))
    if (!form.hidden) form.querySelector('input, select, textarea, button')?.focus()
  })
  opener.setAttribute('aria-expanded', 'false')
  opener.setAttribute('aria-label', `Try it: ${section.querySelector('h2').textContent}`)
  section.querySelector('.request').append(opener)
}

/** Pages without operations have no place for a credential. */
const place = document.getElementById('try-credential')
if (place !== null) {
  const { standIn } = document.getElementById('content').dataset
  const credentials = credentialBox(place)
  offerToConnect(place, credentials)
  for (const section of document.querySelectorAll('.operation[data-method]')) {
    addTryIt(section, (it) => tryForm(it, credentials, standIn))
  }
  await finishConnecting(place, credentials)
}
