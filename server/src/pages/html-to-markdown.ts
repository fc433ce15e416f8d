import { parseDocument } from 'htmlparser2'

type ChildNode = ReturnType<typeof parseDocument>['children'][number]
type Element = Extract<ChildNode, { readonly attribs: object }>
type Text = Extract<ChildNode, { readonly data: string }>

const isTag = (node: ChildNode): node is Element => 'attribs' in node
const isText = (node: ChildNode): node is Text => node.type === 'text'

/**
 * The content of one of our own pages (its `main` element) as Markdown, for programs. The Markdown is made from the page, so that
 * both have the same content.
 */
export function pageAsMarkdown(markup: string): string {
  const main = find(parseDocument(markup).children, (element) => element.name === 'main')
  const text = blocks(main?.children ?? [], { indent: '' })
  return `${text.replace(/\n{3,}/g, '\n\n').trim()}\n`
}

type Place = {
  /** The indent of the list item that contains the block. */
  readonly indent: string
}

function find(nodes: readonly ChildNode[], wanted: (element: Element) => boolean): Element | null {
  for (const node of nodes) {
    if (!isTag(node)) continue
    const found = wanted(node) ? node : find(node.children, wanted)
    if (found !== null) return found
  }
  return null
}

const HEADING = /^h([1-6])$/
/** Elements that work only in the page. */
const LEFT_OUT: ReadonlySet<string> = new Set(['button', 'form', 'input', 'script', 'select', 'style', 'template'])
const BLOCKS: ReadonlySet<string> = new Set(
  'article aside details div dl dd dt figure figcaption footer header li nav ol p pre section summary table ul h1 h2 h3 h4 h5 h6'.split(
    ' ',
  ),
)

const isBlock = (node: ChildNode) => isTag(node) && BLOCKS.has(node.name)

/** Inline content between two blocks becomes a paragraph. */
function blocks(nodes: readonly ChildNode[], place: Place): string {
  let written = ''
  let run: ChildNode[] = []
  const endRun = () => {
    const text = inline(run).trim()
    if (text !== '') written += `${text}\n\n`
    run = []
  }
  for (const node of nodes) {
    if (!isBlock(node)) run.push(node)
    else {
      endRun()
      written += block(node as Element, place)
    }
  }
  endRun()
  return written
}

function block(element: Element, place: Place): string {
  const level = HEADING.exec(element.name)?.[1]
  if (level !== undefined) return `${'#'.repeat(Number(level))} ${inline(element.children).trim()}\n\n`
  switch (element.name) {
    case 'p':
    case 'summary':
    case 'figcaption':
      return `${inline(element.children).trim()}\n\n`
    case 'pre':
      return codeBlock(element)
    case 'ul':
    case 'ol':
      return `${list(element, place)}\n`
    case 'dl':
      return `${definitions(element)}\n`
    case 'table':
      return `${table(element)}\n`
    default:
      return blocks(element.children, place)
  }
}

function codeBlock(element: Element): string {
  const text = plain(element.children).replace(/\n+$/, '')
  const label = element.attribs['aria-label']
  const fence = text.includes('```') ? '~~~~' : '```'
  const language = element.attribs['data-language'] ?? (/^\s*[[{]/.test(text) ? 'json' : '')
  const lead = label === undefined ? '' : `${label}:\n\n`
  return `${lead}${fence}${language}\n${text}\n${fence}\n\n`
}

function list(element: Element, { indent }: Place): string {
  const items = element.children.filter(isTag).filter(({ name }) => name === 'li')
  return items
    .map((item, i) => {
      const mark = element.name === 'ol' ? `${i + 1}. ` : '- '
      const inner = `${indent}${' '.repeat(mark.length)}`
      const text = blocks(item.children, { indent: '' })
        .trim()
        .replace(/\n{2,}/g, '\n')
      return `${indent}${mark}${text.replaceAll('\n', `\n${inner}`)}\n`
    })
    .join('')
}

function definitions(element: Element): string {
  return element.children
    .filter(isTag)
    .map(({ name, children }) =>
      name === 'dt' ? `- **${inline(children).trim()}**: ` : `${inline(children).trim()}\n`,
    )
    .join('')
}

function table(element: Element): string {
  const rows: string[][] = []
  const collect = (nodes: readonly ChildNode[]): void => {
    for (const node of nodes.filter(isTag)) {
      if (node.name !== 'tr') collect(node.children)
      else rows.push(node.children.filter(isTag).map(({ children }) => inline(children).trim().replaceAll('|', '\\|')))
    }
  }
  collect(element.children)
  const [head = [], ...body] = rows
  const lines = [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`)
  return `${lines.join('\n')}\n`
}

function inline(nodes: readonly ChildNode[]): string {
  return nodes
    .map(inlineNode)
    .join('')
    .replace(/[ \n]+/g, ' ')
}

function inlineNode(node: ChildNode): string {
  if (isText(node)) return node.data.replace(/\s+/g, ' ')
  if (!isTag(node) || LEFT_OUT.has(node.name)) return ''
  const text = inline(node.children)
  switch (node.name) {
    case 'code':
      return text === '' ? '' : `\`${text}\``
    case 'b':
    case 'strong':
      return text.trim() === '' ? text : `**${text}**`
    case 'a':
      return linked(text, node.attribs['href'] ?? '')
    case 'br':
      return ' '
    default:
      return text
  }
}

/**
 * A link to a place on the same page becomes plain text, because the place has no address in Markdown. A link to another page
 * of the documentation leads to the Markdown of that page.
 */
function linked(text: string, href: string): string {
  if (href === '' || href.startsWith('#')) return text
  const [path = ''] = href.split('#')
  const isPage = /^\/docs(?:\/(?:api|guides)\/.+|\/changelog)?$/.test(path) && !path.endsWith('.md')
  return `[${text}](${isPage ? `${path}.md` : href})`
}

function plain(nodes: readonly ChildNode[]): string {
  return nodes.map((node) => (isText(node) ? node.data : isTag(node) ? plain(node.children) : '')).join('')
}
