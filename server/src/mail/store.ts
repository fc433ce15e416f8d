import type { PlatformDatabase, PlatformQueries, PlatformTx, Tx } from '#system/postgres/database.ts'
import {
  countedRows,
  type DueIn,
  msUntil,
  platformStatement,
  type QueueLength,
  secondsSince,
  statement,
} from '#system/postgres/statement.ts'
import type { Letter } from './letter.ts'

const INTO_QUEUE =
  'insert into platform.mails (key, recipient, letter) values ($1, $2, $3) on conflict (key) do nothing'

const INSERT = platformStatement('mails.insert', INTO_QUEUE)
const INSERT_FROM_WORLD = statement('mails.insert_from_world', INTO_QUEUE)

/**
 * `key` names the occasion and the recipient. While a mail with this key is queued or is a dead letter, no second one
 * is queued.
 */
export type NewMail = { readonly key: string; readonly to: string; readonly letter: Letter }

/** Queues the mail in the transaction that causes it; `sendMails` sends it after the commit. */
export async function queueMail(queries: PlatformQueries, { key, to, letter }: NewMail): Promise<void> {
  await queries.run(INSERT, [key, to, JSON.stringify(letter)])
}

/** Like `queueMail`, in a transaction of a world. */
export async function queueMailFromWorld(tx: Tx, { key, to, letter }: NewMail): Promise<void> {
  await tx.run(INSERT_FROM_WORLD, [key, to, JSON.stringify(letter)])
}

/**
 * Twelve attempts in about ten hours: after 1, 2, 4 … 64 minutes, then every two hours. A server that rejects the first attempt
 * of an unknown sender (greylisting) accepts one of the early retries.
 */
const ATTEMPTS_MAX = 12
const WAIT = `least(interval '2 hours', interval '1 minute' * 2 ^ (attempts - 1))`

type MailRow = { readonly id: string; readonly recipient: string; readonly letter: string }
export type QueuedMail = { readonly id: string; readonly to: string; readonly letter: Letter }

/**
 * Leases mails by moving their next attempt into the future. So no other worker sends them meanwhile. If this worker
 * dies, another worker sends them at that time.
 */
const TAKE = platformStatement<MailRow>(
  'mails.take',
  `update platform.mails set attempts = attempts + 1, due_at = clock_timestamp() + interval '5 minutes'
    where id = any (array(select id from platform.mails where due_at <= clock_timestamp()
                           order by due_at limit $1 for no key update skip locked))
   returning id, recipient, letter`,
)

const NEXT = platformStatement<DueIn>(
  'mails.next_due',
  `select ${msUntil('select min(due_at) from platform.mails')} as due_in_ms`,
)

/** How long until the next mail is due. Null if no mail is queued. */
export async function nextMailInMs({ reads }: Pick<PlatformDatabase, 'reads'>): Promise<number | null> {
  return (await reads.one(NEXT)).due_in_ms
}

export async function takeMails(queries: PlatformQueries, limit: number): Promise<QueuedMail[]> {
  const rows = await queries.many(TAKE, [limit])
  return rows.map(({ id, recipient, letter }) => ({ id, to: recipient, letter: JSON.parse(letter) }))
}

const LENGTH = platformStatement<{ waiting: number; oldest_seconds: number }>(
  'mails.queue_length',
  `select ${countedRows('platform.mails where due_at <= clock_timestamp()')} as waiting,
          ${secondsSince('select due_at from platform.mails where due_at <= clock_timestamp() order by due_at limit 1')}
            as oldest_seconds`,
)

/** Counts the mails that are due now. Retries that are due later do not count. */
export async function mailQueue(queries: PlatformQueries): Promise<QueueLength> {
  const { waiting, oldest_seconds } = await queries.one(LENGTH)
  return { waiting, oldestSeconds: oldest_seconds }
}

const SENT = platformStatement('mails.sent', 'delete from platform.mails where id = $1')

/** Deletes a sent mail, because its text may contain personal data. */
export async function forgetSentMail(queries: PlatformQueries, id: string): Promise<void> {
  await queries.run(SENT, [id])
}

const DELETE_TO = platformStatement(
  'mails.delete_to',
  'delete from platform.mails where lower(recipient) = lower($1 collate "C")',
)

/** For a person who leaves: deletes all queued mails to this address, also dead letters. */
export async function deleteMailsTo(queries: PlatformQueries, address: string): Promise<void> {
  await queries.run(DELETE_TO, [address])
}

/** Finds keys by their prefix with the index on `key`. Only ids and digits follow a prefix, and they sort before `~`. */
const KEYED = `unnest($1::text[]) as occasion (begins) where key >= begins and key < begins || '~'`

const DELETE_ABOUT = platformStatement('mails.delete_about', `delete from platform.mails using ${KEYED}`)

