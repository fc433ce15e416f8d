import type { Static } from 'typebox'
import { ERASED_PERSON } from '#events/index.ts'
import { heldBy } from '#http/access.ts'
import { openCursor, pageSize } from '#http/pagination.ts'
import { StoredJson } from '#http/response-bodies.ts'
import { type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { ENTRIES_MAX, StatsList, StatsParam, StatsQuery, WEEK_PAGES } from '../schemas.ts'
import { type Detail, detailOf, type Granted, showsAddress } from './detail.ts'
import {
  type Look,
  lookAtStats,
  NEWEST_WEEK,
  type Place,
  placeOf,
  readEntries,
  valuesOf,
  type WeekEntry,
} from './store.ts'

export type StatsRouteDeps = {
  readonly cursors: CursorSealer
  /** k: the next week is published without groups of fewer people than this. */
  readonly peopleMin: number
}

const CACHE_BYTES_MAX = 16 * 1_024 * 1_024

/** "Weekly referral statistics; referral-code scopes; server key only." */
export const statsRoutes = ({ cursors, peopleMin }: StatsRouteDeps): Route[] => {
  const cache = textCache(CACHE_BYTES_MAX)
  return [
    route({
      operation: 'getReferralCodeStats',
      method: 'GET',
      path: '/referral_codes/:id/stats',
      summary: 'Get referral code statistics',
      description: 'Returns the published statistics of a referral code by week and by company, newest week first.',
      tag: 'Referral codes',
      access: heldBy(['client'], 'read:referral_codes'),
      schema: { params: StatsParam, query: StatsQuery, response: { 200: StatsList } },
      stale: 'ok',
      ahead: (db, { id = '' }) => lookAtStats(db, id),
      handler: async ({ db, staleReads, caller: { world, appId }, params: { id: code }, query, requestId, ahead }) => {
        const { size, values, request } = statsRequest({ cursors, peopleMin }, code, query)
        const look = await ahead
        if (look === null || look.app !== appId) throw notFound()
        const entitled = entitledOf(look)
        const { through } = look
        const read = () => readStats(db.reads, request, { through, entitled })
        // The stored content of a released week never changes, so a replica is up to date if it has the newest week. Rows
        // may name people, so they are read from the primary.
        const released = { statement: NEWEST_WEEK, value: async () => through }
        const readRanges = () =>
          staleReads(db, released, (from) => readStats(from.reads, request, { through, entitled }))
        const name = `${world} ${code} ${size} ${values?.join(' ') ?? ''}`
        // Rows are not cached, because names and hidden investments may change at any time.
        const text =
          entitled.size === 0 ? await cache.get(name, String(through), readRanges) : Buffer.from(await read())
        return { status: 200, body: new StoredJson([text, Buffer.from(`,"request_id":"${requestId}"}}`)]) }
      },
    }),
  ]
}

/** Reads the size and the cursor of a request for a page of weeks. Rejects a cursor of another list. */
function statsRequest(
  { cursors, peopleMin }: StatsRouteDeps,
  code: Id<'referralCode'>,
  query: Static<typeof StatsQuery>,
) {
  const kind = { kind: `referral_stats/${code}`, version: 1 }
  const size = pageSize(query.per_page, WEEK_PAGES)
  const values = openCursor(cursors, kind, query.cursor)
  const sealed = (place: Place) => cursors.seal(kind, valuesOf(place))
  const request: StatsRequest = { code, place: placeOf(values), size, entries: ENTRIES_MAX, peopleMin, sealed }
  return { size, values, request }
}

type StatsPageRequest = {
  readonly app: Id<'app'>
  readonly code: Id<'referralCode'>
  readonly query: Static<typeof StatsQuery>
}

/** The same statistics for the portal. The cache of the API route is not used, because people request them seldom. */
export async function statsPage(deps: StatsRouteDeps, db: WorldDatabase, { app, code, query }: StatsPageRequest) {
  const { request } = statsRequest(deps, code, query)
  const look = await lookAtStats(db, code)
  if (look === null || look.app !== app) throw notFound()
  return readStats(db.reads, request, { through: look.through, entitled: entitledOf(look) })
}

/** Responses with ranges only, cached as bytes. They stay the same until another week is released. */
type TextCache = {
  /** The cached response for this name and revision; else the result of `read`, which is cached. */
  get(name: string, revision: string, read: () => Promise<string>): Buffer | Promise<Buffer>
}

type CachedText = { readonly revision: string; readonly bytes: Buffer }

/** Caches at most `bytesMax` bytes and evicts the oldest entries. A response of more than a tenth of `bytesMax` is not cached. */
function textCache(bytesMax: number): TextCache {
  const cached = new Map<string, CachedText>()
  let totalBytes = 0
  const evict = (name: string) => {
    totalBytes -= cached.get(name)?.bytes.byteLength ?? 0
    cached.delete(name)
  }
  const readAndCache = async (name: string, revision: string, read: () => Promise<string>) => {
    const bytes = Buffer.from(await read())
    evict(name)
    if (bytes.byteLength > bytesMax / 10) return bytes
    cached.set(name, { revision, bytes })
    totalBytes += bytes.byteLength
    for (const oldest of cached.keys()) {
      if (totalBytes <= bytesMax) break
      evict(oldest)
    }
    return bytes
  }
  return {
    get(name, revision, read) {
      const entry = cached.get(name)
      return entry?.revision === revision ? entry.bytes : readAndCache(name, revision, read)
    },
  }
}

type StatsRequest = {
  readonly code: Id<'referralCode'>
  /** The end of the previous page; null: begin with the newest week. */
  readonly place: Place | null
  /** The maximum number of weeks. */
  readonly size: number
  /** The maximum number of rows and ranges in all weeks together. */
  readonly entries: number
  /** k: the next week is published without groups of fewer people than this. */
  readonly peopleMin: number
  readonly sealed: (place: Place) => string
}

/** The companies where the app may see more than ranges, with its grant there. */
type Entitled = ReadonlyMap<string, Granted>

export function entitledOf({ entitled }: Look): Entitled {
  const listed: readonly [string, Granted['tier'], readonly string[]][] = JSON.parse(entitled)
  return new Map(listed.map(([company, tier, scopes]) => [company, { tier, scopes }]))
}

/**
 * The weeks of a code as JSON text, without its last two braces, because the caller appends the id of the request. The stored
 * content of a week never changes after its release. How much of that content the app may see is decided in every request.
 */
export async function readStats(
  queries: WorldQueries,
  { code, place, size, entries, peopleMin, sealed }: StatsRequest,
  { through, entitled }: { readonly through: string | null; readonly entitled: Entitled },
): Promise<string> {
  const companies = [...entitled.keys()]
  const detail = (company: string): Detail => {
    const granted = entitled.get(company)
    return granted === undefined ? 'ranges' : detailOf(granted)
  }
  const address = (company: string) => {
    const granted = entitled.get(company)
    return granted !== undefined && showsAddress(granted)
  }
  const read = await readEntries(queries, code, {
    ...{ place, through, companies, weeks: size + 1, entries: entries + 1 },
    inFull: companies.filter((company) => detail(company) === 'full'),
  })
  const { shown, next } = cutPage(read, { weeks: size, entries })
  const texts = weekTexts(shown, { detailOf: detail, showsAddress: address })
  const meta = {
    has_more: next !== null,
    page_count: texts.length,
    next_cursor: next && sealed(next),
    ...{ referral_code: code, published_through: through, k: peopleMin },
  }
  return `{"data":[${texts.join(',')}],"meta":${JSON.stringify(meta).slice(0, -1)}`
}

type Cut = {
  readonly shown: readonly WeekEntry[]
  /** Null on the last page. */
  readonly next: Place | null
}

/** A place after the ranges of a company, which are a single entry. */
const AFTER_RANGES = { corrected: true, token: '~' }

/**
 * "List, never long": a page ends at the maximum number of weeks or of entries, whichever comes first. A week that does not fit
 * continues on the next page. `read` has one more week and one more entry than the page, if there are more.
 */
function cutPage(
  read: readonly WeekEntry[],
  { weeks, entries }: { readonly weeks: number; readonly entries: number },
): Cut {
  const inWeeks = new Set([...new Set(read.map(({ week }) => week))].slice(0, weeks))
  const shown = read.slice(0, entries).filter(({ week }) => inWeeks.has(week))
  const [last, following] = [shown.at(-1), read[shown.length]]
  if (last === undefined || following === undefined) return { shown, next: null }
  const { week, company, corrected, token } = last
  if (following.week !== week || company === null) return { shown, next: { week, row: null } }
  const after = corrected === null || token === null ? AFTER_RANGES : { corrected, token }
  return { shown, next: { week, row: { company, ...after } } }
}

type Rendering = {
  readonly detailOf: (company: Id<'company'>) => Detail
  readonly showsAddress: (company: Id<'company'>) => boolean
}

/** The weeks as JSON texts, assembled from the texts that were stored at their release. */
function weekTexts(entries: readonly WeekEntry[], rendering: Rendering): string[] {
  return [...Map.groupBy(entries, ({ week }) => week)].map(([week, ofWeek]) => {
    const [first] = ofWeek
    const head = `"week":"${week}","published_at":"${first?.released_at}","k":${first?.people_min}`
    // An empty week has one entry without a company, which is skipped.
    const companies = [...Map.groupBy(ofWeek, ({ company }) => company)].flatMap(([company, ofCompany]) =>
      company === null ? [] : [companyText(company, ofCompany, rendering)],
    )
    return `{${head},"companies":[${companies.join(',')}]}`
  })
}

function companyText(company: Id<'company'>, entries: readonly WeekEntry[], rendering: Rendering): string {
  const detail = rendering.detailOf(company)
  const members = detail === 'ranges' ? entries.map(({ text }) => text).join() : rowsText(company, entries, rendering)
  return `{"company":"${company}","detail":"${detail}",${members}}`
}

function rowsText(company: Id<'company'>, entries: readonly WeekEntry[], { showsAddress }: Rendering): string {
  const address = showsAddress(company)
  const texts = (corrected: boolean) =>
    entries.filter((entry) => entry.corrected === corrected).map((entry) => rowText(entry, address))
  return `"rows":[${texts(false).join(',')}],"corrections":[${texts(true).join(',')}]`
}

/**
 * "Full rows including investor identity": the released row, with the investor's current name added, so that an erased
 * person is no longer named.
 */
function rowText({ text, investment, investor: id, name, email }: WeekEntry, address: boolean): string {
  if (text === null || investment === null) return text ?? ''
  const investor = { id, name: name ?? ERASED_PERSON.name, ...(address ? { email } : {}) }
  return `${text.slice(0, -1)},"investment_id":"${investment}","investor":${JSON.stringify(investor)}}`
}
