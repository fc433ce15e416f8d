import type { Id } from '#kernel/ids.ts'
import { WORLDS } from '#kernel/world.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { type CursorProblem, RETENTION_MS, RejectedCursor } from './cursor-expiry.ts'
import type { CursorList, CursorsFor, OpenedCursor, Reader } from './cursors.ts'
import { listRecords, type Reading, syncRecords, type TextPage } from './read-ledger.ts'
import { readHead } from './store.ts'

type Inspected = {
  readonly cursorsFor: CursorsFor
  /** One reader for each kind of token that the installation can have. */
  readonly readers: readonly [Reader, ...Reader[]]
  /** Undefined to read from the beginning. */
  readonly cursor: string | undefined
  readonly size: number
  readonly republished: string
  /** If false, the result has no records, only the content of the cursor and why it is rejected. */
  readonly isShown: boolean
}

/** The lists that a cursor may be from if this list cannot open the cursor. */
export const ORIGINS = ['other_mode', 'other_list'] as const
type Reason = CursorProblem | (typeof ORIGINS)[number]

/**
 * The content of a cursor without its position: positions count the changes of all companies on the platform, and an
 * app must not see the number of these changes.
 */
type CursorFacts = {
  readonly kind: OpenedCursor['mode']
  readonly as_of: string
  readonly age_seconds: number
  readonly expires_at: string
}

type Inspection = {
  readonly now: string
  readonly published_through: string
  readonly cursor: CursorFacts | null
  readonly rejection: { readonly reason: Reason; readonly status: number; readonly message: string } | null
  readonly waiting: { readonly changes: number; readonly complete: boolean } | null
  readonly page: TextPage | null
}

/** Maximum for the count of changes after a cursor. */
export const WAITING_MAX = 1_000

/** Returns the page that a token would get now, or why the cursor is rejected. Uses the code of `GET /investments`. */
export async function inspectSync(db: WorldDatabase, inspected: Inspected): Promise<Inspection> {
  const { now, published_at: published_through } = await readHead(db)
  const found: Inspection = { now, published_through, cursor: null, rejection: null, waiting: null, page: null }
  const opened = openCursor(db, inspected)
  if (opened instanceof RejectedCursor) {
    return { ...found, rejection: rejectionOf(opened, originOf(db, inspected) ?? opened.problem) }
  }
  const { reading, at } = opened
  const cursor = at === null ? null : factsOf(at, Date.parse(now))
  try {
    const page = await readFrom(db, reading, at)
    if (!inspected.isShown) return { ...found, cursor }
    return {
      ...found,
      cursor,
      page,
      waiting: at?.mode === 'sync' ? await countWaiting(db, reading, { at, page }) : null,
    }
  } catch (error) {
    if (error instanceof RejectedCursor) return { ...found, cursor, rejection: rejectionOf(error, error.problem) }
    throw error
  }
}

type Opened = { readonly reading: Reading; readonly at: OpenedCursor | null }

/** Opens the cursor as the first reader that can. If no reader can, returns the error of the first reader. */
function openCursor(db: WorldDatabase, inspected: Inspected): Opened | RejectedCursor {
  const { cursorsFor, readers, cursor, size, republished } = inspected
  const attempts = readers.map(({ audience, pii }) => {
    const cursors = cursorsFor({ route: 'investments', world: db.world }, { audience, pii })
    const reading: Reading = { audience, pii, filters: {}, size, republished, cursors }
    const at = cursor === undefined ? null : attempt(() => cursors.open(cursor))
    return at instanceof RejectedCursor ? at : { reading, at }
  })
  const [first] = attempts
  const opened = attempts.find((each) => !(each instanceof RejectedCursor)) ?? first
  if (opened === undefined) throw new Error('an installation without a reader')
  return opened
}

function attempt<T>(work: () => T): T | RejectedCursor {
  try {
    return work()
  } catch (error) {
    if (error instanceof RejectedCursor) return error
    throw error
  }
}

/**
 * The list that a rejected cursor was made for: the list of the other mode, or the changes of the installation's own
 * company. Null if the cursor is from neither of these, or if it is from this list and was made for another reader.
 */
function originOf(db: WorldDatabase, { cursorsFor, readers: [reader], cursor = '' }: Inspected): Reason | null {
  const { audience } = reader
  const isFrom = (list: CursorList) => {
    const opened = attempt(() => cursorsFor(list, reader).open(cursor))
    return !(opened instanceof RejectedCursor && opened.problem === 'malformed')
  }
  const changes = (company: Id<'company'>): CursorList => ({ route: `changes/${company}`, world: db.world })
  if (audience.kind === 'company' && isFrom(changes(audience.company))) return 'other_list'
  const others = WORLDS.filter((world) => world !== db.world)
  return others.some((world) => isFrom({ route: 'investments', world })) ? 'other_mode' : null
}

function readFrom(db: WorldDatabase, reading: Reading, at: OpenedCursor | null): Promise<TextPage> {
  return at?.mode === 'sync' ? syncRecords(db, reading, at.place) : listRecords(db, reading, at?.place ?? null)
}

type Behind = { readonly at: OpenedCursor & { readonly mode: 'sync' }; readonly page: TextPage }

async function countWaiting(db: WorldDatabase, reading: Reading, { at, page }: Behind) {
  const { meta } = page.meta.has_more ? await syncRecords(db, { ...reading, size: WAITING_MAX }, at.place) : page
  return { changes: meta.page_count, complete: !meta.has_more }
}

function factsOf({ mode, place: { asOf } }: OpenedCursor, now: number): CursorFacts {
  return {
    kind: mode,
    as_of: timeOf(asOf),
    age_seconds: Math.max(0, Math.round((now - asOf) / 1_000)),
    expires_at: timeOf(asOf + RETENTION_MS),
  }
}

/** With microseconds, like all times of the API. */
const timeOf = (ms: number) => new Date(ms).toISOString().replace('Z', '000Z')

const WORDS: Readonly<Partial<Record<Reason, string>>> = {
  other_mode: 'The cursor is from the other mode: test and live have ledgers of their own.',
  other_list: 'The cursor is from GET /companies/{id}/investments/changes, and GET /investments has its own cursors.',
}

function rejectionOf(error: RejectedCursor, reason: Reason) {
  const { status, type, remediation = null } = error
  return { reason, status, type, message: WORDS[reason] ?? error.public, remediation }
}
