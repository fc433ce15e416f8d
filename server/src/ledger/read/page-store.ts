import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { mayEdit } from '#market/companies/index.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { type ShortStatement, type SqlValue, shortStatement, statement } from '#system/postgres/statement.ts'
import { ROW_CURSOR_CHARS, type SyncPlace } from './cursors.ts'
import { type Filter, hits, type PageKind, type Parameter, type Value } from './page-rows-store.ts'

/**
 * One statement reads a page of the ledger: the rows, the end of the ledger, and changes of the caller's access, all at
 * one moment. With separate reads, a change published in between would be below the returned cursor, and never be sent.
 */
type PageText = { readonly text: string; readonly parameters: readonly Parameter[] }

const TYPES: Readonly<Record<Parameter, string>> = {
  company: 'text',
  offering: 'text',
  investor: 'text',
  status: 'text',
  user: 'text',
  after: '',
  limit: 'bigint',
  pii: 'boolean',
  republished: 'text',
}

export function pageText(kind: PageKind): PageText {
  const parameters: Parameter[] = []
  const text = writePage(kind, (name) => {
    if (!parameters.includes(name)) parameters.push(name)
    const type = name === 'after' ? (kind.mode === 'sync' ? 'bigint' : 'text') : TYPES[name]
    return `$${parameters.indexOf(name) + 1}::${type}`
  })
  return { text, parameters }
}

function writePage(kind: PageKind, value: Value): string {
  const isUnion = kind.audience === 'union'
  const { given, rows, order } = hits(kind, value)
  const before = [...(isUnion ? [edited(kind, value)] : []), ...given]
  return `${before.length === 0 ? '' : 'with '}${before.join(',\n')}
  select l.position::text as head, l.epoch::text as epoch, l.published_at,
         (extract(epoch from clock_timestamp() + c.ahead) * 1000)::bigint::text as now,
         ${isUnion ? accessOf(kind, value) : 'null::text as changed, null::text as "changedHere", true as edits'},
         rows.places, rows.texts
    from ledger l cross join world_clock c
    cross join (
      select string_agg(t.at::text, ',' order by ${order}) as places,
             convert_to(string_agg(${kind.mode === 'sync' ? syncRecord(kind, value) : listRecord(value)}, e',\\n' order by ${order}),
                        'UTF8') as texts
        from ${rows}) rows`
}

/** The companies that the user edits, each once, whatever roles the user has there. */
function edited({ filters }: PageKind, value: Value): string {
  const only = filters.includes('company') ? `and p.company_id = ${value('company')}` : ''
  return `edited as materialized (
    select distinct p.company_id from company_people p where p.user_id = ${value('user')} and ${mayEdit('p')} ${only})`
}

function accessOf({ filters }: PageKind, value: Value): string {
  const changes = `select max(changed_position)::text from company_people where user_id = ${value('user')}`
  const here = filters.includes('company') ? `(${changes} and company_id = ${value('company')})` : 'null::text'
  return `(${changes}) as changed, ${here} as "changedHere", exists (select from edited) as edits`
}

const inUtc = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const OBSERVED_AT = '"observed_at":"'
const TIME_CHARS = '2026-11-15T08:30:00.123456Z'.length

/**
 * The record without the investor's identity. If the last change concerned only the identity, `observed_at` is the time
 * of the last change before it that this reader may see: a reader without the scope must not see when the identity
 * changed.
 */
const WITHOUT_IDENTITY = `case when h.open_observed_at is null then h.body
      else overlay(h.body placing ${inUtc('h.open_observed_at')}
                   from strpos(h.body, '${OBSERVED_AT}') + ${OBSERVED_AT.length} for ${TIME_CHARS}) end || '}'`

/**
 * A person's own record has the identity. A record of another investor has it only if the reader may see identities.
 */
const openRecord = (named: string) =>
  `case when t.own or ${named} then h.body || h.identity else ${WITHOUT_IDENTITY} end`

function listRecord(value: Value): string {
  return `${openRecord(value('pii'))} || '}'`
}

/** The place of the cursor is left blank; the server seals the cursor and writes it there. */
function syncRecord({ audience, filters, named }: PageKind, value: Value): string {
  const moves = filters.includes('offering')
  const tombstone = (at: string) =>
    `'{"id":"' || h.investment_id || '","visible":false,"observed_at":"' || ${inUtc(at)} || '"'`
  const record = `case
      ${moves ? `when t.gone is not null then ${tombstone('t.gone_at')}` : ''}
      when ${audience === 'own' ? 'true' : 't.own or h.visible'} then ${openRecord(String(named))}
      else ${tombstone('h.company_observed_at')} end`
  const companyReason = named ? 'h.company_reason' : 'coalesce(h.open_reason, h.company_reason)'
  const reason = `${moves ? 'coalesce(t.gone, ' : ''}case when t.own then h.reason else ${companyReason} end${moves ? ')' : ''}`
  return `${record} || ',"reason":"'
      || case ${reason} when 'recomputed' then ${value('republished')} else ${reason} end
      || '","cursor":"${' '.repeat(ROW_CURSOR_CHARS)}"}'`
}

