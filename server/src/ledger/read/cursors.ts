import { hash } from 'node:crypto'
import type { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { BLOCK_BYTES, BOUND_CHARS, type BoundNumbers, boundNumbers, writeBound } from '#system/crypto/bound-numbers.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { type SealedBox, sealedBox, sealedChars } from '#system/crypto/sealed-box.ts'
import type { Audience } from './audience.ts'
import { gone, RejectedCursor } from './cursor-expiry.ts'

/** Whose copy a cursor keeps up to date: of which audience, and whether other investors are in it by name. */
export type Reader = { readonly audience: Audience; readonly pii: boolean }

/** The spare bits of a cursor hold this many pieces of this many bits. */
const HOLDER_PIECES = 4
const HOLDER_PIECE_BITS = 11
const PIECE = 2 ** HOLDER_PIECE_BITS - 1
/** In the last piece, beside a mark of the audience. */
const NAMED = 1

/**
 * A cursor grants no access by itself, so a mark of 43 bits is enough to tell audiences apart. It is the audience's
 * and not the token's: a refreshed token, or the app installed again on the same company, continues from where it was.
 */
function holderOf({ audience, pii }: Reader): readonly number[] {
  const id = audience.kind === 'company' ? audience.company : audience.user
  const mark = hash('sha256', `${audience.kind} ${id}`, 'buffer')
  const pieces = Array.from({ length: HOLDER_PIECES }, (_, at) => mark.readUInt16BE(at * 2) & PIECE)
  // One's own are always shown by name.
  const named = pii || audience.kind === 'own' ? NAMED : 0
  return pieces.map((piece, at) => (at === HOLDER_PIECES - 1 ? (piece & ~NAMED) | named : piece))
}

/**
 * The copy of another audience cannot be brought up to date, nor can names be added to the records of one without them.
 * A reader that lost the names keeps its cursor; only identity fields stop.
 */
function rejectOtherHolder(given: readonly number[], reader: readonly number[]): void {
  const last = HOLDER_PIECES - 1
  const named = (pieces: readonly number[]) => (pieces[last] ?? 0) & NAMED
  const isOther = reader.some((piece, at) => (piece ^ (given[at] ?? 0)) & (at === last ? ~NAMED : PIECE))
  if (isOther) throw gone('other_reader', 'The cursor was given for what another token sees: list again.')
  if (named(reader) > named(given))
    throw gone('identities_added', 'The cursor was given without identities, which you now see: list again.')
}

/** A place in the ledger: its reader has seen everything at or below `position`. */
export type SyncPlace = {
  /** Since when positions mean what they mean. */
  readonly epoch: number
  readonly position: number
  /**
   * Up to when its holder has seen everything, in milliseconds of the world's time: that, and no position, has an age.
   */
  readonly asOf: number
  /** Up to which position it is known which companies its holder may see. */
  readonly access: number
  /** The cursor it came with, less what a row's adds, where the same holder may continue with it. */
  readonly sealed?: string | undefined
}

/** A place in a listing; the rest is the position of the ledger when the listing began. */
export type ListPlace = SyncPlace & { readonly after: Id<'investment'> }

export type OpenedCursor =
  | { readonly mode: 'sync'; readonly place: SyncPlace }
  | { readonly mode: 'list'; readonly place: ListPlace }

export type Cursors = {
  sync(place: SyncPlace): string
  /** One for each row of a page: the same place at other positions. */
  ofRows(place: SyncPlace, positions: readonly number[]): RowCursors
  list(place: ListPlace): string
  /** A cursor that this list did not give out, to the last bit, is 400; one given to another audience is 410. */
  open(cursor: string): OpenedCursor
}

/**
 * Which list's cursors: one route's are rejected by the other, one world's by the other, and so are another company's.
 */
export type CursorList = { readonly route: 'investments' | `changes/${Id<'company'>}`; readonly world: World }

/** 1 was sealed otherwise, in texts of 64, 86 and 96 characters. */
const VERSION = 2
const SYNC_BYTES = 32
const SYNC_CHARS = sealedChars(SYNC_BYTES)
/** A place, and beside it the row's position. Pages keep as much room for each. */
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
    // Base64 has spare bits and Node skips foreign characters: only the one spelling we wrote is accepted.
    return sealed.toString('base64url') === text ? places.open(sealed, context) : null
  }
  /**
   * The place that was opened last. A reader that goes from page to page sends the same one with every row's position.
   */
  let latest: (SyncPlace & { readonly text: string }) | null = null
  const openSync = (text: string): SyncPlace => {
    if (latest?.text === text) return latest
    const plain = opened(text, sync)
    if (plain === null) throw malformed()
    const from = holderIn(plain)
    rejectOtherHolder(from, holder)
    // Who was shown identities then and is not now must not seem to have been shown them on this page too.
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

/** Caches what a reader's cursors are made with, because a reader of one page usually reads the next. */
export function cachedCursors(sealers: CursorSealers): CursorsFor {
  const cache = new Map<string, Cursors>()
  return (list, reader) => {
    const { audience } = reader
    const whose = audience.kind === 'company' ? audience.company : audience.user
    const name = `${list.route} ${list.world} ${audience.kind} ${whose} ${reader.pii}`
    const known = cache.get(name)
    if (known !== undefined) return known
    if (cache.size >= CACHED_MAX) cache.clear()
    const made = cursorsOf(sealers, list, reader)
    cache.set(name, made)
    return made
  }
}

/**
 * One for each row of a page. A class, because of every object that is written out with a getter V8 keeps the getter among what is
 * old, and all that it refers to with it, until it goes through everything that is alive: it did so every second or two, and that was
 * an eighth of what a page cost.
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

  /** Of the last row. */
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
    remediation: 'Pass meta.next_cursor of the page before as it is, or leave the cursor out to list again.',
  })
}

const HIGH = 2 ** 32
/** Above the upper word of a number, which is below 2^53. */
const SPARE = 2 ** (32 - HOLDER_PIECE_BITS)

/** Each number in two words of 32 bits; the bits that the upper ones leave free say who holds it. */
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
