import { hash } from 'node:crypto'
import { gone } from './age.ts'
import type { Audience } from './audience.ts'

/** Whose copy a cursor keeps up to date: of which audience, and whether other investors are in it by name. */
export type Reader = { readonly audience: Audience; readonly pii: boolean }

/** So many bits each in a cursor's spare places; see `cursors.ts`. */
export const HOLDER_PIECES = 4
export const HOLDER_PIECE_BITS = 11
const PIECE = 2 ** HOLDER_PIECE_BITS - 1
/** In the last piece, beside a mark of the audience. */
const NAMED = 1

/**
 * A cursor opens nothing to whoever holds it, so a mark of 43 bits is enough to tell audiences apart. It is the audience's
 * and not the token's: a refreshed token, or the app installed once more on the same company, goes on from where it was.
 */
export function holderOf({ audience, pii }: Reader): readonly number[] {
  const id = audience.kind === 'company' ? audience.company : audience.user
  const mark = hash('sha256', `${audience.kind} ${id}`, 'buffer')
  const pieces = Array.from({ length: HOLDER_PIECES }, (_, at) => mark.readUInt16BE(at * 2) & PIECE)
  // One's own are always shown by name.
  const named = pii || audience.kind === 'own' ? NAMED : 0
  return pieces.map((piece, at) => (at === HOLDER_PIECES - 1 ? (piece & ~NAMED) | named : piece))
}

/**
 * The copy of another audience cannot be brought up to date, nor can names be added to the records of one without them.
 * To whom names are no longer shown the rest goes on.
 */
export function refuseOtherHolder(given: readonly number[], reader: readonly number[]): void {
  const last = HOLDER_PIECES - 1
  const named = (pieces: readonly number[]) => (pieces[last] ?? 0) & NAMED
  const isOther = reader.some((piece, at) => (piece ^ (given[at] ?? 0)) & (at === last ? ~NAMED : PIECE))
  if (isOther) throw gone('The cursor was given for what another token sees: list again.')
  if (named(reader) > named(given))
    throw gone('The cursor was given without identities, which you now see: list again.')
}
