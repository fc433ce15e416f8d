import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Recipient } from './recipient.ts'
import { OURS, type Owner, READABLE, SESSION_COLUMNS, type SessionRow, UNFINISHED } from './session-sql-store.ts'

const FIND = statement<SessionRow>(
  'investment_sessions.find_of_partner',
  `select ${SESSION_COLUMNS} from investment_sessions s where s.id = $3 and ${READABLE}`,
)

export async function findSession(
  queries: WorldQueries,
  { app, target }: Owner,
  id: Id<'investmentSession'>,
): Promise<SessionRow | null> {
  return queries.maybeOne(FIND, [app, target, id])
}

const CREATED_HERE = statement<{ here: boolean }>(
  'investment_sessions.created_here',
  `select exists (select from investment_sessions s where s.id = $3 and s.installation_id in (${OURS})) as here`,
)

/** Whether the app created it on this very company or syndicate. */
export async function isCreatedHere(
  queries: WorldQueries,
  { app, target }: Owner,
  id: Id<'investmentSession'>,
): Promise<boolean> {
  return (await queries.one(CREATED_HERE, [app, target, id])).here
}

const ONE_AT_A_TIME = statement(
  'investment_sessions.one_at_a_time',
  'select pg_advisory_xact_lock(hashtextextended($1, 7310552))',
)

/** Of two that make a session for the same person at once, the second sees the first one's. Before every other lock. */
export async function waitForTurn(tx: Tx, { app, target }: Owner, about: string): Promise<void> {
  await tx.run(ONE_AT_A_TIME, [`investment session ${app} ${target} ${about}`])
}

const ACTIVE = `s.status in (${UNFINISHED}) and s.expires_at > world_now()`

const ACTIVE_OF_ADDRESS = statement<{ id: Id<'investmentSession'> }>(
  'investment_sessions.active_of_address',
  `select s.id from investment_sessions s
    where lower(s.email) = lower($4 collate "C") and s.offering_id = $3 and ${ACTIVE} and s.installation_id in (${OURS})
    order by s.id desc limit 1`,
)

/** Only what was addressed to the account: a session that went to an address would tell which one is theirs. */
const ACTIVE_OF_USER = statement<{ id: Id<'investmentSession'> }>(
  'investment_sessions.active_of_user',
  `select s.id from investment_sessions s
    where s.user_id = $4 and s.email is null and s.offering_id = $3 and ${ACTIVE} and s.installation_id in (${OURS})
    order by s.id desc limit 1`,
)

export async function findActive(
  tx: Tx,
  { app, target }: Owner,
  { spvId, recipient }: { readonly spvId: Id<'offering'>; readonly recipient: Recipient },
): Promise<Id<'investmentSession'> | null> {
  const found =
    'email' in recipient
      ? await tx.maybeOne(ACTIVE_OF_ADDRESS, [app, target, spvId, recipient.email])
      : await tx.maybeOne(ACTIVE_OF_USER, [app, target, spvId, recipient.userId])
  return found?.id ?? null
}

export type SessionEvent = {
  readonly id: Id<'event'>
  readonly event: string
  readonly occurred_at: WorldTime
}

const EVENTS = statement<SessionEvent>(
  'investment_sessions.events',
  `select id, name as event, occurred_at from events
    where investment_session_id = $1 and name like 'investment\\_session.%' order by occurred_at, id`,
)

export async function eventsOf(queries: WorldQueries, id: Id<'investmentSession'>): Promise<readonly SessionEvent[]> {
  return queries.many(EVENTS, [id])
}
