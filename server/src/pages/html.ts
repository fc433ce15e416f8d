/** Markup that is safe to send. Every other value in an `html` template is text and is escaped. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

export type HtmlValue = Html | string | number | undefined | null | false | readonly HtmlValue[]

export function html(literals: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const parts = literals.map((literal, i) => literal + markupOf(values[i]))
  return new Html(parts.join(''))
}

function markupOf(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return ''
  if (value instanceof Html) return value.markup
  if (typeof value === 'object') return value.map(markupOf).join('')
  return escaped(String(value))
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

/** Renders a description. It has paragraphs and `code`, and no other Markdown. */
export function prose(text: string | undefined): HtmlValue {
  if (text === undefined) return undefined
  return text.split('\n\n').map((paragraph) => html`<p>${withCode(paragraph)}</p>`)
}

export function withCode(text: string): readonly HtmlValue[] {
  return text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))
}

/** Joins texts in the form "a, b or c". */
export function alternatives(items: readonly HtmlValue[], word = 'or'): readonly HtmlValue[] {
  return items.map((item, i) => [i === 0 ? '' : i === items.length - 1 ? ` ${word} ` : ', ', item])
}
