import { Parser } from 'htmlparser2'
import sanitizeHtml from 'sanitize-html'
import { validationError } from '#kernel/errors.ts'

/** Elements with text or media. All other elements are dropped. The text inside them stays, except inside the elements of `NO_TEXT`. */
const TAGS = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'section', 'article', 'blockquote', 'pre', 'hr', 'br'],
  ...['ul', 'ol', 'li', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'figure', 'figcaption'],
  ...['a', 'span', 'strong', 'b', 'em', 'i', 'u', 's', 'sup', 'sub', 'code'],
  ...['img', 'video', 'source', 'iframe'],
]

/** Elements with code or with a fallback, whose text a reader of the page never sees. */
const NO_TEXT = ['script', 'style', 'noscript', 'template', 'title', 'textarea', 'option', 'object', 'svg', 'math']

/** Sites whose players may be embedded, with the name that a video block gives them. */
const VIDEO_SITES = {
  'youtube.com': 'youtube',
  'youtube-nocookie.com': 'youtube',
  'vimeo.com': 'vimeo',
  'wistia.com': 'wistia',
  'wistia.net': 'wistia',
  'loom.com': 'loom',
} as const

export type VideoSite = (typeof VIDEO_SITES)[keyof typeof VIDEO_SITES]

/** Elements that are nested deeper are dropped, but their text stays. So walking the tree cannot exhaust the stack. */
const NESTING_MAX = 50

/**
 * No editor writes HTML nested this deeply. The parser's time grows with the square of the depth, so such HTML is
 * rejected before parsing.
 */
const DEPTH_MAX = 500

function rejectTooDeep(html: string, field: string): void {
  let depth = 0
  const parser = new Parser({
    onopentag: () => {
      depth += 1
      if (depth <= DEPTH_MAX) return
      const message = `nests more than ${DEPTH_MAX} elements in each other`
      throw validationError([{ field, code: 'too_deep', message }])
    },
    onclosetag: () => {
      depth -= 1
    },
  })
  parser.end(html)
}

type Sanitised = { readonly html: string; readonly inlineImages: number }

/**
 * The host's HTML without scripts, event handlers, styles and addresses whose scheme is neither http nor https. An iframe stays
 * only if it shows one of `VIDEO_SITES`. The addresses of images with `data:` are dropped, and these images are counted. `field`:
 * the field that contained the HTML.
 */
export function sanitise(html: string, field: string): Sanitised {
  rejectTooDeep(html, field)
  let inlineImages = 0
  const clean = sanitizeHtml(html, {
    allowedTags: TAGS,
    allowedAttributes: {
      a: ['href'],
      img: ['src', 'alt'],
      video: ['src'],
      source: ['src'],
      iframe: ['src'],
      ol: ['start'],
      // A footnote has `id="fn1"`, and a link to `#fn1` refers to it.
      ...{ li: ['id'], p: ['id'], div: ['id'] },
    },
    allowedSchemes: ['http', 'https'],
    allowedIframeDomains: Object.keys(VIDEO_SITES),
    nonTextTags: NO_TEXT,
    nestingLimit: NESTING_MAX,
    transformTags: {
      img: (tagName, attribs) => {
        if (isInline(attribs['src'] ?? '')) inlineImages += 1
        return { tagName, attribs }
      },
    },
  })
  return { html: clean, inlineImages }
}

/** Browsers ignore control characters and blanks inside a scheme. */
function isInline(address: string): boolean {
  return /^data:/i.test(address.replace(/[\p{Cc}\s]/gu, ''))
}

const OWN_ORIGIN = 'https://own.invalid'
const URL_CHARS_MAX = 2_000

/**
 * An address that may be shown: http or https without a user name, or a path of the platform, which becomes absolute when a
 * record is rendered. Null for every other address, and for links within the page.
 */
export function safeUrl(address: string): string | null {
  if (address.trim() === '' || address.trim().startsWith('#')) return null
  const url = URL.parse(address, OWN_ORIGIN)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null
  if (url.username !== '' || url.password !== '') return null
  const text = url.origin === OWN_ORIGIN ? url.href.slice(OWN_ORIGIN.length) : url.href
  // A path that begins with two slashes would name another host.
  return text.length > URL_CHARS_MAX || text.startsWith('//') ? null : text
}

/** The address of the player with https, and its site. Null if the site is not allowed. */
export function embeddedVideo(address: string): { readonly url: string; readonly provider: VideoSite } | null {
  const url = URL.parse(safeUrl(address) ?? '')
  if (url === null || url.port !== '') return null
  const site = Object.entries(VIDEO_SITES).find(([domain]) => {
    return url.hostname === domain || url.hostname.endsWith(`.${domain}`)
  })
  if (site === undefined) return null
  url.protocol = 'https:'
  return { url: url.href, provider: site[1] }
}
