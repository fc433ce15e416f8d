import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, PlatformTx, WorldDatabase } from '#system/postgres/database.ts'
import { platformStatement, shortStatement, statement } from '#system/postgres/statement.ts'

/**
 * The session of a command line ends 7 days after its last use, at the latest 30 days after it began, in real time: it outlasts a
 * weekend, and a copied token works for a month at most. A use is recorded at most every five minutes.
 */
const IDLE = "interval '7 days'"
const ALTOGETHER = "interval '30 days'"
const TOUCHED_EVERY = "interval '5 minutes'"
/** Long enough for the redirect to the command line and for the request in which it exchanges the code. */
const CODE_LIFE = "interval '60 seconds'"

/**
 * Copies the time of the browser's last proof: allowing a command line is not a new proof. `for share` waits for a transaction
 * that is disabling the account. Returns no row if the account is disabled or the browser's session has ended.
 */
const INSERT = platformStatement<{ account_id: Id<'account'> }>(
  'accounts.insert_command_line',
  `insert into platform.sign_in_sessions (hash, account_id, expires_at, proven_at, device, kind, code_challenge)
   select $1, a.id, clock_timestamp() + ${CODE_LIFE}, b.proven_at, $3, 'command_line', $4
     from platform.accounts a join platform.sign_in_sessions b on b.account_id = a.id
    where a.id = $2 and a.disabled_at is null and b.hash = $5 and b.kind = 'browser' and b.expires_at > clock_timestamp()
      for share
   returning account_id`,
)

type NewCode = {
  readonly codeHash: Buffer
  readonly account: Id<'account'>
  readonly device: string
  readonly challenge: string
  /** The session in which the person allows the command line. */
  readonly browserSession: Buffer
}

export async function insertCode(tx: PlatformTx, code: NewCode): Promise<boolean> {
  const values = [code.codeHash, code.account, code.device, code.challenge, code.browserSession]
  return (await tx.maybeOne(INSERT, values)) !== null
}

export type Exchanged = {
  readonly id: string
  readonly account_id: Id<'account'>
  readonly device: string
  readonly expires_at: string
  readonly expires_in: number
}

/** If many requests send one code at once, only the first finds the code's row. The others wait for its commit and find no row. */
const EXCHANGE = platformStatement<Exchanged>(
  'accounts.exchange_command_line_code',
  `update platform.sign_in_sessions s
      set hash = $3, code_challenge = null, created_at = clock_timestamp(), seen_at = clock_timestamp(),
          expires_at = clock_timestamp() + ${IDLE}
     from platform.accounts a
    where s.hash = $1 and s.code_challenge = $2 and s.expires_at > clock_timestamp()
      and a.id = s.account_id and a.disabled_at is null
   returning s.id, s.account_id, s.device, s.expires_at,
             floor(extract(epoch from (s.expires_at - clock_timestamp())))::int as expires_in`,
)
const DROP = platformStatement(
  'accounts.drop_command_line_code',
  'delete from platform.sign_in_sessions where hash = $1 and code_challenge is not null',
)

type Exchange = { readonly codeHash: Buffer; readonly challenge: string; readonly tokenHash: Buffer }

/** Null for a code that is unknown, used or expired, and for a wrong verifier, which also ends the code. */
export async function exchangeCode(tx: PlatformTx, { codeHash, challenge, tokenHash }: Exchange) {
  const exchanged = await tx.maybeOne(EXCHANGE, [codeHash, challenge, tokenHash])
  if (exchanged === null) await tx.run(DROP, [codeHash])
  return exchanged
}

/** Counts only sessions that work: no expired ones, and no codes that were not exchanged. */
const DELETE_OLDEST = platformStatement(
  'accounts.delete_oldest_command_lines',
  `delete from platform.sign_in_sessions where hash in (
     select hash from platform.sign_in_sessions
      where account_id = $1 and kind = 'command_line' and code_challenge is null and expires_at > clock_timestamp()
      order by created_at desc, hash offset $2)`,
)

