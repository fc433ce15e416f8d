import { parseDocument } from 'htmlparser2'
import { withoutUnstorable } from '#kernel/text.ts'
import { embeddedVideo, safeUrl, sanitise, type VideoSite } from './safe-html.ts'

type Link = { readonly text: string; readonly url: string }
type Linked = { readonly links?: readonly Link[] }

/** A part of a story, in document order. Addresses are absolute or paths of the platform. */
export type StoryBlock =
  | ({ readonly type: 'heading'; readonly level: number; readonly text: string } & Linked)
  | ({ readonly type: 'paragraph'; readonly text: string } & Linked)
  | ({ readonly type: 'list'; readonly ordered: boolean; readonly start?: number; readonly items: string[] } & Linked)
  | {
      readonly type: 'image'
      readonly url: string
      readonly link?: string
      readonly alt: string | null
      readonly filename: string | null
    }
  | { readonly type: 'video'; readonly url: string; readonly link?: string; readonly provider: VideoSite | 'upload' }
  | { readonly type: 'footnote'; readonly number: number; readonly text: string }

export type Story = { readonly blocks: readonly StoryBlock[]; readonly inlineImages: number }

/** Converts HTML of the host platform to blocks of plain text and media. `field`: the field that contained the HTML. */
export function storyBlocks(html: string, field = 'story_html'): Story {
  const { html: clean, inlineImages } = sanitise(html, field)
  const writer = new BlockWriter()
  writer.walk(parseDocument(clean).children)
  writer.flush()
  return { blocks: writer.blocks, inlineImages }
}

/** Converts HTML of the host platform to one plain text, without pictures and videos. */
export function plainText(html: string, field = 'content_html'): string {
  return storyBlocks(html, field).blocks.flatMap(textOf).join('\n\n')
}

function textOf(block: StoryBlock): string[] {
  switch (block.type) {
    case 'heading':
    case 'paragraph':
      return [block.text]
    case 'list':
      return [
        block.items.map((item, at) => `${block.ordered ? `${(block.start ?? 1) + at}.` : '-'} ${item}`).join('\n'),
      ]
    case 'footnote':
      return [`[${block.number}] ${block.text}`]
    case 'image':
    case 'video':
      return []
  }
}

type Node = ReturnType<typeof parseDocument>['children'][number]
type Tag = { readonly name: string; readonly attribs: Readonly<Record<string, string>>; readonly children: Node[] }

const BREAKING = new Set([
  'p',
  'div',
  'section',
  'article',
  'blockquote',
  'pre',
  'hr',
  'table',
  'tr',
  'figure',
  'figcaption',
])
const FOOTNOTE_ID = /^fn(\d{1,4})$/
const FOOTNOTE_LINK = /^#fn(\d{1,4})$/
const FOOTNOTE_BACK = /^#fnref\d{1,4}$/

/** The block that the current text belongs to. */
type Target = { readonly type: 'paragraph' } | { readonly type: 'heading'; readonly level: number }

type OpenList = { readonly ordered: boolean; first: number; items: string[] }

class BlockWriter {
  readonly blocks: StoryBlock[] = []
  #text = ''
  #links: Link[] = []
  #target: Target = { type: 'paragraph' }
  #list: OpenList | null = null
  /** The link around the current picture or text. */
  #href: string | null = null
  /** Where the text of the current link begins in the current text. */
  #linkStart = 0

