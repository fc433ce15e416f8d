import { announcement, button, element, keep, labelled, recall } from './elements.js'

/**
 * The credential that calls are made with, and the others that came by on the way: of the demo, of a person who
 * connected, out of an answer. They stay in this tab: sessionStorage, and no cookie is ever sent.
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
  const { publishableKey } = place.dataset
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
    for (const tell of watchers) tell(nameOf(token, [...given, ...found]))
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
  box.append(choices, note)
  place.append(box)
  list()
  return {
    box,
    use,
    token: () => input.value.trim(),
    say: (words) => (note.textContent = words),
    /** Says which one is in use, now and whenever that changes. */
    watch: (tell) => {
      watchers.push(tell)
      look()
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
