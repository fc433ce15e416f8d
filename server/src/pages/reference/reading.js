import { announcement, button } from './elements.js'

/** What makes the pages easier to read: one language for all samples, copying them, and the contents that follow. */
const LANGUAGE = 'reference.language'

/** The language is no secret, so the browser remembers it longer than this tab. Storage may be forbidden. */
function rememberedLanguage() {
  try {
    return localStorage.getItem(LANGUAGE)
  } catch {
    return null
  }
}

function rememberLanguage(language) {
  try {
    localStorage.setItem(LANGUAGE, language)
  } catch {
    // The choice then holds for this page.
  }
}

const samplesOf = (page) => [...page.querySelectorAll('.samples')]

/** Where a sample is missing in that language, the one that is shown stays. */
function showLanguage(samples, language) {
  for (const sample of samples) {
    const choice = sample.querySelector(`input[value="${CSS.escape(language)}"]`)
    if (choice !== null) choice.checked = true
  }
}

export function followLanguage(page) {
  const samples = samplesOf(page)
  const remembered = rememberedLanguage()
  if (remembered !== null) showLanguage(samples, remembered)
  page.addEventListener('change', ({ target }) => {
    const sample = target.closest('.samples')
    if (sample === null || target.type !== 'radio') return
    const before = sample.getBoundingClientRect().top
    showLanguage(samples, target.value)
    rememberLanguage(target.value)
    // The samples above may have become longer or shorter: the one that was clicked stays where it is.
    scrollBy(0, sample.getBoundingClientRect().top - before)
  })
}

export function offerCopies(page) {
  for (const sample of samplesOf(page)) {
    const said = announcement('copied')
    const copy = button('Copy', async () => {
      const shown = [...sample.querySelectorAll('pre')].find((text) => text.checkVisibility())
      said.textContent = await copied(shown)
    })
    copy.setAttribute('aria-label', `Copy the sample: ${sample.querySelector('legend').textContent}`)
    sample.querySelector('.languages').append(copy, said)
  }
}

/** Without access to the clipboard (an address that the browser does not trust) the text is selected instead. */
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
 * Samples show the credential that the reader chose, so that a copied one works. Only of the test world: a live one
 * stays out of sight. A publishable key is of no use where a token is needed.
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

/** Marks in the contents which section is being read. */
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
    // The upper part of the window is what is being read.
    { rootMargin: '-10% 0px -60% 0px' },
  )
  for (const section of sections) watcher.observe(section)
}
