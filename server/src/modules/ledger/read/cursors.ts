import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { FixedSealer, SealedForm } from '#system/crypto/fixed-sealer.ts'

/** A place in the ledger: whoever holds it has seen everything at or below `position`. */
export type SyncPlace = {
  /** Since when positions mean what they mean. */
  readonly epoch: number
  readonly position: number
  /** Up to when its holder has seen everything, in milliseconds of the world's time: that, and no position, has an age. */
  readonly asOf: number
  /** Up to which position it is known which companies its holder may see. */
  readonly access: number
}

/** A place in a listing; the rest says where the ledger stood when the listing began. */
export type ListPlace = SyncPlace & { readonly after: Id<'investment'> }

export type OpenedCursor =
  | { readonly mode: 'sync'; readonly place: SyncPlace }
  | { readonly mode: 'list'; readonly place: ListPlace }

export type Cursors = {
  sync(place: SyncPlace): string
  /** One for each row of a page: the same place at other positions. */
  syncAt(place: SyncPlace, positions: readonly number[]): string[]
  list(place: ListPlace): string
  /** A cursor that this list did not give out, to the last bit, is 400. */
  open(cursor: string): OpenedCursor
}

/** Whose cursors: one route's are refused by the other, one world's by the other, and so are those of another company. */
export type CursorOwner = { readonly route: 'investments' | `changes/${Id<'company'>}`; readonly world: World }

const VERSION = 1
const SYNC_WORDS = 8
const ID_WORDS = 6
const [ID_PREFIX, ID_CHARS] = ['inv_', ID_WORDS * 4]

export function cursorsOf(sealer: FixedSealer, { route, world }: CursorOwner): Cursors {
  const form = (mode: string, words: number): SealedForm => ({
    words,
    context: `${route} ${mode} cursor v${VERSION} of ${world}`,
  })
  const [sync, list] = [form('sync', SYNC_WORDS), form('list', SYNC_WORDS + ID_WORDS)]
  const seal = (words: Uint32Array, as: SealedForm) => sealer.seal(words, as)[0] ?? ''
  return {
    sync: (place) => seal(wordsOf([place]), sync),
    syncAt: (place, positions) =>
      positions.length === 0 ? [] : sealer.seal(wordsOf(positions.map((position) => ({ ...place, position }))), sync),
    list: ({ after, ...place }) => seal(Uint32Array.of(...wordsOf([place]), ...wordsOfId(after)), list),
    open(cursor) {
      const place = sealer.open(cursor, sync)
      if (place !== null) return { mode: 'sync', place: placeOf(place) }
      const listed = sealer.open(cursor, list)
      if (listed === null) throw malformed()
      return { mode: 'list', place: { ...placeOf(listed), after: idOf(listed.subarray(SYNC_WORDS)) } }
    },
  }
}

function malformed(): ApiError {
  return new ApiError('invalid_request', {
    public: 'The cursor is not one this list gave out.',
    remediation: 'Pass meta.next_cursor of the page before as it is, or leave the cursor out to list again.',
  })
}

const HIGH = 2 ** 32

/** Each number, below 2^53, in two words. */
function wordsOf(places: readonly SyncPlace[]): Uint32Array {
  const words = new Uint32Array(places.length * SYNC_WORDS)
  let at = 0
  for (const { epoch, position, asOf, access } of places) {
    words[at++] = epoch / HIGH
    words[at++] = epoch % HIGH
    words[at++] = position / HIGH
    words[at++] = position % HIGH
    words[at++] = asOf / HIGH
    words[at++] = asOf % HIGH
    words[at++] = access / HIGH
    words[at++] = access % HIGH
  }
  return words
}

function placeOf(words: Uint32Array): SyncPlace {
  const number = (at: number) => (words[at] ?? 0) * HIGH + (words[at + 1] ?? 0)
  return { epoch: number(0), position: number(2), asOf: number(4), access: number(6) }
}

function wordsOfId(id: Id<'investment'>): number[] {
  const bytes = Buffer.from(id.slice(ID_PREFIX.length), 'latin1')
  return Array.from({ length: ID_WORDS }, (_, word) => bytes.readUInt32BE(word * 4))
}

function idOf(words: Uint32Array): Id<'investment'> {
  const bytes = Buffer.alloc(ID_CHARS)
  for (const [at, word] of words.entries()) bytes.writeUInt32BE(word, at * 4)
  return `${ID_PREFIX}${bytes.toString('latin1')}` as Id<'investment'>
}
