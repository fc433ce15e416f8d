import type { Tx } from '#system/postgres/database.ts'
import { lockOutdated, writeSealed } from './store.ts'
import type { TokenKeyBox } from './token-keys.ts'

/**
 * After the sealing secret was rotated: seals the same keys with the new one, so that the previous one can be dropped. What
 * no secret we have was used for is left as it is, for the day that secret is found.
 */
export async function resealKeys(tx: Tx, box: TokenKeyBox, limit: number): Promise<number> {
  if (box.sealedBefore.length === 0) return 0
  const outdated = await lockOutdated(tx, box.sealedBefore, limit)
  for (const { app, company, sealed } of outdated) {
    const pair = { app, company }
    await writeSealed(tx, pair, box.sealAnew(pair, sealed))
  }
  return outdated.length
}
