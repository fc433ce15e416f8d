import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

export type FactorsInForce = {
  readonly totp: boolean
  readonly passkeys: number
  readonly recovery_codes: number
  readonly has_password: boolean
  readonly issuers: number
  /** A digest that changes with the password and reveals nothing about it. */
  readonly password_digest: string
}

const IN_FORCE = platformStatement<FactorsInForce>(
  'accounts.factors_in_force',
  `select exists (select from platform.account_totp t where t.account_id = a.id) as totp,
          (select count(*)::int from platform.account_passkeys p where p.account_id = a.id) as passkeys,
          (select count(*)::int from platform.account_recovery_codes c where c.account_id = a.id) as recovery_codes,
          a.password_hash is not null as has_password,
          (select count(*)::int from platform.account_identities i where i.account_id = a.id) as issuers,
          encode(sha256(convert_to(coalesce(a.password_hash, ''), 'UTF8')), 'hex') as password_digest
     from platform.accounts a where a.id = $1`,
)

/** For an account that no longer exists: no factors, and a value that is not the digest of any password. */
const NONE: FactorsInForce = {
  ...{ totp: false, passkeys: 0, recovery_codes: 0, has_password: false, issuers: 0 },
  password_digest: '',
}

export async function findFactors(queries: PlatformQueries, account: Id<'account'>): Promise<FactorsInForce> {
  return (await queries.maybeOne(IN_FORCE, [account])) ?? NONE
}

/** Whether the account needs a second step after the password. */
export function asksSecondStep({ totp, passkeys }: FactorsInForce): boolean {
  return totp || passkeys > 0
}

const INSERT_TOTP = platformStatement<{ account_id: Id<'account'> }>(
  'accounts.insert_totp',
  `insert into platform.account_totp (account_id, secret, last_step) values ($1, $2, $3)
   on conflict on constraint account_totp_pkey do nothing
   returning account_id`,
)

type NewTotp = { readonly account: Id<'account'>; readonly sealedSecret: Buffer; readonly step: number }

/** False if the account has an authenticator app already: if several apps are set up at once, only the first is stored. */
export async function insertTotp(tx: PlatformTx, { account, sealedSecret, step }: NewTotp): Promise<boolean> {
  return (await tx.maybeOne(INSERT_TOTP, [account, sealedSecret, step])) !== null
}

const TOTP_SECRET = platformStatement<{ secret: Buffer }>(
  'accounts.totp_secret',
  'select secret from platform.account_totp where account_id = $1',
)

export async function findTotpSecret(queries: PlatformQueries, account: Id<'account'>): Promise<Buffer | null> {
  return (await queries.maybeOne(TOTP_SECRET, [account]))?.secret ?? null
}

/** Of several requests with the same code, only the first updates the row; the others find its step already stored. */
const USE_STEP = platformStatement(
  'accounts.use_totp_step',
  'update platform.account_totp set last_step = $2 where account_id = $1 and last_step < $2',
)

export async function useTotpStep(tx: PlatformTx, account: Id<'account'>, step: number): Promise<boolean> {
  return (await tx.run(USE_STEP, [account, step])) === 1
}

const DELETE_TOTP = platformStatement('accounts.delete_totp', 'delete from platform.account_totp where account_id = $1')

export async function deleteTotp(tx: PlatformTx, account: Id<'account'>): Promise<boolean> {
  return (await tx.run(DELETE_TOTP, [account])) === 1
}

const INSERT_CODES = platformStatement(
  'accounts.insert_recovery_codes',
  `insert into platform.account_recovery_codes (account_id, hash)
   select $1, decode(digest, 'hex') from unnest($2::text[]) as digest`,
)
const DELETE_CODES = platformStatement(
  'accounts.delete_recovery_codes',
  'delete from platform.account_recovery_codes where account_id = $1',
)

/** The caller has locked the account, so that two requests at once leave only one set of codes. */
export async function replaceRecoveryCodes(
  tx: PlatformTx,
  account: Id<'account'>,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.run(DELETE_CODES, [account])
  if (hashes.length > 0) await tx.run(INSERT_CODES, [account, hashes.map((hash) => hash.toString('hex'))])
}

const USE_CODE = platformStatement(
  'accounts.use_recovery_code',
  'delete from platform.account_recovery_codes where account_id = $1 and hash = $2',
)

export async function useRecoveryCode(tx: PlatformTx, account: Id<'account'>, hash: Buffer): Promise<boolean> {
  return (await tx.run(USE_CODE, [account, hash])) === 1
}

const USE_TICKET = platformStatement<{ hash: Buffer }>(
  'accounts.use_ticket',
  `insert into platform.sign_in_tickets_used (hash, expires_at)
   values ($1, clock_timestamp() + make_interval(secs => $2))
   on conflict on constraint sign_in_tickets_used_pkey do nothing
   returning hash`,
)

