import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Pair, SealedKey } from './token-keys.ts'

export type KeptKey = Pair & { readonly sealed: Buffer }

const FIND = statement<KeptKey>(
  'referrals.find_token_keys',
  `select k.app_id as app, k.company_id as company, k.sealed
     from unnest($1::text[], $2::text[]) as wanted (app, company)
     join referral_token_keys k on k.app_id = wanted.app and k.company_id = wanted.company`,
)

/** Of those that have one. */
export async function findKeys(tx: Tx, pairs: readonly Pair[]): Promise<KeptKey[]> {
  return tx.many(FIND, [pairs.map(({ app }) => app), pairs.map(({ company }) => company)])
}

const INSERT = statement(
  'referrals.insert_token_keys',
  `insert into referral_token_keys (app_id, company_id, sealed, sealed_by)
   select app, company, decode(sealed, 'hex'), sealed_by
     from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as made (app, company, sealed, sealed_by)
   on conflict (app_id, company_id) do nothing`,
)

/** Nothing happens to those that have one already. */
export async function insertKeys(tx: Tx, made: readonly (Pair & SealedKey)[]): Promise<void> {
  await tx.run(INSERT, [
    made.map(({ app }) => app),
    made.map(({ company }) => company),
    made.map(({ sealed }) => sealed.toString('hex')),
    made.map(({ sealedBy }) => sealedBy),
  ])
}