export async function deleteOldestCommandLines(
  tx: PlatformTx,
  account: Id<'account'>,
  keepCount: number,
): Promise<void> {
  await tx.run(DELETE_OLDEST, [account, keepCount])
}

type CommandLineInForce = {
  readonly id: string
  readonly account_id: Id<'account'>
  readonly name: string
  readonly email: string
  readonly unseen_lately: boolean
  readonly proven_seconds_ago: number
}

const FIND = shortStatement<CommandLineInForce>(
  'accounts.find_command_line',
  `select s.id, s.account_id, a.name, a.email, s.seen_at < clock_timestamp() - ${TOUCHED_EVERY} as unseen_lately,
          extract(epoch from clock_timestamp() - greatest(s.proven_at, '2000-01-01'))::int as proven_seconds_ago
     from platform.sign_in_sessions s join platform.accounts a on a.id = s.account_id
    where s.hash = $1 and s.kind = 'command_line' and s.code_challenge is null
      and s.expires_at > clock_timestamp() and a.disabled_at is null`,
)

export async function findCommandLine(db: WorldDatabase, hash: Buffer): Promise<CommandLineInForce | null> {
  const [session] = await db.short(FIND, [hash])
  return session ?? null
}

/**
 * Checks the conditions again, so that only one of many concurrent requests writes, and a session that expired meanwhile is not revived.
 */
const TOUCH = statement(
  'accounts.touch_command_line',
  `update platform.sign_in_sessions
      set seen_at = clock_timestamp(),
          expires_at = least(created_at + ${ALTOGETHER}, clock_timestamp() + ${IDLE})
    where hash = $1 and kind = 'command_line' and code_challenge is null
      and seen_at < clock_timestamp() - ${TOUCHED_EVERY} and expires_at > clock_timestamp()`,
)

export async function touchCommandLine(db: WorldDatabase, hash: Buffer): Promise<void> {
  await db.reads.run(TOUCH, [hash])
}

/** Times are real time, as text. */
export type OwnSession = {
  readonly kind: 'browser' | 'command_line'
  readonly device: string | null
  readonly created_at: string
  readonly seen_at: string
  readonly expires_at: string
}

const OWN = platformStatement<OwnSession>(
  'accounts.find_own_session',
  'select kind, device, created_at, seen_at, expires_at from platform.sign_in_sessions where hash = $1',
)

export async function findOwnSession(queries: PlatformQueries, hash: Buffer): Promise<OwnSession | null> {
  return queries.maybeOne(OWN, [hash])
}

const DEVICE = platformStatement<{ device: string }>(
  'accounts.find_command_line_device',
  `select device from platform.sign_in_sessions
    where account_id = $1 and id = $2 and kind = 'command_line' and code_challenge is null
      and expires_at > clock_timestamp()`,
)

/** The name of the command line's computer. Null if the command line belongs to another person, or if it has ended. */
export async function findDevice(queries: PlatformQueries, account: Id<'account'>, id: string): Promise<string | null> {
  return (await queries.maybeOne(DEVICE, [account, id]))?.device ?? null
}

const PROVE = platformStatement(
  'accounts.prove_command_line',
  `update platform.sign_in_sessions s set proven_at = b.proven_at
     from platform.sign_in_sessions b
    where s.account_id = $1 and s.id = $2 and s.kind = 'command_line' and s.code_challenge is null
      and s.expires_at > clock_timestamp()
      and b.hash = $3 and b.account_id = s.account_id and b.kind = 'browser'`,
)

type Proof = { readonly account: Id<'account'>; readonly id: string; readonly browserSession: Buffer }

/** Gives the command line the recent proof of the browser in which the person confirms. False if either of their sessions has ended. */
export async function proveCommandLine(tx: PlatformTx, { account, id, browserSession }: Proof): Promise<boolean> {
  return (await tx.run(PROVE, [account, id, browserSession])) === 1
}
