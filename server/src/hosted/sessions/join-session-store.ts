import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Appearance, IneligibleReason, JoinSessionState, Theme } from './join-session-states.ts'

export type NewJoinSession = {
  readonly id: Id<'joinSession'>
  readonly syndicateId: Id<'syndicate'>
  readonly userId: Id<'user'> | null
  readonly installationId: Id<'installation'> | null
  readonly appId: Id<'app'> | null
  readonly theme: Theme | null
  readonly frameOrigins: readonly string[] | null
  readonly appearance: Appearance | null
  readonly successUrl: string | null
  readonly returnUrl: string | null
  readonly metadata: { readonly [key: string]: unknown }
  readonly createdAt: WorldTime
  readonly expiresAt: string
}

const INSERT = statement(
  'join_sessions.insert',
  `insert into join_sessions (id, syndicate_id, user_id, installation_id, theme_id, theme_version,
                              theme_override_fingerprint, success_url, metadata, created_at, expires_at,
                              app_id, return_url, frame_origins, appearance)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
)

export async function insertJoinSession(tx: Tx, session: NewJoinSession): Promise<void> {
  const { theme } = session
  const inserting = tx.run(INSERT, [
    session.id,
    session.syndicateId,
    session.userId,
    session.installationId,
    theme?.id ?? null,
    theme?.version ?? null,
    theme?.override_fingerprint ?? null,
    session.successUrl,
    JSON.stringify(session.metadata),
    session.createdAt,
    session.expiresAt,
    session.appId,
    session.returnUrl,
    session.frameOrigins,
    session.appearance === null ? null : JSON.stringify(session.appearance),
  ])
  await inserting
}

/** A join session with the columns that its moves need. */
export type JoinSessionRow = {
  readonly id: Id<'joinSession'>
  readonly syndicate_id: Id<'syndicate'>
  readonly status: JoinSessionState
  readonly user_id: Id<'user'> | null
  readonly membership_id: Id<'membership'> | null
  readonly ineligible_reason: IneligibleReason | null
  /** Whether an app created the session through our API. The host platform does not know such a session. */
  readonly made_here: boolean
  /** Whether the person's application was made through this session. */
  readonly applied: boolean
  readonly theme_id: string | null
  readonly theme_version: number | null
  readonly theme_override_fingerprint: string | null
}

const LOCK = statement<JoinSessionRow>(
  'join_sessions.lock',
  `select id, syndicate_id, status, user_id, membership_id, ineligible_reason, app_id is not null as made_here, applied,
          theme_id, theme_version, theme_override_fingerprint
     from join_sessions where id = $1 for no key update`,
)

/** Lock order: after the people and before the membership (see the syndicates' store). */
export async function lockJoinSession(tx: Tx, id: Id<'joinSession'>): Promise<JoinSessionRow | null> {
  return tx.maybeOne(LOCK, [id])
}

const IS_DUE = statement<{ due: boolean }>(
  'join_sessions.is_due',
  `select expires_at <= case when app_id is null then $2::timestamptz else greatest(world_now(), $2::timestamptz) end as due
     from join_sessions where id = $1`,
)

/**
 * Whether the session had expired at `occurredAt`. For a session that an app created, the current world time counts if it is
 * later. For a session of the host platform, only the time of the fact counts, because a fact may arrive long after what it
 * reports.
 */
export async function isDue(tx: Tx, id: Id<'joinSession'>, occurredAt: WorldTime): Promise<boolean> {
  return (await tx.one(IS_DUE, [id, occurredAt])).due
}

const LOCK_PERSON = statement<{ id: Id<'user'> }>(
  'join_sessions.lock_person',
  `select id from users
    where id = coalesce($2::text, (select user_id from join_sessions where id = $1)) for no key update`,
)

/** Locks the person that the caller names (`named`), or otherwise the session's person, if there is one. */
export async function lockPersonAt(tx: Tx, id: Id<'joinSession'>, named: Id<'user'> | null): Promise<void> {
  await tx.maybeOne(LOCK_PERSON, [id, named])
}

const LOCK_WAITING = statement<DueSession<'joinSession'>>(
  'join_sessions.lock_waiting',
  `select id, expires_at from join_sessions
    where membership_id = $1 and status = 'pending_approval' and ($2 or app_id is not null)
    order by id for no key update`,
)

/** Locks the sessions that wait for a decision about this membership: all, or only those that apps created. */
export async function lockWaitingSessions(
  tx: Tx,
  membershipId: Id<'membership'>,
  which: 'all' | 'made_here',
): Promise<readonly DueSession<'joinSession'>[]> {
  return tx.many(LOCK_WAITING, [membershipId, which === 'all'])
}

const SET_USER = statement('join_sessions.set_user', 'update join_sessions set user_id = $2 where id = $1')

export async function setJoinSessionUser(tx: Tx, id: Id<'joinSession'>, userId: Id<'user'>): Promise<void> {
  await tx.run(SET_USER, [id, userId])
}

/** Each event of the session is at least a microsecond later than the session's previous event. */
const UPDATE = statement<{ occurred_at: WorldTime }>(
  'join_sessions.update',
  `update join_sessions
      set status = $2, user_id = $3, membership_id = $4, ineligible_reason = $5, applied = $6,
          last_occurred_at = greatest($7::timestamptz, last_occurred_at + interval '1 microsecond')
    where id = $1
   returning last_occurred_at as occurred_at`,
)

/** Returns the time of the move's event. */
export async function updateJoinSession(tx: Tx, session: JoinSessionRow, occurredAt: WorldTime): Promise<WorldTime> {
  const { id, status, user_id, membership_id, ineligible_reason, applied } = session
  const moved = [status, user_id, membership_id, ineligible_reason, applied]
  return (await tx.one(UPDATE, [id, ...moved, occurredAt])).occurred_at
}

const LOCK_OF_PERSON = statement<{ id: Id<'joinSession'> }>(
  'join_sessions.lock_of_person',
  'select id from join_sessions where user_id = $1 order by id for no key update',
)

/** Waits for transactions that write events with the person's name: each of them locks one of these rows. */
export async function lockJoinSessionsOf(tx: Tx, userId: Id<'user'>): Promise<void> {
  await tx.many(LOCK_OF_PERSON, [userId])
}

export type DueSession<K extends 'joinSession' | 'investmentSession'> = {
  readonly id: Id<K>
  readonly expires_at: WorldTime
}

const DUE = statement<DueSession<'joinSession'>>(
  'join_sessions.due',
  `select id, expires_at from join_sessions
    where status in ('open', 'pending_approval') and expires_at <= world_now()
    order by expires_at, id
    limit $1
    for no key update skip locked`,
)

/** Skips locked rows, because another transaction is moving them. The job's next round checks them again. */
export async function takeDueJoinSessions(tx: Tx, limit: number): Promise<readonly DueSession<'joinSession'>[]> {
  return tx.many(DUE, [limit])
}
