import { type AuditEntry, recordAuditIn } from '#access/audit/index.ts'
import { type Cell, csvLine, type Write } from '#http/response-bodies.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import type { SyndicateCaller } from './manager-access.ts'
import { type MemberRow, memberPage, type Place } from './member-page-store.ts'
import { type MemberRecord, memberRecord } from './member-record.ts'

/** An export has at most this many rows in memory. */
const ROWS_AT_ONCE = 500

type Attributes = MemberRecord['attributes']

const joined = (list: readonly string[]) => list.join('; ')

const COLUMNS: Readonly<Record<string, (attributes: Attributes) => Cell>> = {
  user: ({ user }) => user,
  name: ({ user_name }) => user_name,
  email: ({ user_email }) => user_email,
  legal_name: ({ legal_name }) => legal_name,
  role: ({ role }) => role,
  status: ({ status }) => status,
  permission: ({ syndicate_permission }) => syndicate_permission,
  title: ({ title }) => title,
  accredited: ({ accredited }) => accredited,
  // People read the file in a spreadsheet, so amounts are in whole units, not in cents.
  investment_total: ({ investment_total_cents }) => wholeUnits(investment_total_cents),
  investment_currency: ({ currency }) => currency,
  deal_count: ({ deal_count }) => deal_count,
  carry_percentage_override: ({ carry_percentage_override }) => carry_percentage_override,
  city: ({ city }) => city ?? null,
  state: ({ state }) => state ?? null,
  country: ({ country }) => country ?? null,
  tags: ({ tags }) => joined(tags),
  private_tags: ({ private_tags }) => joined(private_tags),
  last_activity_at: ({ last_activity_at }) => last_activity_at,
  joined_at: ({ joined_at }) => joined_at,
  created_at: ({ created_at }) => created_at,
}

export type Export = { readonly syndicateId: Id<'syndicate'>; readonly caller: SyndicateCaller }

/** Returns a function that writes a syndicate's directory in batches of rows, in the directory's order and from one snapshot. */
export function memberExporter() {
  const limited = exportLimiter()
  return (db: WorldDatabase, wanted: Export, write: Write): Promise<void> => {
    const { syndicateId, caller } = wanted
    return limited([caller.appId, syndicateId], async () => {
      await db.transaction((tx) => recordAuditIn(tx, auditOf(tx.world, wanted)))
      await db.snapshot((queries) => writeRows(queries, syndicateId, write))
    })
  }
}

/**
 * Every export is audited, because it contains the email addresses of all members. An export by an installation has no user,
 * so it appears in no user's activity.
 */
function auditOf(world: World, { syndicateId, caller }: Export): AuditEntry {
  const actor = caller.kind === 'user' ? caller.userId : caller.installationId
  return { actor, action: 'syndicates.member.exported', subject: syndicateId, details: { world, app: caller.appId } }
}

async function writeRows(queries: WorldQueries, syndicateId: Id<'syndicate'>, write: Write): Promise<void> {
  // The header line is written with the first rows, because an error before the first byte can still become an error response.
  let names = csvLine(['id', ...Object.keys(COLUMNS)])
  let after: Place | null = null
  do {
    const wanted = { sort: 'directory', filters: {}, after, limit: ROWS_AT_ONCE } as const
    const rows: readonly MemberRow[] = await memberPage(queries, syndicateId, wanted)
    await write(names + rows.map(lineOf).join(''))
    names = ''
    const last = rows.at(-1)
    after = last === undefined || rows.length < ROWS_AT_ONCE ? null : { key: last.place, id: last.id }
  } while (after !== null)
}

function lineOf(row: MemberRow): string {
  const { id, attributes } = memberRecord(row, '')
  return csvLine([id, ...Object.values(COLUMNS).map((cell) => cell(attributes))])
}

/** Every amount is a whole number of units, so the last two digits of its cents are zeros. */
function wholeUnits(cents: number | null): string | null {
  return cents === null ? null : (BigInt(cents) / 100n).toString()
}

/** An export uses a database connection until the client has read it, so a few slow clients could use all connections. */
const AT_ONCE_MAX = 3

/** How long a queued export waits. Most exports finish within this time. */
const WAIT_MS = 2_000

type Queued = { readonly shares: readonly string[]; start(): void }

/**
 * Runs at most `AT_ONCE_MAX` exports at the same time. The `shares` of an export are its app and its syndicate: each share has at
 * most one running export, so that one app cannot block the exports of all others. Further exports wait in a queue; a request that
 * has waited `waitMs` is rejected.
 */
export function exportLimiter(waitMs = WAIT_MS) {
  const sharesInUse = new Set<string>()
  const waiting = new Set<Queued>()
  let running = 0

  const mayStart = ({ shares }: Queued) => running < AT_ONCE_MAX && shares.every((share) => !sharesInUse.has(share))

  function start(queued: Queued): void {
    running += 1
    for (const share of queued.shares) sharesInUse.add(share)
    // A started export must leave the queue, or the next `release` would start it again.
    waiting.delete(queued)
    queued.start()
  }

  function release(shares: readonly string[]): void {
    running -= 1
    for (const share of shares) sharesInUse.delete(share)
    for (const queued of waiting) if (mayStart(queued)) start(queued)
  }

  return async <T>(shares: readonly string[], work: () => Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const queued = { shares, start: resolve }
    waiting.add(queued)
    const timeout = setTimeout(() => waiting.delete(queued) && reject(tooMany()), waitMs)
    if (mayStart(queued)) start(queued)
    await promise.finally(() => clearTimeout(timeout))
    try {
      return await work()
    } finally {
      release(shares)
    }
  }
}

function tooMany(): ApiError {
  return new ApiError('unavailable', {
    public: 'Another export of this app or this syndicate is running, or too many exports are running.',
    remediation: 'Read the other export to its end, or try again in a few seconds.',
    headers: { 'Retry-After': '5' },
  })
}