/** One row contains a whole page: reading a page row by row would take longer than all other work for the page. */
export type PageRow = {
  readonly head: string
  readonly epoch: string
  readonly published_at: WorldTime
  /** World time, in milliseconds. */
  readonly now: string
  /**
   * `changed`: the position at which the caller's access to any company last changed. `changedHere`: the position at
   * which the caller's access to the requested company last changed; null if no company is requested. `edits`: whether
   * the caller edits the requested company, or any company if no company is requested.
   */
  readonly changed: string | null
  readonly changedHere: string | null
  readonly edits: boolean
  /** Positions or ids, separated by commas. Null if the page is empty. */
  readonly places: string | null
  /**
   * Records as JSON with a comma and a new line between them, and on sync pages with space for the cursor of each.
   * These are bytes, which are sent unchanged: converting a page to text and back took a third of its time.
   */
  readonly texts: Buffer | null
}

type Page = { readonly statement: ShortStatement<PageRow>; readonly parameters: readonly Parameter[] }

const PAGES = new Map<string, Page>()

function nameOf({ mode, audience, filters, named }: PageKind): string {
  return ['ledger', mode, audience, ...filters, ...(named ? [] : ['unnamed'])].join('.')
}

/** The filters that a statement exists for, by audience. `narrow` resolves the other filters before any statement. */
const FILTERS: Readonly<Record<PageKind['audience'], readonly Filter[]>> = {
  union: ['company', 'offering', 'investor'],
  company: ['offering', 'investor'],
  own: ['company', 'offering'],
}

for (const audience of ['union', 'company', 'own'] as const) {
  for (const mode of ['list', 'sync'] as const) {
    const names: readonly Filter[] = mode === 'list' ? [...FILTERS[audience], 'status'] : FILTERS[audience]
    // A listing gets the right to names as a parameter, and a reader's own investments always show the name.
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
 * Reads on the shared connection, except with a filter by investor or status: a statement with such a filter may read
 * very many rows, and other requests must not wait for it.
 */
export async function readPage(db: WorldDatabase, kind: PageKind, values: PageValues): Promise<PageRow> {
  const page = PAGES.get(nameOf(kind))
  if (page === undefined) throw new Error(`no statement reads ${nameOf(kind)}`)
  const given = page.parameters.map((name) => values[name] ?? null)
  const isLong = kind.filters.includes('investor') || kind.filters.includes('status')
  const [row] = isLong ? await db.reads.many(page.statement, given) : await db.short(page.statement, given)
  if (row === undefined) throw new Error('the ledger has no row')
  return row
}

type TimeRow = {
  readonly position: string
  readonly head: string
  readonly epoch: string
  readonly now: string
  readonly gained: string | null
  readonly lost: string | null
}

const EDITS = `exists (select from company_people e where e.user_id = p.user_id and e.company_id = p.company_id
  and ${mayEdit('e')})`

/** "updated_since adds a 60-second safety margin": no batch takes that long from its first statement to its commit. */
const AT_TIME = statement<TimeRow>(
  'ledger.place_at_time',
  `select coalesce(
            case when l.published_at <= t.before then l.position end,
            (select b.last_position from ledger_batches b where b.published_at <= t.before
              order by b.published_at desc, b.last_position desc limit 1), 0)::text as position,
          l.position::text as head, l.epoch::text as epoch,
          (extract(epoch from world_now()) * 1000)::bigint::text as now, access.gained, access.lost
     from ledger l
     cross join (select to_timestamp($1::double precision / 1000) - interval '60 seconds' as before) t
     cross join (select max(p.changed_position) filter (where ${EDITS})::text as gained,
                        max(p.changed_position) filter (where not ${EDITS})::text as lost
                   from company_people p where p.user_id = $2 and p.changed_position is not null
                    and ($3::text is null or p.company_id = $3)) access`,
)

type TimePlace = {
  readonly place: SyncPlace
  readonly now: number
  /** The position at which the user last became an editor of a company that they edit now; 0 if never. */
  readonly gained: number
  /** The position at which the user last ceased to be an editor of a company; 0 if never. */
  readonly lost: number
}

/** `user`: whose access is compared; null for an installation. `company`: the only company that counts; null if all count. */
type Whose = { readonly user: Id<'user'> | null; readonly company: Id<'company'> | null }

/**
 * The position of the ledger 60 seconds before a time: the current position if nothing was published since then;
 * otherwise the last position that was recorded at or before that moment.
 */
export async function placeAtTime(queries: WorldQueries, time: number, whose: Whose): Promise<TimePlace> {
  const row = await queries.one(AT_TIME, [time, whose.user, whose.company])
  const now = Number(row.now)
  const place = { epoch: Number(row.epoch), position: Number(row.position), access: Number(row.head) }
  return { place: { ...place, asOf: Math.min(time, now) }, now, gained: Number(row.gained), lost: Number(row.lost) }
}

const RESTART = statement<{ position: string | null }>(
  'ledger.restart_position',
  'select min(start_position)::text as position from ledger_epochs where epoch > $1::bigint',
)

/**
 * After a restore, positions that an older cursor has passed may be assigned again. So the cursor continues from its
 * own position or from the start of the new epoch, whichever is lower, and the reader skips no change of the new epoch.
 */
export async function placeNow(queries: WorldQueries, place: SyncPlace): Promise<SyncPlace> {
  const { position } = await queries.one(RESTART, [place.epoch])
  const restart = position === null ? Number.POSITIVE_INFINITY : Number(position)
  return { ...place, position: Math.min(place.position, restart), access: Math.min(place.access, restart) }
}