/** Deletes mails by the prefix of their keys, for example after their invitation was withdrawn or its sender left. */
export async function deleteMailsAbout(queries: PlatformQueries, occasions: readonly string[]): Promise<void> {
  await queries.run(DELETE_ABOUT, [occasions])
}

/**
 * Empties the mail and marks it as a dead letter that failed long ago, so that `purgeDeadMails` deletes it in its
 * next round.
 */
const EMPTY_ABOUT = statement(
  'mails.empty_about',
  `update platform.mails
      set recipient = 'erased@erased.invalid', letter = '{}', last_error = null, due_at = null, failed_at = '-infinity'
     from ${KEYED}`,
)

/**
 * Like `deleteMailsAbout`, in a transaction of a world. Such a transaction may not delete rows of the platform, so the mail's
 * key stays until `purgeDeadMails` deletes it.
 */
export async function emptyMailsAboutFromWorld(tx: Tx, occasions: readonly string[]): Promise<void> {
  await tx.run(EMPTY_ABOUT, [occasions])
}

const REMOVE_FACTS = statement(
  'mails.remove_facts',
  `update platform.mails set letter = letter - 'facts' from ${KEYED}`,
)

/**
 * Removes the table (`facts`) from letters whose table names an erased person. No other part of these letters names the
 * person.
 */
export async function removeFactsFromWorld(tx: Tx, occasions: readonly string[]): Promise<void> {
  await tx.run(REMOVE_FACTS, [occasions])
}

const FAILED = platformStatement<{ dead: boolean }>(
  'mails.failed',
  `update platform.mails
      set due_at = case when $3 or attempts >= ${ATTEMPTS_MAX} then null else clock_timestamp() + ${WAIT} end,
          failed_at = case when $3 or attempts >= ${ATTEMPTS_MAX} then clock_timestamp() end,
          last_error = left($2, 1000)
    where id = $1 and failed_at is null
   returning due_at is null as dead`,
)

export type MailFailure = { readonly reason: string; readonly forGood: boolean }

/** Returns whether the mail is now a dead letter, which is not sent again. A mail that was emptied meanwhile stays empty. */
export async function recordFailure(
  queries: PlatformQueries,
  id: string,
  { reason, forGood }: MailFailure,
): Promise<boolean> {
  return (await queries.maybeOne(FAILED, [id, reason, forGood]))?.dead ?? false
}

const PURGE = platformStatement<{ id: string }>(
  'mails.purge',
  `delete from platform.mails where id = any (array(
     select id from platform.mails where failed_at < clock_timestamp() - interval '30 days' limit $1)) returning id`,
)

export async function purgeDeadMails(queries: PlatformQueries, limit: number): Promise<number> {
  return (await queries.many(PURGE, [limit])).length
}

const PURGE_UNSENT = platformStatement<{ id: string }>(
  'mails.purge_unsent',
  `delete from platform.mails where id = any (array(
     select id from platform.mails where due_at < clock_timestamp() - interval '1 day' limit $1)) returning id`,
)

/**
 * For a service without a mail server. Without this function, mails with personal data would stay in the queue, and the first mail
 * server would send them all. Mails are stored for a day, in case the operator only forgot the setting.
 */
export async function purgeUnsentMails(queries: PlatformQueries, limit: number): Promise<number> {
  return (await queries.many(PURGE_UNSENT, [limit])).length
}

export type DeadMail = {
  readonly id: string
  readonly key: string
  /** Real time. */
  readonly failed_at: string
  readonly attempts: number
  readonly last_error: string | null
}

/** A dead letter. Mails that were emptied because their recipient was erased do not count. */
const DEAD = `failed_at > '-infinity'`

const LIST_DEAD = platformStatement<DeadMail>(
  'mails.list_dead',
  `select id::text as id, key, failed_at, attempts, last_error from platform.mails
    where ${DEAD} and id > $1::uuid order by id limit $2`,
)

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Dead letters, without their recipients and texts. */
export async function listDeadMails(queries: PlatformQueries, after: string, limit: number) {
  return queries.many(LIST_DEAD, [after === '' ? FIRST_ID : after, limit])
}

const COUNT_DEAD = platformStatement<{ count: number }>(
  'mails.count_dead',
  `select ${countedRows(`platform.mails where ${DEAD}`)} as count`,
)

export async function countDeadMails(queries: PlatformQueries): Promise<number> {
  return (await queries.one(COUNT_DEAD)).count
}

const RETRY = platformStatement<{ recipient: string }>(
  'mails.retry',
  `update platform.mails set due_at = clock_timestamp(), failed_at = null, attempts = 0
    where id = $1::uuid and ${DEAD} returning recipient`,
)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Queues a dead letter again, as if it had no failed attempts. Returns its recipient; null if there is no such dead letter. */
export async function retryMail(tx: PlatformTx, id: string): Promise<string | null> {
  return UUID.test(id) ? ((await tx.maybeOne(RETRY, [id]))?.recipient ?? null) : null
}
