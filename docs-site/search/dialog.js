import indexFile from 'virtual:search-index-name'
import { excerpt, loadIndex, piecesOf, search } from './engine.ts'
import style from './search.css?text'

/** The search dialog of the documentation. A page that offers it has a hidden button `data-docs-search`. */

const KIND_NAMES = {
  guide: 'Guides',
  operation: 'Operations',
  event: 'Events',
  error: 'Errors',
  scope: 'Scopes',
  convention: 'Conventions',
  version: 'Versions',
  schema: 'Schemas',
  field: 'Fields',
}
const KIND_LABELS = {
  guide: 'Guide',
  operation: 'Operation',
  event: 'Event',
  error: 'Error',
  scope: 'Scope',
  convention: 'Convention',
  version: 'Version',
  schema: 'Schema',
  field: 'Field',
}
/** The kinds of results whose titles are words. The titles of all other kinds are names in code. */
const IN_WORDS = new Set(['guide', 'operation', 'convention', 'version'])
const TOP_RESULTS = 3
const RESULTS_MAX = 40

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) node.setAttribute(attribute, value)
  node.append(...children)
  return node
}

let fetching = null
let loading = null
let attempts = 0

/** A browser does not fetch a module again after a failure, so each further attempt uses another address. */
function indexAddress() {
  const query = attempts++ === 0 ? '' : `?attempt=${attempts}`
  return new URL(indexFile + query, import.meta.url).href
}

function fetchIndex() {
  fetching ??= import(indexAddress()).catch((error) => {
    fetching = null
    throw error
  })
  return fetching
}

/** Parses the index when search is first opened. Typing sends no request to the server. */
function parsedIndex() {
  loading ??= fetchIndex()
    .then(({ default: json }) => loadIndex(json))
    .catch((error) => {
      loading = null
      throw error
    })
  return loading
}

/** A page that is never idle, or whose tab is in the background, fetches the index after this time. */
const IDLE_WITHIN_MS = 2_000

/**
 * Fetches the index while the page is idle. The first search then shows its results at once, and search works without a connection.
 * Browsers cache the file for a year. If the person has turned data saving on, the index is fetched when search is opened.
 */
function fetchWhenIdle() {
  if (navigator.connection?.saveData === true) return
  // A failure is reported when search is opened.
  const fetchNow = () => fetchIndex().catch(() => {})
  if (globalThis.requestIdleCallback === undefined) setTimeout(fetchNow)
  else requestIdleCallback(fetchNow, { timeout: IDLE_WITHIN_MS })
}

function markedNodes(pieces) {
  return pieces.map(({ text, isMatch }) => (isMatch ? element('mark', {}, text) : text))
}

function optionView({ kind, title, place, text, address, terms }, id, showsKind) {
  const code = IN_WORDS.has(kind) ? 'span' : 'code'
  const heading = element('span', { class: 'title' }, element(code, {}, ...markedNodes(piecesOf(title, terms))))
  if (showsKind) heading.append(element('span', { class: 'kind' }, KIND_LABELS[kind]))
  const line = element(
    kind === 'operation' ? 'code' : 'span',
    { class: 'place' },
    ...markedNodes(piecesOf(place, terms)),
  )
  const option = element('a', { role: 'option', id, href: address, tabindex: '-1', 'aria-selected': 'false' })
  option.append(heading, line)
  if (text !== '') option.append(element('span', { class: 'text' }, ...markedNodes(excerpt(text, terms))))
  return option
}

/** The first group has the best results of any kind. The other results follow in one group for each kind. */
function groupsOf(results) {
  const rest = Map.groupBy(results.slice(TOP_RESULTS), ({ kind }) => kind)
  const groups = [...rest].map(([kind, members]) => ({ title: KIND_NAMES[kind], members, showsKind: false }))
  return [{ title: 'Best matches', members: results.slice(0, TOP_RESULTS), showsKind: true }, ...groups]
}

