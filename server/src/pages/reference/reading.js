import { announcement, button } from './elements.js'

/**
 * Functions that make the pages easier to read: one language for all samples, buttons to copy them, and a mark in the contents.
 */
const LANGUAGE = 'reference.language'

/** The language is not secret, so it stays stored when the tab is closed. The browser may forbid storage. */
function storedLanguage() {
  try {
    return localStorage.getItem(LANGUAGE)
  } catch {
    return null
  }
}

function storeLanguage(language) {
  try {
    localStorage.setItem(LANGUAGE, language)
  } catch {
    // The choice then applies only to this page.
  }
}

const samplesOf = (page) => [...page.querySelectorAll('.samples')]

/** Where there is no sample in this language, the page continues to show the same sample as before. */
function showLanguage(samples, language) {
  for (const sample of samples) {
    const choice = sample.querySelector(`input[value="${CSS.escape(language)}"]`)
    if (choice !== null) choice.checked = true
  }
}

export function followLanguage(page) {
  const samples = samplesOf(page)
  const stored = storedLanguage()
  if (stored !== null) showLanguage(samples, stored)
  page.addEventListener('change', ({ target }) => {
    const sample = target.closest('.samples')
    if (sample === null || target.type !== 'radio') return
    const before = sample.getBoundingClientRect().top
    showLanguage(samples, target.value)
    storeLanguage(target.value)
    // The samples above may have become longer or shorter. Scrolling keeps the clicked sample at its place in the window.
    scrollBy(0, sample.getBoundingClientRect().top - before)
  })
}

export function offerCopies(page) {
  for (const sample of samplesOf(page)) {
    const status = announcement('copied')
    const copy = button('Copy', async () => {
      const shown = [...sample.querySelectorAll('pre')].find((text) => text.checkVisibility())
      status.textContent = await copied(shown)
    })
    copy.setAttribute('aria-label', `Copy the sample: ${sample.querySelector('legend').textContent}`)
    sample.querySelector('.languages').append(copy, status)
  }
}

/** If the browser does not allow this page to use the clipboard, the text is selected instead. */
async function copied(shown) {
  try {
    await navigator.clipboard.writeText(shown.textContent)
    return 'Copied'
  } catch {
    getSelection().selectAllChildren(shown)
    return 'Selected: press Ctrl C'
  }
}

/**
 * Samples contain the credential that the reader chose, so that a copied sample works. Only credentials of the test world and
 * tokens of the command line are shown. A publishable key is not put where a token is needed.
 */
export function fillCredentials(page, credentials) {
  const places = [...page.querySelectorAll('.samples .token')].map((place) => ({ place, own: place.textContent }))
  credentials.watch((token) => {
    const isTest = /^(pk_test|at_test|ok_test|portico_cli)_[\w.-]+$/.test(token)
    for (const { place, own } of places) {
      const takesKey = own.includes('pk_')
      const fits = isTest && (takesKey || !token.startsWith('pk_'))
      place.textContent = fits ? place.dataset.quote + token + place.dataset.quote : own
    }
  })
}

/** Marks the first visible section of the page in the list of contents. */
export function followScrolling(page, contents) {
  const links = new Map([...contents.querySelectorAll('a[href^="#"]')].map((link) => [link.hash.slice(1), link]))
  if (links.size === 0) return
  const isBeside = matchMedia('(min-width: 900px)')
  const visible = new Set()
  const sections = [...page.querySelectorAll('.operation')].filter(({ id }) => links.has(id))
  let marked = null
  const watcher = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        if (isIntersecting) visible.add(target)
        else visible.delete(target)
      }
      const first = sections.find((section) => visible.has(section))
      const link = first === undefined ? null : links.get(first.id)
      if (link === null || link === marked) return
      marked?.removeAttribute('aria-current')
      link.setAttribute('aria-current', 'location')
      marked = link
      if (isBeside.matches) link.scrollIntoView({ block: 'nearest' })
    },
    // A section counts as read if it is in the upper part of the window.
    { rootMargin: '-10% 0px -60% 0px' },
  )
  for (const section of sections) watcher.observe(section)
}
