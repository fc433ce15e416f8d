import { type AuditEntry, recordAuditIn } from '#access/audit/index.ts'
import { type Cell, csvLine, type Write } from '#http/response-bodies.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import type { SyndicateCaller } from './manager-access.ts'
import { type MemberRow, memberPage, type Place } from './member-page-store.ts'
import { type MemberRecord, memberRecord } from './member-record.ts'

/** This many rows are in memory at a time. */
const ROWS_AT_ONCE = 500

type Attributes = MemberRecord['attributes']

const words = (list: readonly string[]) => list.join('; ')

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
  // Whole units, as people read them in a spreadsheet.
  investment_total: ({ investment_total_cents }) => wholeUnits(investment_total_cents),
  investment_currency: ({ currency }) => currency,
  deal_count: ({ deal_count }) => deal_count,
  carry_percentage_override: ({ carry_percentage_override }) => carry_percentage_override,
  city: ({ city }) => city ?? null,
  state: ({ state }) => state ?? null,
  country: ({ country }) => country ?? null,
  tags: ({ tags }) => words(tags),
  private_tags: ({ private_tags }) => words(private_tags),
  last_activity_at: ({ last_activity_at }) => last_activity_at,
  joined_at: ({ joined_at }) => joined_at,
  created_at: ({ created_at }) => created_at,
}

export type Export = { readonly syndicateId: Id<'syndicate'>; readonly caller: SyndicateCaller }

/** Returns a function that writes a syndicate's directory row by row, in the order of the list and from one snapshot. */
export function memberExporter() {
  const inTurn = exportTurns()
  return (db: WorldDatabase, wanted: Export, write: Write): Promise<void> => {
    const { syndicateId, caller } = wanted
    return inTurn([caller.appId, syndicateId], async () => {
      await db.transaction((tx) => recordAuditIn(tx, auditOf(tx.world, wanted)))
      await db.snapshot((queries) => writeRows(queries, syndicateId, write))
    })
  }
}

/** Every export is audited, because it contains every address, and because no person's activity shows an installation's export. */
function auditOf(world: World, { syndicateId, caller }: Export): AuditEntry {
  const actor = caller.kind === 'user' ? caller.userId : caller.installationId
  return { actor, action: 'syndicates.member.exported', subject: syndicateId, details: { world, app: caller.appId } }
}

async function writeRows(queries: WorldQueries, syndicateId: Id<'syndicate'>, write: Write): Promise<void> {
  // The header line is written with the first rows: until then an error can still become an error response.
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

/** Each export uses a database connection for as long as its reader takes, so a few slow readers could use up the pool. */
const AT_ONCE_MAX = 3

/** How long an export waits for its turn. Most exports are over by then. */
const WAIT_MS = 2_000

type Turn = { readonly shares: readonly string[]; begin(): void }

/**
 * Allows `AT_ONCE_MAX` exports at once, but only one for each share (an app, a syndicate), so that no app can use all of them.
 * The others wait in their order; a request that has waited `waitMs` is rejected.
 */
export function exportTurns(waitMs = WAIT_MS) {
  const held = new Set<string>()
  const waiting = new Set<Turn>()
  let running = 0

  const isFree = ({ shares }: Turn) => running < AT_ONCE_MAX && shares.every((share) => !held.has(share))

  function take(turn: Turn): void {
    running += 1
    for (const share of turn.shares) held.add(share)
    // Removed before it starts, so that another export that ends at the same time does not start the same one again.
    waiting.delete(turn)
    turn.begin()
  }

  function giveBack(shares: readonly string[]): void {
    running -= 1
    for (const share of shares) held.delete(share)
    for (const turn of waiting) if (isFree(turn)) take(turn)
  }

  return async <T>(shares: readonly string[], work: () => Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const turn = { shares, begin: resolve }
    waiting.add(turn)
    const patience = setTimeout(() => waiting.delete(turn) && reject(tooMany()), waitMs)
    if (isFree(turn)) take(turn)
    await promise.finally(() => clearTimeout(patience))
    try {
      return await work()
    } finally {
      giveBack(shares)
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
