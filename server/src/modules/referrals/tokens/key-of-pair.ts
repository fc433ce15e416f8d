import type { Tx } from '#system/postgres/database.ts'
import { findKey, insertKey } from './store.ts'
import { keyOrThrow, type Pair, type TokenKeyBox } from './token-keys.ts'

/** The key of an app's tokens for a company, made when it is first needed. */
export async function keyOfPair(tx: Tx, box: TokenKeyBox, pair: Pair): Promise<Buffer> {
  const found = await findKey(tx, pair)
  if (found !== null) return keyOrThrow(box.open(pair, found), pair)
  await insertKey(tx, pair, box.make(pair))
  // Looked for again, since of two at once the first one's counts.
  const kept = await findKey(tx, pair)
  if (kept === null) throw new Error('a token key that was made cannot be found')
  return keyOrThrow(box.open(pair, kept), pair)
}
