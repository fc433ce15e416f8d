import { type Html, type HtmlValue, html } from './html.ts'

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'points'; readonly items: readonly string[] }

/**
 * Reads the part of Markdown that our own texts use: headings, paragraphs, lists, and in them **strong**, `code` and
 * links. Everything else, HTML included, is text and is shown as written.
 */
export function readMarkdown(text: string): readonly Block[] {
  const headingsApart = text.replace(/^#.*$/gm, '\n$&\n')
  return headingsApart
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(blockOf)
}

const HEADING = /^(#{1,6}) +(.+)$/

function blockOf(part: string): Block {
  const [, marks, title] = HEADING.exec(part) ?? []
  if (marks !== undefined && title !== undefined) return { kind: 'heading', level: marks.length, text: title }
  if (!part.startsWith('- ')) return { kind: 'paragraph', text: unwrapped(part) }
  return { kind: 'points', items: part.slice(2).split(/\n- /).map(unwrapped) }
}

/** Joins the lines of a paragraph. The line breaks only help people who edit the file; the browser breaks lines itself. */
function unwrapped(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim()
}

/** The page renders the headings, because their level depends on the page. */
export function blockView(block: Exclude<Block, { readonly kind: 'heading' }>): Html {
  if (block.kind === 'paragraph') return html`<p>${inline(block.text)}</p>`
  return html`<ul class="points">${block.items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`
}

const INLINE = /`([^`]+)`|\*\*(.+?)\*\*|\[([^\]]+)\]\(([^()\s]+)\)/

/** Renders the text before the first complete mark, then that mark, and then the rest of the text in the same way. */
export function inline(text: string): readonly HtmlValue[] {
  const found = INLINE.exec(text)
  if (found === null) return [text]
  const [whole, code, strong, label = '', address = ''] = found
  const after = text.slice(found.index + whole.length)
  return [text.slice(0, found.index), markOf({ code, strong, label, address }), ...inline(after)]
}

type Mark = {
  readonly code: string | undefined
  readonly strong: string | undefined
  readonly label: string
  readonly address: string
}

function markOf({ code, strong, label, address }: Mark): HtmlValue {
  if (code !== undefined) return html`<code>${code}</code>`
  if (strong !== undefined) return html`<strong>${inline(strong)}</strong>`
  return leadsSomewhere(address) ? html`<a href="${address}">${inline(label)}</a>` : [...inline(label)]
}

/**
 * Only three kinds of address become a link: the path of a page of this server, a place on the same page, and an address that
 * begins with https. A script does not become a link. Nor does a file of the repository, because it has no address on this
 * server.
 */
function leadsSomewhere(address: string): boolean {
  return /^(?:#|\/(?![/\\])|https:\/\/)/.test(address)
}
