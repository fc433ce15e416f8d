import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Tx } from '#system/postgres/database.ts'
import { findKeys, insertKeys, lockOutdated, type StoredKey, writeSealed } from './store.ts'
import type { Pair, TokenKeyBox } from './token-keys.ts'

/** Null if the key cannot be opened. */
export type KeyOf = (pair: Pair) => KeyObject | null

/** The keys of many pairs at once, like `keyOfPair` for one; a missing key is created. */
export async function keysOfPairs(tx: Tx, box: TokenKeyBox, pairs: readonly Pair[]): Promise<KeyOf> {
  const keys = new Map<string, KeyObject | null>()
  const open = (found: readonly StoredKey[]) => {
    for (const { sealed, ...pair } of found) {
      const key = box.open(pair, sealed)
      keys.set(nameOf(pair), key && createSecretKey(key))
    }
  }
  const wanted = [...new Map(pairs.map((pair) => [nameOf(pair), pair])).values()]
  open(await findKeys(tx, wanted))
  const missing = wanted.filter((pair) => !keys.has(nameOf(pair)))
  if (missing.length > 0) {
    await insertKeys(
      tx,
      missing.map((pair) => ({ ...pair, ...box.make(pair) })),
    )
    // Read again: if a concurrent transaction has inserted a key first, that key counts.
    open(await findKeys(tx, missing))
  }
  return (pair) => {
    const key = keys.get(nameOf(pair))
    if (key === undefined) throw new Error('a token key that was made cannot be found')
    return key
  }
}

const nameOf = ({ app, company }: Pair) => `${app} ${company}`

/**
 * After a rotation of the sealing secret, seals the same keys with the new secret, so that the previous one can be removed. A
 * key that no known secret opens stays unchanged until its secret is configured again.
 */
export async function resealKeys(tx: Tx, box: TokenKeyBox, limit: number): Promise<number> {
  if (box.sealedBefore.length === 0) return 0
  const outdated = await lockOutdated(tx, box.sealedBefore, limit)
  for (const { app, company, sealed } of outdated) {
    const pair = { app, company }
    await writeSealed(tx, pair, box.sealAgain(pair, sealed))
  }
  return outdated.length
}
