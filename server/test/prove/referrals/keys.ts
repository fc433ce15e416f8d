import { createHash } from 'node:crypto'
import type { Pair } from '#referrals/tokens/store.ts'
import type { TokenKeyBox } from '#referrals/tokens/token-keys.ts'

export type KeyOf = (pair: Pair) => Buffer

/** A fixed key instead of a random one, so that two databases have the same tokens. */
export const keyOfPair: KeyOf = ({ app, company }) => createHash('sha256').update(`${app} ${company}`).digest()

/** The key of the mutant that uses one key for the tokens of all pairs. */
export const ONE_KEY = keyOfPair({ app: 'app_one', company: 'co_one' } as Pair)

export function keyBox(keyOf: KeyOf): TokenKeyBox {
  const sealed = { sealed: Buffer.from('a key of the attack'), sealedBy: '00000000' }
  return {
    make: (pair) => ({ ...sealed, key: keyOf(pair) }),
    open: (pair) => keyOf(pair),
    sealAgain: () => sealed,
    previousSecretIds: [],
  }
}
