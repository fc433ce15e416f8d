/**
 * Adds "Try it" to a page that is complete without it. Everything it needs is in the page's `data-` attributes; what
 * comes back is only ever shown as text. The token stays in this tab: sessionStorage, and no cookie is ever sent.
 */
const TOKEN_KEY = 'reference.token'

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

function field(id, labelText, control) {
  control.id = id
  return [element('label', { htmlFor: id }, labelText), control]
}

// A browser may forbid storage (private windows, strict settings); the token then lives as long as the page.
function remembered() {
  try {
    return sessionStorage.getItem(TOKEN_KEY) ?? ''
  } catch {
    return ''
  }
}

function remember(token) {
  try {
    sessionStorage.setItem(TOKEN_KEY, token)
  } catch {
    // Nothing to do: the field itself still holds it.
  }
}

function credentialForm() {
  const input = element('input', { type: 'password', autocomplete: 'off', spellcheck: false, value: remembered() })
  const note = element('p', { className: 'note' })
  note.setAttribute('role', 'status')
  const look = () => {
    const live = input.value.includes('_live_')
    note.classList.toggle('live', live)
    note.textContent = live
      ? 'This is a live credential: what you send is real.'
      : 'Kept in this tab only and forgotten when you close it. Use a test credential.'
  }
  input.addEventListener('input', () => {
    remember(input.value.trim())
    look()
  })
  look()
  const box = element('div', { className: 'credential' })
  box.append(...field('try-token', 'Your credential, for “Try it”', input), note)
  document.getElementById('credential')?.append(box)
  return () => input.value.trim()
}

function parameterInputs(section, id) {
  return [...section.querySelectorAll('[data-parameter]')].map((row) => {
    const { parameter: name, in: place, required } = row.dataset
    const input = element('input', { autocomplete: 'off', spellcheck: false, required: required === 'yes' })
    return { name, place, input, parts: field(`${id}-${place}-${name}`, `${name} (${place})`, input) }
  })
}

function addressOf(path, inputs) {
  const filled = inputs
    .filter(({ place }) => place === 'path')
    .reduce((address, { name, input }) => address.replace(`{${name}}`, encodeURIComponent(input.value)), path)
  const query = new URLSearchParams()
  for (const { place, name, input } of inputs) {
    if (place === 'query' && input.value !== '') query.append(name, input.value)
  }
  return query.size === 0 ? filled : `${filled}?${query}`
}

function headersOf(section, inputs, token, bodyType) {
  const headers = new Headers()
  if (section.dataset.open === 'no' && token !== '') headers.set('Authorization', `Bearer ${token}`)
  if (bodyType !== undefined) headers.set('Content-Type', bodyType)
  for (const { place, name, input } of inputs) {
    if (place === 'header' && input.value !== '') headers.set(name, input.value)
  }
  return headers
}

async function shown(response, startedMs) {
  const took = Math.round(performance.now() - startedMs)
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  const text = await response.text()
  return `${response.status} ${response.statusText} (${took} ms)\n${headers}\n\n${indented(text)}`
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function tryForm(section, token) {
  const { method, path } = section.dataset
  const inputs = parameterInputs(section, section.id)
  const example = section.querySelector('[data-body]')
  const body = example === null ? null : element('textarea', { rows: 8, spellcheck: false, value: example.textContent })
  const send = element('button', { type: 'submit' }, `Send ${method}`)
  const output = element('pre', { tabIndex: 0, hidden: true })
  output.setAttribute('role', 'status')
  output.setAttribute('aria-label', 'The answer')
  const form = element('form', { className: 'try' }, ...inputs.flatMap(({ parts }) => parts))
  if (body !== null) form.append(...field(`${section.id}-body`, 'Body', body))
  form.append(send, output)

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    send.disabled = true
    const startedMs = performance.now()
    const content = body === null || body.value.trim() === '' ? undefined : body.value
    try {
      const headers = headersOf(section, inputs, token(), content && example.dataset.body)
      const request = { method, headers, body: content, credentials: 'omit', cache: 'no-store', redirect: 'manual' }
      output.textContent = await shown(await fetch(addressOf(path, inputs), request), startedMs)
    } catch (error) {
      output.textContent = `The request was not sent or got no answer: ${error.message}`
    } finally {
      output.hidden = false
      send.disabled = false
    }
  })
  return form
}

function addTryIt(section, token) {
  const button = element('button', { type: 'button' }, 'Try it')
  button.setAttribute('aria-expanded', 'false')
  let form = null
  button.addEventListener('click', () => {
    if (form === null) {
      form = tryForm(section, token)
      button.after(form)
    } else {
      form.hidden = !form.hidden
    }
    button.setAttribute('aria-expanded', String(!form.hidden))
    if (!form.hidden) form.querySelector('input, textarea, button')?.focus()
  })
  section.append(button)
}

const token = credentialForm()
for (const section of document.querySelectorAll('.operation[data-method]')) addTryIt(section, token)