class SearchDialog {
  constructor() {
    this.input = element('input', {
      type: 'search',
      role: 'combobox',
      'aria-label': 'Search the documentation',
      'aria-controls': 'docs-search-results',
      'aria-expanded': 'false',
      'aria-autocomplete': 'list',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      placeholder: 'Operation, field, event, error, scope or a question',
    })
    this.list = element('div', { id: 'docs-search-results', role: 'listbox', 'aria-label': 'Results', hidden: '' })
    this.status = element('p', { class: 'count', role: 'status' })
    const close = element('button', { type: 'button', class: 'close' }, 'Close')
    close.addEventListener('click', () => this.dialog.close())
    const keys = element('p', { class: 'keys', 'aria-hidden': 'true' }, 'Arrow keys choose, Enter opens, Esc closes')
    this.dialog = element('dialog', { class: 'docs-search', 'aria-label': 'Search' })
    this.dialog.append(element('div', { class: 'field' }, this.input, close), this.status, this.list, keys)
    this.active = -1
    this.input.addEventListener('input', () => this.update())
    this.input.addEventListener('keydown', (event) => this.onKey(event))
    this.dialog.addEventListener('click', (event) => this.onClick(event))
    this.list.addEventListener('pointermove', (event) => {
      const at = this.options().indexOf(event.target.closest('[role=option]'))
      if (at >= 0 && at !== this.active) this.choose(at, false)
    })
    document.body.append(this.dialog)
  }

  open() {
    if (this.dialog.open) return
    this.dialog.showModal()
    this.input.select()
    void this.update()
  }

  async update() {
    const query = this.input.value.trim()
    if (this.index === undefined) {
      this.status.textContent = 'Loading …'
      try {
        this.index = await parsedIndex()
      } catch {
        this.status.textContent = 'The search index could not be loaded. Check the connection and try again.'
        return
      }
      // The person may have typed while the index was loaded.
      return this.update()
    }
    this.show(query, query === '' ? [] : search(this.index, query, RESULTS_MAX))
  }

  show(query, results) {
    let next = 0
    const groups = results.length === 0 ? [] : groupsOf(results)
    const views = groups
      .filter(({ members }) => members.length > 0)
      .map(({ title, members, showsKind }, i) => {
        const heading = element('p', { class: 'group', id: `docs-search-group-${i}` }, title)
        const view = element('div', { role: 'group', 'aria-labelledby': heading.id }, heading)
        for (const result of members) view.append(optionView(result, `docs-search-${next++}`, showsKind))
        return view
      })
    this.list.replaceChildren(...views)
    this.list.hidden = results.length === 0
    this.input.setAttribute('aria-expanded', String(results.length > 0))
    this.status.textContent = statusOf(query, results.length)
    this.list.scrollTop = 0
    this.choose(results.length === 0 ? -1 : 0)
  }

  options() {
    return [...this.list.querySelectorAll('[role=option]')]
  }

  choose(at, scrolls = true) {
    const options = this.options()
    options[this.active]?.setAttribute('aria-selected', 'false')
    for (const one of options) one.setAttribute('aria-selected', 'false')
    this.active = at
    const option = options[at]
    if (option === undefined) {
      this.input.removeAttribute('aria-activedescendant')
      return
    }
    option.setAttribute('aria-selected', 'true')
    this.input.setAttribute('aria-activedescendant', option.id)
    if (scrolls) (at === 0 ? option.parentElement : option).scrollIntoView({ block: 'nearest' })
  }

  onKey(event) {
    const { length } = this.options()
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && length > 0) {
      event.preventDefault()
      this.choose((this.active + step + length) % length)
    } else if (event.key === 'Enter' && !event.isComposing) {
      event.preventDefault()
      this.options()[this.active]?.click()
    } else if (event.key === 'Escape' && !event.isComposing) {
      // Chromium would empty the field first, and close the dialog only when it is empty.
      event.preventDefault()
      this.dialog.close()
    }
  }

  onClick(event) {
    if (event.target.closest('[role=option]') !== null) {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) this.dialog.close()
      return
    }
    // A click on the backdrop has the dialog itself as its target.
    if (event.target === this.dialog) this.dialog.close()
  }
}

function statusOf(query, count) {
  if (query === '') return ''
  if (count === 0) return `Nothing found for “${query}”.`
  return count === 1 ? '1 result' : `${count === RESULTS_MAX ? 'The first ' : ''}${count} results`
}

let searchDialog = null

function openSearch() {
  if (searchDialog === null) {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
    document.adoptedStyleSheets.push(sheet)
    searchDialog = new SearchDialog()
  }
  searchDialog.open()
}

const isTyping = ({ target }) => target.closest?.('input, textarea, select, [contenteditable]') !== null

document.addEventListener('keydown', (event) => {
  const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey
  const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event)
  if (!isShortcut && !isSlash) return
  event.preventDefault()
  openSearch()
})

for (const opener of document.querySelectorAll('[data-docs-search]')) {
  opener.setAttribute('aria-keyshortcuts', 'Control+K Meta+K /')
  opener.setAttribute('title', 'Ctrl K or /')
  opener.addEventListener('click', openSearch)
  opener.hidden = false
}

if (document.readyState === 'complete') fetchWhenIdle()
else addEventListener('load', fetchWhenIdle)
