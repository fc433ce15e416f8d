import { createHash } from 'node:crypto'
import { lockErased } from '#access/people/index.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import {
  addToDay,
  deleteAllButReports,
  findDeactivated,
  findKnown,
  lockDay,
  lockErasures,
  type NewRefused,
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

/** How many refused facts, and how many bytes, are stored per day and world. A faulty feed must not fill the disk. */
export type DailyLimit = { readonly facts: number; readonly bytes: number }
export const DAILY_LIMIT: DailyLimit = { facts: 10_000, bytes: 64 * 1_048_576 }

const BODY_BYTES_MAX = 65_536
/**
 * The maximum number of subjects (record ids and email addresses) of a stored fact. A fact that contains more is stored without
 * its data, because searches and erasures could find it by only some of its subjects.
 */
const SUBJECTS_MAX = 50
const DEPTH_MAX = 20

/** The error of a refused fact in the feed's response. */
type FactError = { readonly type: string; readonly message: string; readonly field?: string; readonly code?: string }

/** `id` is the fact's own id; null if the fact has no readable id. */
export type Refused = { readonly sent: unknown; readonly id: string | null; readonly error: FactError }

type Recording = {
  readonly limit?: DailyLimit | undefined
  /** The number of people who had been erased when the request began. */
  readonly erasures: string
  /** Further work in the same transaction. */
  readonly extraWork?: (tx: Tx) => Promise<void>
}

/**
 * Stores refused facts, so that operators can read them and send them again. Runs after all facts of the request, and only if one
 * was refused, so that a correct feed does not wait. A person may have been erased since the request began. Their addresses are no
 * longer known, so facts of this request that contain any address are then stored without their data.
 */
export async function recordRefused(
  db: WorldDatabase,
  refused: readonly Refused[],
  { limit = DAILY_LIMIT, erasures, extraWork }: Recording,
): Promise<void> {
  const described = merged(refused.map(describe))
  const keys = described.map(({ key }) => key)
  const users = usersAmong([...new Set(described.flatMap(({ subjects }) => subjects))])
  const leaving = leavingUsers(described)
  await db.transaction(async (tx) => {
    const erased = users.length === 0 ? [] : await lockErased(tx, users)
    const wereErased = (await lockErasures(tx)) !== erasures
    const day = await lockDay(tx)
    const deactivated = users.length === 0 ? [] : await findDeactivated(tx, users)
    const unavailable = new Set<string>([...erased, ...deactivated, ...leaving])
    const rows = described.map((row) => {
      if (row.subjects.some((subject) => unavailable.has(subject))) return withoutData(row, ABOUT_ERASED)
      return wereErased && row.subjects.some((subject) => subject.includes('@')) ? withoutData(row, MAY_BE_ERASED) : row
    })
    const { kept, ...stored } = fittingIn(rows, { day, limit, known: await findKnown(tx, keys) })
    if (kept.length > 0) await writeRefused(tx, kept)
    await addToDay(tx, day, stored)
    // Also if the day's limit leaves no space for the report itself.
    if (leaving.length > 0) await deleteAllButReports(tx, leaving)
    await extraWork?.(tx)
  })
}

type Space = {
  /** The facts and bytes that are already stored for this day. */
  readonly day: DailyLimit
  readonly limit: DailyLimit
  /** The stored length of each fact that is already stored, by key. */
  readonly known: ReadonlyMap<string, number>
}

/** The rows that fit into the day's limit. A fact that is already stored adds only the bytes by which it became longer. */
function fittingIn(rows: readonly Described[], { day, limit, known }: Space) {
  const kept: Described[] = []
  let [facts, bytes] = [0, 0]
  for (const row of rows) {
    const before = known.get(row.key)
    const more = Math.max(0, Buffer.byteLength(row.body ?? '') - (before ?? 0))
    const places = before === undefined ? 1 : 0
    const isFull = (places > 0 && day.facts + facts >= limit.facts) || day.bytes + bytes + more > limit.bytes
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

/** Returns null if the fact is nested so deeply that JSON.stringify exceeds the stack. */
function textOf(sent: unknown): string | null {
  try {
    return JSON.stringify(sent) ?? 'null'
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** If a request contains a fact several times, only the last row is stored, with the number of refusals. */
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
/** The lookbehind comes after the `@`, so that the engine searches a long text for the `@` only. */
const ADDRESSES = /@(?<=([^\s<>()[\],;:"@\0]{1,64})@)([^\s<>()[\],;:"@\0]{1,189})/g
const ADDRESS_CHARS_MAX = 254

/** Every record id and email address in the fact. `isWhole` is false if there are too many, or the fact is nested too deeply. */
function subjectsIn(sent: unknown): { readonly subjects: readonly string[]; readonly isWhole: boolean } {
  const found = new Set<string>()
  let isWhole = true
  const addSubjects = (text: string): void => {
    for (const subject of subjectsOf(text)) {
      found.add(subject)
      if (found.size > SUBJECTS_MAX) return
    }
  }
  const walk = (value: unknown, depth: number): void => {
    isWhole &&= depth <= DEPTH_MAX && found.size <= SUBJECTS_MAX
    if (!isWhole) return
    if (typeof value === 'string') addSubjects(value)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) {
        addSubjects(name)
        walk(part, depth + 1)
      }
    }
  }
  walk(sent, 0)
  return { subjects: [...found].slice(0, SUBJECTS_MAX), isWhole: isWhole && found.size <= SUBJECTS_MAX }
}

/** Finds addresses inside longer texts, too, because an address may be refused for a blank or a name around it. */
function* subjectsOf(text: string): Generator<string> {
  for (const [id] of text.matchAll(RECORD_IDS)) yield id
  if (!text.includes('@')) return
  // A refused fact may contain NUL or half of a surrogate pair, which PostgreSQL rejects.
  if (text.length <= ADDRESS_CHARS_MAX && !text.includes('\0')) yield text.toWellFormed().toLowerCase()
  for (const [, local = '', domain = ''] of text.matchAll(ADDRESSES)) {
    yield `${local}@${domain.replace(/[.!?'*]+$/, '')}`.toWellFormed().toLowerCase()
  }
}

const usersAmong = (subjects: readonly string[]): readonly Id<'user'>[] =>
  subjects.map((subject) => parseId('user', subject)).filter((id) => id !== null)

const FIELD = /^[a-z0-9_.[\]]+$/

const ABOUT_ERASED = 'The fact is about a person who was erased.'
const MAY_BE_ERASED = 'The fact names an email address, and a person was erased during the request with this fact.'

/** Removes the fact's data. The id, the type, the users and the wrong field stay. */
function withoutData({ error, ...row }: Described, message: string): Described {
  const { type, field: named, code } = JSON.parse(error) as FactError
  // The sender chose the name of an unknown field, so the name may be an address.
  const field = named !== undefined && FIELD.test(named) ? named : undefined
  const withoutText = { type, message, field, code }
  return { ...row, subjects: usersAmong(row.subjects), body: null, error: JSON.stringify(withoutText) }
}

/** The people whose user.deactivated was refused, usually because the person is unknown here. */
const leavingUsers = (rows: readonly Described[]): readonly Id<'user'>[] =>
  usersAmong(rows.filter(({ type }) => type === 'user.deactivated').flatMap(({ subjects }) => subjects))
