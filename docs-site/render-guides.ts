import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import MarkdownIt, { type Token } from 'markdown-it'
import { DOCS, type GuideEntry, type GuideIndex, readFence } from './guide-index.ts'
import { codeHighlighter, escapeHtml, type Highlight, LANGUAGE_NAMES } from './highlight.ts'

export type Heading = { readonly id: string; readonly title: string; readonly level: number }

/** The text under one heading, without markup and without code. The first section is the text before the first heading. */
export type GuideSection = { readonly id: string; readonly title: string; readonly text: string }

export type RenderedGuide = Omit<GuideEntry, 'file'> & {
  readonly group: string
  /** The first paragraph, as text. */
  readonly summary: string
  readonly headings: readonly Heading[]
  readonly sections: readonly GuideSection[]
  /** The names of the index's variables that the code of the guide uses. */
  readonly variables: readonly string[]
  readonly html: string
  /** The page as Markdown, for programs. Its links lead to the Markdown of other pages. */
  readonly markdown: string
}

const SITE = '/docs/guides'
const COMMENT = /^<!--.*?-->\n?/gms
const REFERENCE_FILE = 'routes.md'

export async function renderGuides({ groups, variables }: GuideIndex): Promise<readonly RenderedGuide[]> {
  const highlight = await codeHighlighter()
  const entries = groups.flatMap(({ title: group, guides }) => guides.map((entry) => ({ ...entry, group })))
  const slugs = new Map(entries.map(({ file, slug }) => [file, slug]))
  const names = variables.map(({ name }) => name)
  return Promise.all(
    entries.map(async ({ file, ...entry }) => {
      const text = (await readFile(join(DOCS, file), 'utf8')).replace(COMMENT, '')
      return { ...entry, ...renderGuide(text, { slugs, highlight, names }) }
    }),
  )
}

type GuideContext = {
  readonly slugs: ReadonlyMap<string, string>
  readonly highlight: Highlight
  readonly names: readonly string[]
}

function renderGuide(text: string, { slugs, highlight, names }: GuideContext) {
  const markdown = new MarkdownIt({ html: false, linkify: false })
  const tokens = markdown.parse(text, {})
  addAnchors(tokens)
  rewriteLinks(tokens, (href) => siteAddress(href, slugs))
  markdown.renderer.rules['fence'] = (all, at) => codeFigure(all[at], highlight)
  markdown.renderer.rules['table_open'] = () =>
    '<div class="table" role="group" aria-label="Table" tabindex="0"><table>'
  markdown.renderer.rules['table_close'] = () => '</table></div>'
  // A column without a heading gets an ordinary cell, because a screen reader would announce a heading without text.
  for (const [rule, slash] of [
    ['th_open', ''],
    ['th_close', '/'],
  ] as const) {
    markdown.renderer.rules[rule] = (all, at) =>
      `<${slash}${all[at + (slash === '' ? 1 : -1)]?.content === '' ? 'td' : 'th'}>`
  }
  const sections = sectionsOf(tokens)
  const code = tokens.filter((token) => token.type === 'fence' && readFence(token.info).kind === 'code')
  return {
    summary: sections[0]?.text.split('\n')[0] ?? '',
    headings: headingsOf(tokens).filter(({ level }) => level > 1),
    sections,
    variables: names.filter((name) => code.some(({ content }) => new RegExp(`\\b${name}\\b`).test(content))),
    html: markdown.renderer.render(withoutTitle(tokens), markdown.options, {}),
    markdown: text.replace(/\]\(([^)\s]+)\)/g, (_, href: string) => `](${markdownAddress(href, slugs)})`),
  }
}

/** Removes the title of the document, because the frame of the page shows the title from the index. */
function withoutTitle(tokens: Token[]): Token[] {
  return tokens[0]?.type === 'heading_open' && tokens[0].tag === 'h1' ? tokens.slice(3) : tokens
}

