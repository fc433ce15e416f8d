import { createHash } from 'node:crypto'
import { lockErased } from '#access/people/index.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import {
  addToDay,
  deleteRefused,
  findKnown,
  findLeft,
  lockErasures,
  type NewRefused,
  openDay,
  writeRefused,
} from './store.ts'

export {
  type Before,
  countErasures,
  countLeftOut,
  dismissRefused,
  eraseRefused,
  type FactFilter,
  findRefused,
  listRefused,
  purgeRefused,
  type RefusedRow,
  removeRefused,
} from './store.ts'

/** How much is stored of one day's refused facts in one world. A feed that is wrong all day must not fill the disk. */
export type DailyRoom = { readonly facts: number; readonly bytes: number }
export const DAILY_ROOM: DailyRoom = { facts: 10_000, bytes: 64 * 1_048_576 }

const BODY_BYTES_MAX = 65_536
/** A fact that names more is stored without its data, because it could not be found by each of them. */
const SUBJECTS_MAX = 50
const DEPTH_MAX = 20

/** The error of the feed's response. */
type FactError = { readonly type: string; readonly message: string; readonly field?: string; readonly code?: string }

/** `id`: the fact's own id; null if it had none that could be read. */
export type Refused = { readonly sent: unknown; readonly id: string | null; readonly error: FactError }

type Recording = {
  readonly room?: DailyRoom | undefined
  /** How many people had been erased when the request began. */
  readonly erasures: string
  /** Further work in the same transaction. */
  readonly alongside?: (tx: Tx) => Promise<void>
}

/**
 * Stores what was refused, for the people who look after the feed. Runs after the facts of the request, and only if one of them
 * was refused, so that a feed without mistakes does not wait for it. A person may have been erased since the request began: which
 * addresses they had is not known any more, so no fact of the request that names an address is stored with its data then.
 */
export async function recordRefused(
  db: WorldDatabase,
  refused: readonly Refused[],
  { room = DAILY_ROOM, erasures, alongside }: Recording,
): Promise<void> {
  const described = merged(refused.map(describe))
  const keys = described.map(({ key }) => key)
  const users = usersAmong([...new Set(described.flatMap(({ subjects }) => subjects))])
  await db.transaction(async (tx) => {
    const erased = users.length === 0 ? [] : await lockErased(tx, users)
    const wereErased = (await lockErasures(tx)) !== erasures
    const day = await openDay(tx)
    const left = users.length === 0 ? [] : await findLeft(tx, users)
    const gone = new Set<string>([...erased, ...left])
    const rows = described.map((row) => {
      if (row.subjects.some((subject) => gone.has(subject))) return withoutData(row, ABOUT_ERASED)
      return wereErased && row.subjects.some((subject) => subject.includes('@')) ? withoutData(row, MAY_BE_ERASED) : row
    })
    const { kept, ...stored } = fittingIn(rows, { day, room, known: await findKnown(tx, keys) })
    if (kept.length > 0) await writeRefused(tx, kept)
    await addToDay(tx, day, stored)
    await forgetThoseWhoLeft(tx, rows, kept)
    await alongside?.(tx)
  })
}

type Space = {
  /** What is stored of the day so far. */
  readonly day: DailyRoom
  readonly room: DailyRoom
  /** The length of what is stored of each known fact. */
  readonly known: ReadonlyMap<string, number>
}

/** A known fact takes no further place, and only the bytes by which it became longer. */
function fittingIn(rows: readonly Described[], { day, room, known }: Space) {
  const kept: Described[] = []
  let [facts, bytes] = [0, 0]
  for (const row of rows) {
    const before = known.get(row.key)
    const more = Math.max(0, Buffer.byteLength(row.body ?? '') - (before ?? 0))
    const places = before === undefined ? 1 : 0
    const isFull = (places > 0 && day.facts + facts >= room.facts) || day.bytes + bytes + more > room.bytes
    if (isFull) continue
    facts += places
    bytes += more
    kept.push(row)
  }
  return { kept, facts, bytes, leftOut: rows.length - kept.length }
}

type Described = NewRefused

function describe({ sent, id: factId, error }: Refused): Described {
  const text = textOf(sent)
  const type = typeOf(sent)
  const { subjects, isWhole } = subjectsIn(sent)
  const key = createHash('sha256')
    .update(factId === null ? `fact ${text}` : `id ${factId}`)
    .digest('hex')
  const fits = text !== null && Buffer.byteLength(text) <= BODY_BYTES_MAX && isWhole
  const row = { key, factId, type, error: JSON.stringify(error), times: 1 }
  return { ...row, subjects, body: fits ? text : null }
}

