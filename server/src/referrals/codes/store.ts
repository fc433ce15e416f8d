import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { CodeState, ReferralCode } from './code.ts'

const COLUMNS = 'id, app_id, code, name, state, created_at, updated_at'

const LOCK_APP = statement<{ locked: string }>(
  'referrals.lock_codes_of_app',
  `select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended($1, 37))::text as locked`,
)

const COUNT = statement<{ count: number }>(
  'referrals.count_codes',
  'select count(id)::int as count from referral_codes where app_id = $1',
)

/**
 * If two requests at once want the last code that an app's quota allows, the second waits for the lock. It counts in a
 * new statement after the lock, so its count includes the first request's code.
 */
export async function lockAndCount(tx: Tx, app: Id<'app'>): Promise<number> {
  await tx.one(LOCK_APP, [app])
  return (await tx.one(COUNT, [app])).count
}

const INSERT = statement<ReferralCode>(
  'referrals.insert_code',
  `with clock as materialized (select world_now() as now),
   code as (
     insert into referral_codes (id, app_id, code, name, created_at, updated_at)
     select $1, $2, $3, $4, now, now from clock
     returning ${COLUMNS}),
   span as (insert into referral_code_spans (code_id, began_at) select id, created_at from code)
   select ${COLUMNS} from code`,
)

export type NewRow = Pick<ReferralCode, 'id' | 'app_id' | 'code' | 'name'>

export async function insertCode(tx: Tx, { id, app_id, code, name }: NewRow): Promise<ReferralCode> {
  return tx.one(INSERT, [id, app_id, code, name])
}

const FIND = statement<ReferralCode>(
  'referrals.find_code',
  `select ${COLUMNS} from referral_codes where app_id = $1 and id = $2`,
)

export async function findCode(queries: WorldQueries, app: Id<'app'>, id: string): Promise<ReferralCode | null> {
  return queries.maybeOne(FIND, [app, id])
}

const OWNER = statement<Pick<ReferralCode, 'app_id'>>(
  'referrals.owner_of_code',
  'select app_id from referral_codes where id = $1',
)

/** The app of any code, for operators. */
export async function findAppOfCode(queries: WorldQueries, id: Id<'referralCode'>) {
  return (await queries.maybeOne(OWNER, [id]))?.app_id ?? null
}

/**
 * Reads all codes of the app first: the quota allows only a few. Otherwise PostgreSQL would scan the codes of all apps by id
 * until it has found enough codes of this app.
 */
const LIST = statement<ReferralCode>(
  'referrals.list_codes',
  `with own as materialized (
     select ${COLUMNS} from referral_codes where app_id = $1 and id < $2::text collate "C")
   select ${COLUMNS} from own order by id desc limit $3`,
)

/** Sorts after every id, because ids begin with a letter. */
const START = '~'

export type Place = { readonly before: string | null; readonly limit: number }

/** An app's codes, the newest first. */
export async function listCodes(queries: WorldQueries, app: Id<'app'>, at: Place): Promise<ReferralCode[]> {
  return queries.many(LIST, [app, at.before ?? START, at.limit])
}

const LOCK = statement<{ id: string }>(
  'referrals.lock_code',
  'select id from referral_codes where app_id = $1 and id = $2 for no key update',
)

/**
 * A credit locks the code for share. So a change that pauses the code waits for credits in progress, and later credits
 * find the code paused.
 */
export async function lockCode(tx: Tx, app: Id<'app'>, id: string): Promise<ReferralCode | null> {
  await tx.maybeOne(LOCK, [app, id])
  return findCode(tx, app, id)
}

const UPDATE = statement<ReferralCode>(
  'referrals.update_code',
  `update referral_codes set name = $2, state = $3, updated_at = world_now() where id = $1 returning ${COLUMNS}`,
)

export type Change = { readonly name: string; readonly state: CodeState }

export async function updateRow(tx: Tx, id: Id<'referralCode'>, { name, state }: Change): Promise<ReferralCode> {
  return tx.one(UPDATE, [id, name, state])
}

const BEGIN_SPAN = statement(
  'referrals.begin_span',
  'insert into referral_code_spans (code_id, began_at) values ($1, $2)',
)

const END_SPAN = statement(
  'referrals.end_span',
  'update referral_code_spans set ended_at = greatest($2::timestamptz, began_at) where code_id = $1 and ended_at is null',
)

/**
 * At the time of the change, starts or ends a span in which the code is active. The spans show which codes were active in a
 * week.
 */
export async function writeSpan(tx: Tx, { id, state, updated_at }: ReferralCode): Promise<void> {
  await tx.run(state === 'active' ? BEGIN_SPAN : END_SPAN, [id, updated_at])
}
