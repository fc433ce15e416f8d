/** Which rows are read, and whose view of them: the investor's if `own` is true, otherwise the company's. */
type Branch = { readonly own: boolean; readonly range: RowRange }

/**
 * Rows in the order of the page: by their place `at`. `within`: a column that comes before `at` in the index and has
 * the same value in all rows; null if there is no such column.
 */
type RowRange = { readonly at: string; readonly within: string | null; readonly where: readonly string[] }

/** `order`: the order in which the index returns the rows, so that no sort is needed. */
type Hits = { readonly given: readonly string[]; readonly rows: string; readonly order: string }

/**
 * The rows of the page. `t` has the place of each row and the side that sees it (investor or company), `h` is its head.
 */
export function hits(kind: PageKind, value: Value): Hits {
  const { audience, filters } = kind
  const branches: Write[] = []
  // Leaves out the user's own investments if the filter names another investor.
  if (audience === 'own' || (audience === 'union' && !filters.includes('investor'))) branches.push(ownRows)
  if (audience === 'company') branches.push(companyRows)
  if (audience === 'union') branches.push(editedRows)
  if (kind.mode === 'sync' && filters.includes('offering')) branches.push(departedRows)
  const [only, ...others] = branches
  if (only !== undefined && others.length === 0 && audience !== 'union') {
    const rows = `(${only(kind, value, HEAD)}) h cross join lateral (select h.at, h.own, h.gone, h.gone_at) t`
    return { given: [], rows, order: isListedRange(kind) ? 'h.within, t.at' : 't.at' }
  }
  // Each branch returns a page of ids, and only the heads of rows that are shown are looked up.
  const pages = branches.map((write) => `(${write(kind, value, '')})`).join('\n      union all\n      ')
  const hit = `hit as materialized (
      select p.investment_id, p.at, p.own, p.gone, p.gone_at from (${pages}) p order by p.at limit ${value('limit')})`
  return { given: [hit], rows: 'hit t join ledger_heads h on h.investment_id = t.investment_id', order: 't.at' }
}

/** `more`: further columns of the head. */
type Write = (kind: PageKind, value: Value, more: string) => string

const HEAD =
  ', h.visible, h.reason, h.company_reason, h.company_observed_at, h.open_reason, h.open_observed_at, h.body, h.identity'
const PRESENT = 'null::ledger_reason as gone, null::timestamptz as gone_at'

type From = { readonly more: string; readonly heads?: string }

function selectRows({ own, range }: Branch, value: Value, { more, heads = 'ledger_heads h' }: From): string {
  const within = range.within === null || more === '' ? '' : `, ${range.within} as within`
  return `select h.investment_id, ${range.at} as at, ${own} as own, ${PRESENT}${more}${within}
        from ${heads} where ${range.where.join(' and ')} order by ${orderOf(range)} limit ${value('limit')}`
}

function orderOf({ at, within }: RowRange): string {
  return within === null ? at : `${within}, ${at}`
}

/** The first column of an index with its value, and the place after which rows are read. */
type Whose = { readonly column: string; readonly is: string; readonly at: string; readonly after: string }

function indexRange(kind: PageKind, whose: Whose): RowRange {
  const { column, is, at, after } = whose
  if (isListedRange(kind)) return listedRange(whose)
  return { at, within: null, where: [`${column} = ${is}`, `${at} > ${after}`] }
}

/**
 * PostgreSQL can choose between two indexes only for a listing (see `listedRange`). With a filter by investor both
 * indexes are fast, because one investor has few rows.
 */
function isListedRange({ mode, filters }: PageKind): boolean {
  return mode === 'list' && !filters.includes('investor')
}

/**
 * A listing is ordered by id. With few companies PostgreSQL would scan the index of all investments: for a company with
 * few investments, up to the end of the ledger. So the statement orders by the columns of the index that begins with
 * the company. The company is passed as an array: with a plain `=` PostgreSQL would see that both orders are the same,
 * and choose the other index again.
 */
function listedRange({ column, is, at, after }: Whose): RowRange {
  return { at, within: column, where: [`${column} = any (array[${is}])`, `${at} > ${after}`] }
}

function narrowRange(range: RowRange, more: readonly string[]): RowRange {
  return { ...range, where: [...range.where, ...more] }
}

function ownRows(kind: PageKind, value: Value, more: string): string {
  const at = kind.mode === 'sync' ? 'h.position' : 'h.investment_id'
  const range = indexRange(kind, { column: 'h.investor_id', is: value('user'), at, after: value('after') })
  const filters = narrowed(kind, value, ['company', 'offering', 'status'])
  return selectRows({ own: true, range: narrowRange(range, filters) }, value, { more })
}

type CompanySide = { readonly at: string; readonly offering: string; readonly seen: readonly string[] }

/**
 * The columns of the company's side, and the conditions for the rows that the company sees. A sync reads every record
 * that the company ever saw, under the offering where the company saw it last. A listing reads only the records that
 * the company sees now. A filter by a status that companies never see ends a listing before any record is read.
 */
function companySide({ mode, filters, named }: PageKind, value: Value): CompanySide {
  if (mode === 'sync') {
    return { at: named ? 'h.company_position' : 'h.open_position', offering: 'h.company_offering_id', seen: [] }
  }
  const status = filters.includes('status') ? [`${value('status')} not in ('canceled', 'converted')`] : []
  return { at: 'h.investment_id', offering: 'h.offering_id', seen: [...status, 'h.visible'] }
}