/** Null if the fact is nested too deeply: JSON.stringify would exceed the stack. */
function textOf(sent: unknown): string | null {
  try {
    return JSON.stringify(sent) ?? 'null'
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** A request may have a fact twice: the last one counts. */
function merged(rows: readonly Described[]): readonly Described[] {
  const byKey = new Map<string, Described>()
  for (const row of rows) byKey.set(row.key, { ...row, times: row.times + (byKey.get(row.key)?.times ?? 0) })
  return [...byKey.values()]
}

function typeOf(sent: unknown): string | null {
  const type: unknown = typeof sent === 'object' && sent !== null ? Reflect.get(sent, 'type') : null
  return typeof type === 'string' && /^[a-z_]+\.[a-z_]+$/.test(type) && type.length <= 122 ? type : null
}

const RECORD_IDS = /(?<![0-9A-Za-z])[a-z]{2,5}_[0-9A-Za-z]{24}(?![0-9A-Za-z])/g
/** The lookbehind follows the `@`, so that a long text is searched for the `@` only. */
const ADDRESSES = /@(?<=([^\s<>()[\],;:"@\0]{1,64})@)([^\s<>()[\],;:"@\0]{1,189})/g
const ADDRESS_CHARS_MAX = 254

/** Every id of a record and every email address in the fact. Not whole if there are too many, or some too deep. */
function subjectsIn(sent: unknown): { readonly subjects: readonly string[]; readonly isWhole: boolean } {
  const found = new Set<string>()
  let isWhole = true
  const look = (text: string): void => {
    for (const subject of subjectsOf(text)) {
      found.add(subject)
      if (found.size > SUBJECTS_MAX) return
    }
  }
  const walk = (value: unknown, depth: number): void => {
    isWhole &&= depth <= DEPTH_MAX && found.size <= SUBJECTS_MAX
    if (!isWhole) return
    if (typeof value === 'string') look(value)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) {
        look(name)
        walk(part, depth + 1)
      }
    }
  }
  walk(sent, 0)
  return { subjects: [...found].slice(0, SUBJECTS_MAX), isWhole: isWhole && found.size <= SUBJECTS_MAX }
}

/** Also inside a longer text: an address may be refused because it has a blank or a name around it. */
function* subjectsOf(text: string): Generator<string> {
  for (const [id] of text.matchAll(RECORD_IDS)) yield id
  if (!text.includes('@')) return
  // PostgreSQL rejects half of a surrogate pair and NUL, which a refused fact may contain.
  if (text.length <= ADDRESS_CHARS_MAX && !text.includes('\0')) yield text.toWellFormed().toLowerCase()
  for (const [, local = '', domain = ''] of text.matchAll(ADDRESSES)) {
    yield `${local}@${domain.replace(/[.!?'*]+$/, '')}`.toWellFormed().toLowerCase()
  }
}

const usersAmong = (subjects: readonly string[]): readonly Id<'user'>[] =>
  subjects.map((subject) => parseId('user', subject)).filter((id) => id !== null)

const FIELD = /^[a-z0-9_.[\]]+$/

const ABOUT_ERASED = 'The fact is about a person who was erased.'
const MAY_BE_ERASED = 'The fact names an email address, and a person was erased while it was refused.'

/** Without everything that the fact says about people who were erased: only which fact it was, and which field was wrong. */
function withoutData({ error, ...row }: Described, message: string): Described {
  const { type, field: named, code } = JSON.parse(error) as FactError
  // The sender chose the name of an unknown field: it may be an address.
  const field = named !== undefined && FIELD.test(named) ? named : undefined
  const bare = { type, message, field, code }
  return { ...row, subjects: usersAmong(row.subjects), body: null, error: JSON.stringify(bare) }
}

/**
 * The platform reports that a person left, and the report is refused, usually because the person is unknown here: a refused
 * registration is erased too, also if there is no room for the report.
 */
async function forgetThoseWhoLeft(tx: Tx, rows: readonly Described[], kept: readonly Described[]): Promise<void> {
  const reports = rows.filter(({ type }) => type === 'user.deactivated')
  const users = usersAmong(reports.flatMap(({ subjects }) => subjects))
  if (users.length === 0) return
  await deleteRefused(tx, users)
  const stored = reports.filter((report) => kept.includes(report))
  if (stored.length > 0)
    await writeRefused(
      tx,
      stored.map((report) => withoutData(report, ABOUT_ERASED)),
    )
}
