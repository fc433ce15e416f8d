import type { WorldTime } from '#kernel/clock.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { type ShortStatement, type SqlValue, shortStatement } from '#system/postgres/statement.ts'
import type { Filter, PageKind, Parameter } from './page-kind.ts'
import { pageText } from './page-sql-store.ts'

/** One row, whatever the page holds: taking a page apart row by row costs more than all the rest of it. */
export type PageRow = {
  readonly head: string
  readonly epoch: string
  readonly published_at: WorldTime
  /** World time, in milliseconds. */
  readonly now: string
  /** Where the caller's access to any company last changed; to those asked for; whether they edit one of those. */
  readonly changed: string | null
  readonly changedHere: string | null
  readonly edits: boolean
  /** Positions or ids, separated by commas. Null when the page is empty. */
  readonly places: string | null
  /**
   * Records as JSON with a comma and a new line between them, and on sync pages with room for each one's cursor. As bytes,
   * which are sent as they came: to make text of a page and bytes of it again took a third of the time it needs.
   */
  readonly texts: Buffer | null
}

type Page = { readonly statement: ShortStatement<PageRow>; readonly parameters: readonly Parameter[] }

const PAGES = new Map<string, Page>()

function nameOf({ mode, audience, filters, named }: PageKind): string {
  return ['ledger', mode, audience, ...filters, ...(named ? [] : ['unnamed'])].join('.')
}

/** What each audience can be asked for; the rest of the filters is decided before any statement. */
const FILTERS: Readonly<Record<PageKind['audience'], readonly Filter[]>> = {
  union: ['company', 'offering', 'investor'],
  company: ['offering', 'investor'],
  own: ['company', 'offering'],
}

for (const audience of ['union', 'company', 'own'] as const) {
  for (const mode of ['list', 'sync'] as const) {
    const names: readonly Filter[] = mode === 'list' ? [...FILTERS[audience], 'status'] : FILTERS[audience]
    // One's own are always shown by name.
    for (const named of mode === 'list' || audience === 'own' ? [true] : [true, false]) {
      for (const filters of subsets(names)) {
        const kind = { mode, audience, filters, named }
        const { text, parameters } = pageText(kind)
        PAGES.set(nameOf(kind), { statement: shortStatement<PageRow>(nameOf(kind), text), parameters })
      }
    }
  }
}

function subsets(names: readonly Filter[]): Filter[][] {
  const [first, ...rest] = names
  if (first === undefined) return [[]]
  const without = subsets(rest)
  return [...without, ...without.map((some) => [first, ...some])]
}

export type PageValues = Readonly<Partial<Record<Parameter, SqlValue>>>

/**
 * On the shared connection, but for what goes through all that an investor has: of a few there is much, and nobody else
 * should wait for it.
 */
export async function readPage(db: WorldDatabase, kind: PageKind, values: PageValues): Promise<PageRow> {
  const page = PAGES.get(nameOf(kind))
  if (page === undefined) throw new Error(`no page is made of ${nameOf(kind)}`)
  const given = page.parameters.map((name) => values[name] ?? null)
  const isLong = kind.filters.includes('investor') || kind.filters.includes('status')
  const [row] = isLong ? await db.reads.many(page.statement, given) : await db.short(page.statement, given)
  if (row === undefined) throw new Error('the ledger has no row')
  return row
}
