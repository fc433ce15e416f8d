import { announcement, button, element } from './elements.js'

/** Where the answer to a call is shown: what was asked, the status, the headers, the body. */
export function answerView(credentials) {
  const status = announcement('status')
  const asked = element('code')
  const headers = element('pre', { tabIndex: 0 })
  const body = element('pre', { tabIndex: 0 })
  headers.setAttribute('aria-label', 'Headers of the answer')
  body.setAttribute('aria-label', 'Body of the answer')
  const folded = element('details', {}, element('summary', {}, 'Headers'), headers)
  const found = element('p', { className: 'found' })
  const view = element(
    'div',
    { className: 'received', hidden: true },
    element('p', {}, asked),
    status,
    found,
    folded,
    body,
  )

  return {
    view,
    /** The previous answer is not the answer to this call. */
    wait() {
      status.textContent = 'Sending…'
    },
    async show(request, response, startedMs) {
      const text = await response.text()
      const took = Math.round(performance.now() - startedMs)
      asked.textContent = request
      headers.textContent = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
      body.textContent = indented(text)
      body.hidden = text === ''
      folded.hidden = false
      found.replaceChildren(...offerToken(text, credentials))
      view.hidden = false
      view.classList.toggle('refused', !response.ok && response.status !== 304)
      status.textContent = `${response.status} ${response.statusText}`.trim().concat(`, after ${took} ms`)
    },
    fail(request, error) {
      asked.textContent = request
      folded.hidden = true
      body.hidden = true
      found.replaceChildren()
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

/** An answer that shows a token is most often wanted for the next call. */
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