  walk(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (node.type === 'text') this.#text += (node as { data: string }).data.replace(/\s+/g, ' ')
      else if (node.type === 'tag') this.#element(node as unknown as Tag)
    }
  }

  /** Ends the current paragraph, heading or list item. */
  flush(): void {
    this.#endLinkText()
    const text = tidy(this.#text)
    const links = this.#links.length === 0 ? {} : { links: this.#links }
    this.#text = ''
    this.#linkStart = 0
    if (this.#list !== null) {
      if (text !== '') this.#list.items.push(text)
      return
    }
    this.#links = []
    if (text !== '') this.blocks.push({ ...this.#target, text, ...links })
  }

  #element(tag: Tag): void {
    const footnote = FOOTNOTE_ID.exec(tag.attribs['id'] ?? '')?.[1]
    const level = /^h([1-6])$/.exec(tag.name)?.[1]
    if (footnote !== undefined) this.#footnote(Number(footnote), tag)
    else if (level !== undefined) this.#within({ type: 'heading', level: Number(level) }, tag)
    else if (BREAKING.has(tag.name)) this.#within(this.#target, tag)
    else this.#inline(tag)
  }

  #inline(tag: Tag): void {
    switch (tag.name) {
      case 'br':
        this.#text += '\n'
        break
      case 'a':
        this.#link(tag)
        break
      case 'img':
        this.#image(tag.attribs)
        break
      case 'iframe':
        this.#media(embeddedVideo(tag.attribs['src'] ?? ''))
        break
      case 'video':
        this.#video(tag)
        break
      case 'ul':
      case 'ol':
        this.#readList(tag)
        break
      case 'td':
      case 'th':
        this.walk(tag.children)
        this.#text += ' '
        break
      default:
        this.walk(tag.children)
    }
  }

  /** Reads a heading or another block element. Inside a list item, the element is part of the item and starts a new line. */
  #within(target: Target, { children }: Tag): void {
    if (this.#list !== null) {
      this.#text += '\n'
      this.walk(children)
      this.#text += '\n'
      return
    }
    this.flush()
    const before = this.#target
    this.#target = target
    this.walk(children)
    this.flush()
    this.#target = before
  }

  #link({ attribs, children }: Tag): void {
    const href = attribs['href'] ?? ''
    const footnote = FOOTNOTE_LINK.exec(href)?.[1]
    if (footnote !== undefined) this.#text += `[${Number(footnote)}]`
    if (footnote !== undefined || FOOTNOTE_BACK.test(href)) return
    this.#endLinkText()
    const outer = this.#href
    this.#href = safeUrl(href)
    this.walk(children)
    this.#endLinkText()
    this.#href = outer
  }

  /** Adds the text of the current link to the block's links. A link around several blocks is a link in each of them. */
  #endLinkText(): void {
    const text = tidy(this.#text.slice(this.#linkStart))
    if (this.#href !== null && text !== '') this.#links.push({ text, url: this.#href })
    this.#linkStart = this.#text.length
  }

  #image({ src = '', alt = '' }: Tag['attribs']): void {
    const url = safeUrl(src)
    if (url === null) return
    this.#media({ type: 'image', url, alt: tidy(alt) || null, filename: filenameOf(url) })
  }

  #video({ attribs, children }: Tag): void {
    const sources = children.flatMap((child) => {
      const { name, attribs: at } = child as unknown as Partial<Tag>
      return name === 'source' ? [at?.['src'] ?? ''] : []
    })
    const url = [attribs['src'] ?? '', ...sources].map(safeUrl).find((address) => address !== null)
    this.#media(url === undefined ? null : { url, provider: 'upload' as const })
  }

  /** The current text ends before a picture or video and continues after it, so that media keep their position. */
  #media(media: Omit<StoryBlock & { type: 'image' }, 'link'> | Video | null): void {
    if (media === null) return
    const link = this.#href === null ? {} : { link: this.#href }
    this.flush()
    const list = this.#list
    if (list !== null) this.#endList(list)
    this.blocks.push('type' in media ? { ...media, ...link } : { type: 'video', ...media, ...link })
  }

  #readList({ name, attribs, children }: Tag): void {
    const items = children.filter((child) => child.type === 'tag') as unknown as Tag[]
    const outer = this.#list
    // The items of a nested list become lines of the outer item.
    if (outer !== null) {
      for (const item of items) {
        this.#text += '\n- '
        this.walk(item.children)
      }
      return
    }
    this.flush()
    const start = Number.parseInt(attribs['start'] ?? '', 10)
    const list: OpenList = { ordered: name === 'ol', first: start > 1 ? start : 1, items: [] }
    this.#list = list
    for (const item of items) {
      const footnote = FOOTNOTE_ID.test(item.attribs['id'] ?? '')
      if (footnote) this.#element(item)
      else this.walk(item.children)
      this.flush()
    }
    this.#endList(list)
    this.#list = null
  }

  #endList(list: OpenList): void {
    const { ordered, first, items } = list
    const links = this.#links.length === 0 ? {} : { links: this.#links }
    this.#links = []
    if (items.length === 0) return
    this.blocks.push({ type: 'list', ordered, ...(ordered && first > 1 ? { start: first } : {}), items, ...links })
    list.first = first + items.length
    list.items = []
  }

  #footnote(number: number, { children }: Tag): void {
    this.flush()
    if (this.#list !== null) this.#endList(this.#list)
    const inner = new BlockWriter()
    inner.walk(children)
    inner.flush()
    const text = inner.blocks.flatMap(textOf).join('\n')
    if (text !== '') this.blocks.push({ type: 'footnote', number, text })
  }
}

type Video = { readonly url: string; readonly provider: VideoSite | 'upload' }

function tidy(text: string): string {
  return withoutUnstorable(text)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}

function filenameOf(url: string): string | null {
  const last = url.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? ''
  return last === '' ? null : decoded(last).slice(0, 200)
}

function decoded(text: string): string {
  try {
    return withoutUnstorable(decodeURIComponent(text))
  } catch {
    return text
  }
}
