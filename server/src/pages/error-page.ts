import type { Presentation } from '#http/render-error.ts'
import { PAGE_HEADERS } from '#http/security-headers.ts'
import type { ApiError, ErrorType } from '#kernel/errors.ts'
import { card } from './blocks.ts'
import { type HtmlValue, html } from './html.ts'
import { type PageParts, page } from './layout.ts'
import type { ShownBrand } from './platform-brand.ts'

export type ErrorPageParts = Omit<PageParts, 'title' | 'main'> & {
  /** What happened, as a heading. */
  readonly title: string
  /** The explanation of what happened. */
  readonly message: HtmlValue
  /** What the person can do. */
  readonly remediation?: HtmlValue
  /** A button, or a way to sign in with another account. */
  readonly next?: HtmlValue
  /** For a developer, in small print. */
  readonly detail?: string | undefined
  readonly requestId: string
  /** Pages where the person can continue. */
  readonly onward?: readonly Onward[]
}

export type Onward = { readonly label: string; readonly href: string }

export function errorPage(parts: ErrorPageParts): string {
  const { title, message, remediation, next, detail, requestId, onward = [], ...around } = parts
  const main = card(
    html`<h1>${title}</h1><p>${message}</p>${remediation !== undefined && html`<p>${remediation}</p>`}`,
    next,
    onward.length > 0 &&
      html`<nav aria-label="Where to continue"><ul class="ways">${onward.map(({ label, href }) => html`<li><a href="${href}">${label}</a></li>`)}</ul></nav>`,
    html`<p class="request-id">${detail !== undefined && html`For the app’s developer: ${detail}<br>`}Request <code>${requestId}</code></p>`,
  )
  return page({ ...around, title, main })
}

type Words = { readonly title: string; readonly message?: string; readonly remediation?: string }

const REFUSED: Words = { title: 'This cannot be done' }

/** Error messages are written for developers. For these types the page has a title for people, and for some a message too. */
const WORDS: Partial<Readonly<Record<ErrorType, Words>>> = {
  invalid_request: { title: 'This request cannot be read' },
  validation_error: { title: 'Something in the form is not right' },
  forbidden: { title: 'This is not allowed' },
  not_found: {
    title: 'There is nothing here',
    message: 'The address may be mistyped, the page may be gone, or your account may not see it.',
    remediation: 'Check the address, go back, or continue with one of these pages.',
  },
  method_not_allowed: {
    title: 'This address cannot be opened this way',
    message: 'This address either only receives a form or only shows a page.',
    remediation: 'Go back to the previous page and start from there.',
  },
  rate_limit_exceeded: { title: 'Too many tries' },
  internal_error: {
    title: 'Something went wrong on our side',
    message: 'You did nothing wrong, and nothing was changed.',
    remediation: 'Try again in a moment. If it happens again, send us the request number below.',
  },
  unavailable: {
    title: 'We cannot answer right now',
    message: 'The service is being restarted or is overloaded. Nothing was changed.',
    remediation: 'Try again in a moment.',
  },
}

/** Renders any error that a page throws, with links to continue. */
export function pageOfError(brand: ShownBrand, onward: readonly Onward[] = []): Presentation {
  return (error, requestId) => ({
    status: error.status,
    headers: PAGE_HEADERS,
    contentType: 'text/html; charset=utf-8',
    body: errorPage({ brand, requestId, onward, ...wordsFor(error) }),
  })
}

function wordsFor({ type, public: message, remediation }: ApiError) {
  return { message, remediation, ...(WORDS[type] ?? REFUSED) }
}