function* headingTokens(tokens: readonly Token[]): Generator<readonly [Token, Token]> {
  for (const [at, token] of tokens.entries()) {
    const content = tokens[at + 1]
    if (token.type === 'heading_open' && content !== undefined) yield [token, content]
  }
}

/** Gives headings the anchors that GitHub and other hosts make, so that a link works there and on the site. */
function addAnchors(tokens: readonly Token[]): void {
  const uses = new Map<string, number>()
  for (const [open, content] of headingTokens(tokens)) {
    const id = anchorOf(plainText(content))
    const count = uses.get(id)
    uses.set(id, (count ?? 0) + 1)
    open.attrSet('id', count === undefined ? id : `${id}-${count}`)
  }
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

function headingsOf(tokens: readonly Token[]): readonly Heading[] {
  return [...headingTokens(tokens)].map(([open, content]) => ({
    id: String(open.attrGet('id')),
    title: plainText(content),
    level: Number(open.tag.slice(1)),
  }))
}

/**
 * The address of a link on the site. An absolute address stays as it is. Null for a file that the site does not have: the page
 * then shows the text without a link.
 */
function siteAddress(href: string, slugs: ReadonlyMap<string, string>): string | null {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  if (path === REFERENCE_FILE) return '/docs'
  if (path === '../CHANGELOG.md') return '/docs/changelog'
  const slug = slugs.get(path)
  return slug === undefined ? null : `${SITE}/${slug}${anchor === undefined ? '' : `#${anchor}`}`
}

function markdownAddress(href: string, slugs: ReadonlyMap<string, string>): string {
  const address = siteAddress(href, slugs)
  if (address === null) return href
  return address.startsWith(`${SITE}/`) ? address.replace(/(?=#|$)/, '.md') : address
}

function rewriteLinks(tokens: readonly Token[], addressOf: (href: string) => string | null): void {
  for (const { children } of tokens) {
    if (children === null) continue
    const remaining = withoutDeadLinks(children, addressOf)
    children.splice(0, children.length, ...remaining)
  }
}

/** Links do not nest, so the end of a link belongs to the link that started last. */
function withoutDeadLinks(children: readonly Token[], addressOf: (href: string) => string | null): readonly Token[] {
  let address: string | null = null
  return children.filter((token) => {
    if (token.type === 'link_close') return address !== null
    if (token.type !== 'link_open') return true
    address = addressOf(String(token.attrGet('href')))
    if (address !== null) token.attrSet('href', address)
    return address !== null
  })
}

function codeFigure(token: Token | undefined, highlight: Highlight): string {
  const { info = '', content = '' } = token ?? {}
  const { language, kind, file } = readFence(info)
  const label = kind === 'output' ? 'Output' : (file ?? LANGUAGE_NAMES[language] ?? 'Example')
  const code = highlight(content.replace(/\n$/, ''), language)
  return `<figure class="code ${kind}"><figcaption>${escapeHtml(label)}</figcaption><pre tabindex="0" aria-label="${escapeHtml(label)}"><code>${code}</code></pre></figure>\n`
}

/** The text of a token without its markup. */
function plainText({ children, content }: Token): string {
  if (children === null) return content
  return children
    .map((child) => (child.type === 'softbreak' || child.type === 'hardbreak' ? ' ' : child.content))
    .join('')
}

function sectionsOf(tokens: readonly Token[]): readonly GuideSection[] {
  const sections: { id: string; title: string; lines: string[] }[] = [{ id: '', title: '', lines: [] }]
  let heading: Token | null = null
  for (const token of tokens) {
    if (token.type === 'heading_open') heading = token
    else if (token.type === 'inline') {
      const text = plainText(token)
      if (heading === null) sections.at(-1)?.lines.push(text)
      else if (heading.tag !== 'h1') sections.push({ id: String(heading.attrGet('id')), title: text, lines: [] })
      heading = null
    }
  }
  return sections.map(({ id, title, lines }) => ({ id, title, text: lines.join('\n') }))
}
