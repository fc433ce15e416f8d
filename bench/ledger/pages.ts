import type { Side } from '../load/rounds.ts'
import type { Service } from '../service.ts'
import { tokenText } from './readers.ts'

/** A requested page and our service's response. `after` is the id of the record before the page, empty for the first page. */
export type PageRequest = {
  readonly path: string
  readonly token: string
  readonly text: string
  readonly after: string
}

type Answer = {
  readonly data: readonly { readonly id: string }[]
  readonly meta: { readonly has_more: boolean; readonly next_cursor: string }
}
export type Pages = { readonly list: readonly PageRequest[]; readonly sync: readonly PageRequest[] }

const EACH = 12
export const PER_PAGE = 25

/** Requests up to `EACH` consecutive pages for each reader: of a listing, and of a sync since yesterday. */
export async function walkPages(service: Service, readers: number): Promise<Pages> {
  const [list, sync]: [PageRequest[], PageRequest[]] = [[], []]
  const since = new Date(Date.now() - 24 * 3_600_000).toISOString()
  for (let reader = 0; reader < readers; reader++) {
    list.push(...(await walk(service, tokenText(reader), '')))
    // Without the first page: a partner requests it by time once, and every later page by a cursor.
    sync.push(...(await walk(service, tokenText(reader), `&updated_since=${since}`)).slice(1))
  }
  return { list, sync }
}

async function walk({ address }: Service, token: string, first: string): Promise<PageRequest[]> {
  const pages: PageRequest[] = []
  let [next, after] = [first, '']
  while (pages.length < EACH) {
    const path = `/investments?per_page=${PER_PAGE}${next}`
    const text = await textOf(address + path, token)
    pages.push({ path, token, text, after })
    const { data, meta } = JSON.parse(text) as Answer
    if (!meta.has_more) break
    next = `&cursor=${meta.next_cursor}`
    after = data.at(-1)?.id ?? ''
  }
  return pages
}

async function textOf(url: string, token: string): Promise<string> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text}`)
  return text
}

/** A side that requests these pages over this many connections. */
export function pagesSide({ address, pid }: Service, pages: readonly PageRequest[], connections: number): Side {
  const requests = pages.map(({ path, token }) => ({
    url: address + path,
    headers: { Authorization: `Bearer ${token}` },
  }))
  return { pid, load: { requests, connections, expected: '{"data":[{"id":"inv_' } }
}
