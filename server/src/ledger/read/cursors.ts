import { hash } from 'node:crypto'
import type { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { BLOCK_BYTES, BOUND_CHARS, type BoundNumbers, boundNumbers, writeBound } from '#system/crypto/bound-numbers.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { type SealedBox, sealedBox, sealedChars } from '#system/crypto/sealed-box.ts'
import type { Audience } from './audience.ts'
import { gone, RejectedCursor } from './cursor-expiry.ts'

/** The reader whose copy a cursor keeps up to date: its audience, and whether it sees the names of other investors. */
export type Reader = { readonly audience: Audience; readonly pii: boolean }

/** The reader's mark (see `holderOf`) is stored in the unused bits of a cursor, in 4 pieces of 11 bits. */
const HOLDER_PIECES = 4
const HOLDER_PIECE_BITS = 11
const PIECE = 2 ** HOLDER_PIECE_BITS - 1
/** Set in the last piece if the reader sees names. */
const NAMED = 1

/**
 * A cursor grants no access by itself, so a mark of 43 bits is enough to distinguish audiences. The mark depends on the
 * audience and not on the token: a refreshed token, or a new installation of the app on the same company, can continue
 * with the cursor.
 */
function holderOf({ audience, pii }: Reader): readonly number[] {
  const id = audience.kind === 'company' ? audience.company : audience.user
  const mark = hash('sha256', `${audience.kind} ${id}`, 'buffer')
  const pieces = Array.from({ length: HOLDER_PIECES }, (_, at) => mark.readUInt16BE(at * 2) & PIECE)
  // A reader's own investments always show the name.
  const named = pii || audience.kind === 'own' ? NAMED : 0
  return pieces.map((piece, at) => (at === HOLDER_PIECES - 1 ? (piece & ~NAMED) | named : piece))
}

/**
 * A cursor of another audience cannot update this reader's copy, and a sync cannot add names to records that were read
 * without them. A reader that may no longer see names keeps its cursor; only identity fields stop.
 */
function rejectOtherHolder(given: readonly number[], reader: readonly number[]): void {
  const last = HOLDER_PIECES - 1
  const named = (pieces: readonly number[]) => (pieces[last] ?? 0) & NAMED
  const isOther = reader.some((piece, at) => (piece ^ (given[at] ?? 0)) & (at === last ? ~NAMED : PIECE))
  if (isOther) throw gone('other_reader', 'The cursor was made for a token that sees other records: list again.')
  if (named(reader) > named(given))
    throw gone('identities_added', 'The cursor was made without identities, which you now see: list again.')
}

/** A place in the ledger: its reader has seen everything at or below `position`. */
export type SyncPlace = {
  /** The epoch of `position`. */
  readonly epoch: number
  readonly position: number
  /**
   * The world time, in milliseconds, up to which the reader has seen everything. The age of a cursor counts from it,
   * because a position has no age.
   */
  readonly asOf: number
  /** The position up to which changes of the reader's access to companies are known. */
  readonly access: number
  /** The cursor as it was sent, without the row's position, if the reader still has the same rights. */
  readonly sealed?: string | undefined
}

/** A place in a listing. The position is that of the ledger when the listing began. */
export type ListPlace = SyncPlace & { readonly after: Id<'investment'> }

export type OpenedCursor =
  | { readonly mode: 'sync'; readonly place: SyncPlace }
  | { readonly mode: 'list'; readonly place: ListPlace }

export type Cursors = {
  sync(place: SyncPlace): string
  /** A cursor for each row of a page: the same place with other positions. */
  ofRows(place: SyncPlace, positions: readonly number[]): RowCursors
  list(place: ListPlace): string
  /**
   * Throws 400 for text that is not exactly a cursor of this list. Throws 410 for a cursor of another audience, and for
   * a cursor without names if the reader now sees names.
   */
  open(cursor: string): OpenedCursor
}

/** The list that a cursor belongs to. The lists of other routes, worlds and companies reject the cursor. */
export type CursorList = { readonly route: 'investments' | `changes/${Id<'company'>}`; readonly world: World }

/** Version 1 was sealed in another way, in texts of 64, 86 and 96 characters. */
const VERSION = 2
const SYNC_BYTES = 32
const SYNC_CHARS = sealedChars(SYNC_BYTES)
/** A place, followed by the row's position. Pages reserve this many characters in each record. */
export const ROW_CURSOR_CHARS = SYNC_CHARS + BOUND_CHARS
const [ID_PREFIX, ID_CHARS] = ['inv_', 24]
const LIST_CHARS = sealedChars(SYNC_BYTES + ID_CHARS)

export type CursorSealers = { readonly places: SealedBox; readonly positions: BoundNumbers }

export function cursorSealers(keys: Keyring): CursorSealers {
  const boxes = keys('ledger-cursors')
  return { places: sealedBox(boxes), positions: boundNumbers({ boxes, numbers: keys('ledger-rows') }) }
}

export function cursorsOf(sealers: CursorSealers, { route, world }: CursorList, reader: Reader): Cursors {
  const { places, positions } = sealers
  const holder = holderOf(reader)
  const contextOf = (mode: string) => `${route} ${mode} cursor v${VERSION} of ${world}`
  const [sync, list] = [contextOf('sync'), contextOf('list')]
  const sealSync = (place: SyncPlace) => places.seal(bytesOf(place, holder), sync).toString('base64url')
  const opened = (text: string, context: string): Buffer | null => {
    const sealed = Buffer.from(text, 'base64url')
    // Base64 has unused bits, and Node skips foreign characters: only the exact text that we wrote is accepted.
    return sealed.toString('base64url') === text ? places.open(sealed, context) : null
  }
  /**
   * Caches the place that was opened last: a reader that goes from page to page sends the same place, each time
   * with another row's position.
   */
  let latest: (SyncPlace & { readonly text: string }) | null = null
  const openSync = (text: string): SyncPlace => {
    if (latest?.text === text) return latest
    const plain = opened(text, sync)
    if (plain === null) throw malformed()
    const from = holderIn(plain)
    rejectOtherHolder(from, holder)
    // A reader that lost the right to see names gets a new cursor without that right.
    const isSame = from.every((piece, at) => piece === holder[at])
    latest = { text, ...placeOf(plain), sealed: isSame ? text : undefined }
    return latest
  }
  return {
    sync: sealSync,
    ofRows(place, at) {
      const sealed = place.sealed ?? sealSync(place)
      return new RowCursors(sealed, positions.seal(sealed, at))
    },
    list(place) {
      const id = Buffer.from(place.after.slice(ID_PREFIX.length), 'latin1')
      return places.seal(Buffer.concat([bytesOf(place, holder), id]), list).toString('base64url')
    },
    open(cursor) {
      if (cursor.length === LIST_CHARS) {
        const plain = opened(cursor, list)
        if (plain === null) throw malformed()
        rejectOtherHolder(holderIn(plain), holder)
        const after = `${ID_PREFIX}${plain.toString('latin1', SYNC_BYTES)}` as Id<'investment'>
        return { mode: 'list', place: { ...placeOf(plain), after } }
      }
      const isRow = cursor.length === ROW_CURSOR_CHARS
      if (!isRow && cursor.length !== SYNC_CHARS) throw malformed()
      const sealed = isRow ? cursor.slice(0, SYNC_CHARS) : cursor
      const position = isRow ? positions.open(sealed, cursor.slice(SYNC_CHARS)) : undefined
      if (position === null) throw malformed()
      const { position: first, epoch, asOf, access, sealed: same } = openSync(sealed)
      return { mode: 'sync', place: { epoch, position: position ?? first, asOf, access, sealed: same } }
    },
  }
}

export type CursorsFor = (list: CursorList, reader: Reader) => Cursors

/** At this size the cache is emptied. */
const CACHED_MAX = 10_000

/** Caches the cursors of a reader, because a reader of one page usually reads the next. */
export function cachedCursors(sealers: CursorSealers): CursorsFor {
  const cache = new Map<string, Cursors>()
  return (list, reader) => {
    const { audience } = reader
    const whose = audience.kind === 'company' ? audience.company : audience.user
    const name = `${list.route} ${list.world} ${audience.kind} ${whose} ${reader.pii}`
    const cached = cache.get(name)
    if (cached !== undefined) return cached
    if (cache.size >= CACHED_MAX) cache.clear()
    const made = cursorsOf(sealers, list, reader)
    cache.set(name, made)
    return made
  }
}

/**
 * The cursors of the rows of a page. A class and not an object literal with a getter, because V8 keeps each such
 * getter, and all objects that the getter refers to, until the next full garbage collection. With literals, there was
 * a full collection every second or two, which took an eighth of the time of a page.
 */
export class RowCursors {
  readonly #sealed: string
  readonly #start: Buffer
  readonly #blocks: Buffer

  constructor(sealed: string, blocks: Buffer) {
    this.#sealed = sealed
    this.#start = Buffer.from(sealed, 'latin1')
    this.#blocks = blocks
  }

  /** The cursor of the last row. */
  last(): string {
    return this.#sealed + this.#blocks.subarray(-BLOCK_BYTES).toString('base64url')
  }

  /** Writes a row's cursor into the space reserved for it. */
  write(row: number, into: Buffer, at: number): void {
    into.set(this.#start, at)
    writeBound(this.#blocks, row, into, at + SYNC_CHARS)
  }
}

function malformed(): ApiError {
  return new RejectedCursor('malformed', 'invalid_request', {
    public: 'The cursor is not from this list.',
    remediation: 'Pass meta.next_cursor of the previous page unchanged, or leave the cursor out to list again.',
  })
}

const HIGH = 2 ** 32
/** A factor that moves a piece of the mark above the 21 bits that a number below 2^53 uses in the upper word. */
const SPARE = 2 ** (32 - HOLDER_PIECE_BITS)

/** Each number takes two words of 32 bits. The unused bits of the upper words contain the reader's mark. */
function bytesOf({ epoch, position, asOf, access }: SyncPlace, holder: readonly number[]): Buffer {
  const bytes = Buffer.alloc(SYNC_BYTES)
  const write = (at: number, number: number) => {
    bytes.writeUInt32BE((holder[at] ?? 0) * SPARE + Math.floor(number / HIGH), at * 8)
    bytes.writeUInt32BE(number % HIGH, at * 8 + 4)
  }
  write(0, epoch)
  write(1, position)
  write(2, asOf)
  write(3, access)
  return bytes
}

function placeOf(bytes: Buffer): SyncPlace {
  const number = (at: number) => (bytes.readUInt32BE(at * 8) % SPARE) * HIGH + bytes.readUInt32BE(at * 8 + 4)
  return { epoch: number(0), position: number(1), asOf: number(2), access: number(3) }
}

function holderIn(bytes: Buffer): number[] {
  return Array.from({ length: HOLDER_PIECES }, (_, at) => Math.floor(bytes.readUInt32BE(at * 8) / SPARE))
}