/** False if the ticket was used before; of several requests at once, one gets true. */
export async function useTicket(queries: PlatformQueries, hash: Buffer, seconds: number): Promise<boolean> {
  return (await queries.maybeOne(USE_TICKET, [hash, seconds])) !== null
}

const PURGE_TICKETS = platformStatement(
  'accounts.purge_tickets',
  `delete from platform.sign_in_tickets_used where hash in (
     select hash from platform.sign_in_tickets_used
      where expires_at <= clock_timestamp() order by expires_at limit $1
      for update skip locked)`,
)

export async function purgeTickets(tx: PlatformTx, limit: number): Promise<number> {
  return tx.run(PURGE_TICKETS, [limit])
}

/** Times are real time, as text. */
export type PasskeyRow = {
  readonly id: string
  readonly account_id: Id<'account'>
  readonly credential_id: Buffer
  readonly public_key: Buffer
  readonly counter: number
  readonly synced: boolean
  readonly backed_up: boolean
  readonly transports: readonly string[]
  readonly name: string
  readonly created_at: string
  readonly last_used_at: string | null
}

const PASSKEY_COLUMNS = `id, account_id, credential_id, public_key, counter::float8 as counter, synced, backed_up, transports, name,
  created_at, last_used_at`

const PASSKEYS = platformStatement<PasskeyRow>(
  'accounts.passkeys_of',
  `select ${PASSKEY_COLUMNS} from platform.account_passkeys where account_id = $1 order by created_at, id`,
)

export async function listPasskeys(queries: PlatformQueries, account: Id<'account'>): Promise<readonly PasskeyRow[]> {
  return queries.many(PASSKEYS, [account])
}

const PASSKEY_BY_CREDENTIAL = platformStatement<PasskeyRow>(
  'accounts.passkey_by_credential',
  `select ${PASSKEY_COLUMNS} from platform.account_passkeys where credential_id = $1`,
)

export async function findPasskey(queries: PlatformQueries, credentialId: Buffer): Promise<PasskeyRow | null> {
  return queries.maybeOne(PASSKEY_BY_CREDENTIAL, [credentialId])
}

const INSERT_PASSKEY = platformStatement<{ id: string }>(
  'accounts.insert_passkey',
  `insert into platform.account_passkeys
     (account_id, credential_id, public_key, counter, synced, backed_up, transports, name)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict on constraint account_passkeys_credential_unique do nothing
   returning id`,
)

export type NewPasskey = Omit<PasskeyRow, 'id' | 'created_at' | 'last_used_at'>

/** False for a credential that is registered already, by this account or another. */
export async function insertPasskey(tx: PlatformTx, passkey: NewPasskey): Promise<boolean> {
  const { account_id, credential_id, public_key, counter, synced, backed_up, transports, name } = passkey
  const values = [account_id, credential_id, public_key, counter, synced, backed_up, transports, name]
  return (await tx.maybeOne(INSERT_PASSKEY, values)) !== null
}

/**
 * Updates no row if the counter has not increased, because the response may then come from a copy of the authenticator. If both the stored
 * and the new counter are 0, the authenticator does not count.
 */
const NOTE_PASSKEY = platformStatement(
  'accounts.note_passkey_use',
  `update platform.account_passkeys set counter = $2, backed_up = $3, last_used_at = clock_timestamp()
    where id = $1 and (counter < $2 or counter = 0 and $2 = 0)`,
)

type PasskeyUse = { readonly id: string; readonly counter: number; readonly backedUp: boolean }

export async function notePasskeyUse(tx: PlatformTx, { id, counter, backedUp }: PasskeyUse): Promise<boolean> {
  return (await tx.run(NOTE_PASSKEY, [id, counter, backedUp])) === 1
}

const DELETE_PASSKEY = platformStatement<{ name: string }>(
  'accounts.delete_passkey',
  'delete from platform.account_passkeys where account_id = $1 and id = $2 returning name',
)

/** Returns the name of the passkey; null if the account has no passkey with this id. */
export async function deletePasskey(tx: PlatformTx, account: Id<'account'>, id: string): Promise<string | null> {
  return (await tx.maybeOne(DELETE_PASSKEY, [account, id]))?.name ?? null
}

const DELETE_PASSKEYS = platformStatement(
  'accounts.delete_passkeys',
  'delete from platform.account_passkeys where account_id = $1',
)

/** Removes every factor and all recovery codes; the caller has locked the account. */
export async function deleteFactorsOf(tx: PlatformTx, account: Id<'account'>): Promise<void> {
  await deleteTotp(tx, account)
  await tx.run(DELETE_PASSKEYS, [account])
  await replaceRecoveryCodes(tx, account, [])
}