/** The rows of a company, or of the requested offering. */
function companyRange(kind: PageKind, value: Value, company: string): RowRange {
  const { at, offering, seen } = companySide(kind, value)
  const [column, is] = kind.filters.includes('offering') ? [offering, value('offering')] : ['h.company_id', company]
  const range = indexRange(kind, { column, is, at, after: value('after') })
  return narrowRange(range, [...seen, ...narrowed(kind, value, ['status'])])
}

function companyRows(kind: PageKind, value: Value, more: string): string {
  const company = value('company')
  if (kind.filters.includes('investor')) {
    return investorRows(kind, value, { companies: `h.company_id = ${company}`, more })
  }
  const theirs = kind.filters.includes('offering') ? [`${companyOf(value('offering'))} = ${company}`] : []
  const range = narrowRange(companyRange(kind, value, company), theirs)
  return selectRows({ own: false, range }, value, { more })
}

/**
 * Compares the company of the offering once, not the company of each record. With two conditions on a record PostgreSQL
 * would guess which index to use, and a company's index may contain many records of other offerings.
 */
const companyOf = (offering: string) => `(select o.company_id from offerings o where o.id = ${offering})`

/**
 * Rows of the companies that the user edits. First finds the companies whose rows come next (one index range for each),
 * then reads a page of each found company. So with many companies only a few pages are read.
 */
function editedRows(kind: PageKind, value: Value): string {
  const { filters } = kind
  if (filters.includes('investor')) {
    return investorRows(kind, value, { companies: 'h.company_id in (select company_id from edited)', more: '' })
  }
  const { at } = companySide(kind, value)
  const inRange = (range: string) => {
    const others = narrowRange(companyRange(kind, value, `${range}.company_id`), [`h.investor_id <> ${value('user')}`])
    return `ledger_heads h where ${others.where.join(' and ')} order by ${orderOf(others)}`
  }
  const ranges = filters.includes('offering')
    ? `select e.company_id from edited e where e.company_id = ${companyOf(value('offering'))}`
    : `select e.company_id from edited e cross join lateral (select ${at} as at from ${inRange('e')} limit 1) f
        order by f.at limit ${value('limit')}`
  return `select x.investment_id, x.at, false as own, ${PRESENT}
        from (${ranges}) range cross join lateral (
          select h.investment_id, ${at} as at from ${inRange('range')} limit ${value('limit')}) x`
}

type OfInvestor = { readonly companies: string; readonly more: string }

/** Reads by the investor, who has few rows, and never by the company, which may have many. */
function investorRows(kind: PageKind, value: Value, { companies, more }: OfInvestor): string {
  const { at, offering, seen } = companySide(kind, value)
  const heads = `(select h.investment_id, h.company_id, h.offering_id, h.company_offering_id, h.company_position, h.open_position, h.status${more === '' ? ', h.visible' : more}
          from ledger_heads h where h.investor_id = ${value('investor')} offset 0) h`
  const there = kind.filters.includes('offering') ? [`${offering} = ${value('offering')}`] : []
  const where = [companies, ...seen, `${at} > ${value('after')}`, ...there, ...narrowed(kind, value, ['status'])]
  return selectRows({ own: false, range: { at, within: null, where } }, value, { more, heads })
}

/** "With `offering_id`, a record that moved to another offering is sent once as a tombstone." */
function departedRows({ audience, filters }: PageKind, value: Value): string {
  const seen = {
    company: () => `not d.own and d.company_id = ${value('company')}`,
    own: () => `d.own and d.investor_id = ${value('user')}`,
    union: () =>
      `(case when d.investor_id = ${value('user')} then d.own
             else not d.own and d.company_id in (select company_id from edited) end)`,
  }[audience]()
  const where = [
    `d.offering_id = ${value('offering')}`,
    `d.position > ${value('after')}`,
    seen,
    ...(filters.includes('company') ? [`d.company_id = ${value('company')}`] : []),
    ...(filters.includes('investor') ? [`d.investor_id = ${value('investor')}`] : []),
  ]
  return `select d.investment_id, d.position as at, false as own, d.reason as gone, d.observed_at as gone_at
        from ledger_departures d where ${where.join(' and ')} order by d.position limit ${value('limit')}`
}

function narrowed({ filters }: PageKind, value: Value, by: readonly Filter[]): string[] {
  const columns = { company: 'company_id', offering: 'offering_id', investor: 'investor_id', status: 'status' }
  return by.filter((name) => filters.includes(name)).map((name) => `h.${columns[name]} = ${value(name)}`)
}

/** Each combination has its own statement, so that each has its own plan and no condition is unused. */
export type PageKind = {
  readonly mode: 'list' | 'sync'
  readonly audience: 'union' | 'company' | 'own'
  readonly filters: readonly Filter[]
  /**
   * Whether other investors are shown by name. A sync without names uses the positions of changes that are visible
   * without them. A listing gets the right to see names as a value, because the order of a listing does not depend on
   * it.
   */
  readonly named: boolean
}

export type Filter = 'company' | 'offering' | 'investor' | 'status'

/** The values that a statement takes, in their order. */
export type Parameter = Filter | 'user' | 'after' | 'limit' | 'pii' | 'republished'

/** Writes the placeholder of a value. */
export type Value = (name: Parameter) => string
