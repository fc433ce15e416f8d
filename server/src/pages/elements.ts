import { type Html, type HtmlValue, html } from './html.ts'

export type ButtonKind = 'primary' | 'secondary' | 'danger'

type ButtonParts = {
  readonly label: HtmlValue
  readonly kind?: ButtonKind
  /** The field that is sent if the person presses this button. */
  readonly name?: string
  readonly value?: string
}

const BUTTON_CLASS: Readonly<Record<ButtonKind, string>> = {
  primary: 'button primary',
  secondary: 'button',
  danger: 'button danger',
}

/** A page has one primary button. Its label says what happens. */
export function button({ label, kind = 'primary', name, value }: ButtonParts): Html {
  const sent = name !== undefined && html` name="${name}" value="${value}"`
  return html`<button class="${BUTTON_CLASS[kind]}" type="submit"${sent}>${label}</button>`
}

export function linkButton(label: string, href: string, kind: ButtonKind = 'secondary'): Html {
  return html`<a class="${BUTTON_CLASS[kind]}" href="${href}">${label}</a>`
}

/** The caller passes the main button first, because Enter presses the first one. */
export function actions(...buttons: readonly HtmlValue[]): Html {
  return html`<div class="actions">${buttons}</div>`
}

/** The buttons of the page's decision. On a phone they stay visible at the bottom of the screen. */
export function decisionBar(...buttons: readonly HtmlValue[]): Html {
  return html`<div class="actions decision">${buttons}</div>`
}

type FormParts = {
  readonly action: string
  readonly csrf: string
  readonly content: HtmlValue
  /** Only needed if another element of the page refers to this form. */
  readonly id?: string
}

/** A form that changes something, with the browser's CSRF token. */
export function form({ action, csrf, content, id }: FormParts): Html {
  return html`<form${id !== undefined && html` id="${id}"`} method="post" action="${action}" novalidate>${hidden('csrf', csrf)}${content}</form>`
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`
}

type SignedIn = {
  readonly person: { readonly name: string; readonly email: string }
  readonly csrf: string
  /** The page to return to after signing in as another person. */
  readonly returnTo: string
}

/** The signed-in account, with a button to sign in as another person. */
export function signedInAs({ person: { name, email }, csrf, returnTo }: SignedIn): Html {
  return html`<div class="signed-in-as"><p>Signed in as <strong><bdi>${name}</bdi></strong><span class="hint">${email}</span></p>
<form method="post" action="/sign-out">${hidden('csrf', csrf)}${hidden('return_to', returnTo)}<button class="link" type="submit">Not you?</button></form></div>`
}

type FieldParts = {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password'
  /** The number of lines, for fields with long texts such as reasons. */
  readonly lines?: number
  readonly value?: string
  readonly hint?: string
  /** What is wrong with the value, as the beginning of a sentence. */
  readonly error?: string | undefined
  readonly autocomplete?: string
  readonly required?: boolean
  readonly maxLength?: number
}

/** The label, then the hint and the error, then the input. Screen readers read all of them with the field. */
export function field(parts: FieldParts): Html {
  const { name, label, type = 'text', lines, value = '', hint, error } = parts
  const id = fieldId(name)
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ')
  const attributes = html`id="${id}" name="${name}"${described !== '' && html` aria-describedby="${described}"`}${
    error !== undefined && html` aria-invalid="true" autofocus`
  }${parts.autocomplete !== undefined && html` autocomplete="${parts.autocomplete}"`}${
    parts.required === true && html` required`
  }${parts.maxLength !== undefined && html` maxlength="${parts.maxLength}"`}`
  const control =
    lines === undefined
      ? html`<input type="${type}" value="${value}" ${attributes}>`
      : html`<textarea rows="${lines}" ${attributes}>${value}</textarea>`
  return html`<div class="field"><label for="${id}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${error !== undefined && html`<p class="error" id="${id}-error">${error}</p>`}
${control}</div>`
}

const fieldId = (name: string) => `field-${name}`

type Mistake = { readonly field?: string; readonly message: string }

/**
 * The mistakes that belong to no field, for the top of the page. They get the focus when the page is shown again. A mistake in a
 * field is shown only at the field, which then gets the focus.
 */
export function errorSummary(mistakes: readonly Mistake[], title = 'There is something to correct'): HtmlValue {
  const lines = mistakes.flatMap(({ field: at, message }) => (at === undefined ? [html`<li>${message}</li>`] : []))
  if (lines.length === 0) return undefined
  return html`<div class="error-summary" role="alert" tabindex="-1" autofocus><h2>${title}</h2><ul>${lines}</ul></div>`
}

const UNITS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** How much two clocks may differ. A time that is at most this far in the future is shown as "just now". */
const SKEW_SECONDS = 5

/** A future time is rounded, so that it is "in 7 days" even if one second of the seven days has passed. */
function inWords(count: number, unit: Intl.RelativeTimeFormatUnit): string {
  return relative.format(count > 0 ? Math.round(count) : Math.trunc(count), unit)
}

/** A relative time, with the date and the time in UTC on hover. `iso` is a time as the database returns it. */
export function moment(iso: string, nowMs: number): Html {
  const then = new Date(iso)
  const seconds = (then.getTime() - nowMs) / 1_000
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length)
  const soon = seconds > SKEW_SECONDS ? 'within a minute' : 'just now'
  const words = unit === undefined ? soon : inWords(seconds / unit[1], unit[0])
  return html`<time datetime="${then.toISOString()}" title="${exact.format(then)} UTC">${words}</time>`
}
