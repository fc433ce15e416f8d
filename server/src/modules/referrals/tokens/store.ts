import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Pair, SealedKey } from './token-keys.ts'

const FIND = statement<{ sealed: Buffer }>(
  'referrals.find_token_key',
  'select sealed from referral_token_keys where app_id = $1 and company_id = $2',
)

export async function findKey(tx: Tx, { app, company }: Pair): Promise<Buffer | null> {
  return (await tx.maybeOne(FIND, [app, company]))?.sealed ?? null
}

const INSERT = statement(
  'referrals.insert_token_key',
  `insert into referral_token_keys (app_id, company_id, sealed, sealed_by) values ($1, $2, $3, $4)
   on conflict (app_id, company_id) do nothing`,
)

/** Nothing happens where there is one already: whoever was first has made it, and it is never replaced. */
export async function insertKey(tx: Tx, { app, company }: Pair, { sealed, sealedBy }: SealedKey): Promise<void> {
  await tx.run(INSERT, [app, company, sealed, sealedBy])
}

export type LockedKey = Pair & { readonly sealed: Buffer }

const LOCK_OUTDATED = statement<LockedKey>(
  'referrals.lock_outdated_token_keys',
  `select app_id as app, company_id as company, sealed from referral_token_keys
    where sealed_by = any($1) limit $2 for no key update skip locked`,
)

/** What is sealed by these. */
export async function lockOutdated(tx: Tx, sealedBy: readonly string[], limit: number): Promise<LockedKey[]> {
  return tx.many(LOCK_OUTDATED, [sealedBy, limit])
}

const RESEAL = statement(
  'referrals.reseal_token_key',
  'update referral_token_keys set sealed = $3, sealed_by = $4 where app_id = $1 and company_id = $2',
)

export async function writeSealed(tx: Tx, { app, company }: Pair, { sealed, sealedBy }: SealedKey): Promise<void> {
  await tx.run(RESEAL, [app, company, sealed, sealedBy])
}
