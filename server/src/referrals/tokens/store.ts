import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** An app and a company. All tokens that the app gets for the company are made with the same key. */
export type Pair = { readonly app: Id<'app'>; readonly company: Id<'company'> }

export type SealedKey = { readonly sealed: Buffer; readonly sealedBy: string }

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

/** Does nothing if the pair has a key already: the first key is never replaced. */
export async function insertKey(tx: Tx, { app, company }: Pair, { sealed, sealedBy }: SealedKey): Promise<void> {
  await tx.run(INSERT, [app, company, sealed, sealedBy])
}

type LockedKey = Pair & { readonly sealed: Buffer }

const LOCK_OUTDATED = statement<LockedKey>(
  'referrals.lock_outdated_token_keys',
  `select app_id as app, company_id as company, sealed from referral_token_keys
    where sealed_by = any($1) limit $2 for no key update skip locked`,
)

/** Locks keys that are sealed with these secrets. */
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

export type StoredKey = Pair & { readonly sealed: Buffer }

const PAIRS_FIND = statement<StoredKey>(
  'referrals.find_token_keys',
  `select k.app_id as app, k.company_id as company, k.sealed
     from unnest($1::text[], $2::text[]) as wanted (app, company)
     join referral_token_keys k on k.app_id = wanted.app and k.company_id = wanted.company`,
)

/** The keys of these pairs. A pair without a key is left out. */
export async function findKeys(tx: Tx, pairs: readonly Pair[]): Promise<StoredKey[]> {
  return tx.many(PAIRS_FIND, [pairs.map(({ app }) => app), pairs.map(({ company }) => company)])
}

const PAIRS_INSERT = statement(
  'referrals.insert_token_keys',
  `insert into referral_token_keys (app_id, company_id, sealed, sealed_by)
   select app, company, decode(sealed, 'hex'), sealed_by
     from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as made (app, company, sealed, sealed_by)
   on conflict (app_id, company_id) do nothing`,
)

/** Pairs that have a key already keep it. */
export async function insertKeys(tx: Tx, made: readonly (Pair & SealedKey)[]): Promise<void> {
  await tx.run(PAIRS_INSERT, [
    made.map(({ app }) => app),
    made.map(({ company }) => company),
    made.map(({ sealed }) => sealed.toString('hex')),
    made.map(({ sealedBy }) => sealedBy),
  ])
}
