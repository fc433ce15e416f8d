import { closure } from '#access/scopes/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { findInvitationOf, joiningRules, type MembershipState } from '#market/syndicates/index.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { countryCode, type PersonAtSyndicate } from '../join-page/eligibility.ts'
import type { Appearance, IneligibleReason, JoinSessionState } from '../join-session-states.ts'

/**
 * Whether the app of a session `j` still has access to its syndicate: the app is installed there, or the manager whose token
 * created the session still manages the syndicate and has the app connected. Reads rows of other modules.
 */
const APP_HAS_ACCESS = `exists (
  select from installations i
   where i.app_id = j.app_id and i.state = 'active'
     and (i.syndicate_id = j.syndicate_id
          or exists (select from installations made
                       join syndicate_managers g on g.user_id = made.user_id and g.syndicate_id = j.syndicate_id
                      where made.id = j.installation_id and made.user_id = i.user_id)))`

/**
 * Whether a user runs a syndicate, and whether the user may see it. A caller without a user runs no syndicate, and sees only published
 * ones. Reads rows of other modules.
 */
type Knowledge = {
  readonly runs: boolean
  /** Whether the user may see that the syndicate exists. */
  readonly known: boolean
}

const KNOWLEDGE = statement<Knowledge>(
  'join_sessions.who_may',
  `select exists (select from syndicate_managers m where m.syndicate_id = s.id and m.user_id = $2) as runs,
          s.published or exists (select from memberships m where m.syndicate_id = s.id and m.user_id = $2) as known
     from syndicates s where s.id = $1`,
)

/** Null if there is no such syndicate. */
export async function knowledgeOf(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  user: Id<'user'> | null,
): Promise<Knowledge | null> {
  return queries.maybeOne(KNOWLEDGE, [syndicate, user])
}

/** Names a session of an app on a syndicate: an app reads only the sessions that it created there. */
export type OwnSession = {
  readonly id: Id<'joinSession'>
  readonly app: Id<'app'>
  readonly syndicate: Id<'syndicate'>
}

export type SessionRecord = {
  readonly id: Id<'joinSession'>
  readonly syndicate: Id<'syndicate'>
  readonly status: JoinSessionState
  readonly ineligible_reason: IneligibleReason | null
  readonly user_id: Id<'user'> | null
  readonly user_name: string | null
  readonly membership_id: Id<'membership'> | null
  readonly theme_id: string | null
  readonly theme_version: number | null
  readonly theme_override_fingerprint: string | null
  readonly frame_origins: string[] | null
  readonly return_url: string | null
  readonly metadata: string
  /** Whether the app still has access to the syndicate; otherwise the session's link does not work. */
  readonly app_has_access: boolean
  readonly created_at: WorldTime
  readonly expires_at: WorldTime
}

/** From its expires_at on a session is `expired`, even before a worker has recorded that. */
const RECORD = `
   select j.id, j.syndicate_id as syndicate,
          case when j.status in ('open', 'pending_approval') and j.expires_at <= world_now() then 'expired'
               else j.status end as status,
          j.ineligible_reason, j.user_id, u.name as user_name, j.membership_id, j.theme_id, j.theme_version,
          j.theme_override_fingerprint, j.frame_origins, j.return_url, j.metadata, j.created_at, j.expires_at,
          ${APP_HAS_ACCESS} as app_has_access
     from join_sessions j left join users u on u.id = j.user_id`

const FIND = statement<SessionRecord>(
  'join_sessions.record',
  `${RECORD} where j.id = $1 and j.app_id = $2 and j.syndicate_id = $3`,
)

/** Null for a session of another app or on another syndicate. */
export async function findSessionRecord(
  queries: WorldQueries,
  { id, app, syndicate }: OwnSession,
): Promise<SessionRecord | null> {
  return queries.maybeOne(FIND, [id, app, syndicate])
}

const LIST = statement<SessionRecord>(
  'join_sessions.list',
  `${RECORD} where j.app_id = $1 and j.syndicate_id = $2 and j.id < $3::text collate "C"
    order by j.id desc limit $4`,
)

/** Sorts after every id, because ids begin with a letter. */
const START = '~'

/** The sessions that an app created for a syndicate, newest first. */
export async function sessionRecords(
  queries: WorldQueries,
  { app, syndicate }: Omit<OwnSession, 'id'>,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<readonly SessionRecord[]> {
  return queries.many(LIST, [app, syndicate, before ?? START, limit])
}

/** The owner of themes and sessions: an app on one syndicate. */
export type Owner = { readonly app: Id<'app'>; readonly syndicate: Id<'syndicate'> }

export type JoinTheme = Appearance & {
  readonly id: Id<'joinTheme'>
  readonly version: number
  readonly name: string
  readonly created_at: WorldTime
}

const SHOWN = 'id, version, name, accent, paper, ink, corners, created_at'

const INSERT = statement(
  'join_themes.insert',
  `insert into join_themes (id, version, app_id, syndicate_id, name, accent, paper, ink, corners)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

export async function insertTheme(
  tx: Tx,
  { app, syndicate }: Owner,
  theme: Omit<JoinTheme, 'created_at'>,
): Promise<void> {
  const { id, version, name, accent, paper, ink, corners } = theme
  await tx.run(INSERT, [id, version, app, syndicate, name, accent, paper, ink, corners])
}

const THEME_FIND = statement<JoinTheme>(
  'join_themes.find',
  `select ${SHOWN} from join_themes
    where syndicate_id = $1 and app_id = $2 and id = $3 and ($4::int is null or version = $4)
    order by version desc limit 1`,
)

/** The given version, or the newest. Null for a theme of another owner. */
export async function findTheme(
  queries: WorldQueries,
  { app, syndicate }: Owner,
  { id, version }: { readonly id: Id<'joinTheme'>; readonly version?: number | undefined },
): Promise<JoinTheme | null> {
  return queries.maybeOne(THEME_FIND, [syndicate, app, id, version ?? null])
}

const LOCK = statement<{ id: Id<'joinTheme'> }>(
  'join_themes.lock',
  'select id from join_themes where syndicate_id = $1 and app_id = $2 and id = $3 and version = 1 for no key update',
)

/**
 * Locks the theme's first version, so that concurrent requests create versions one after the other. False for a theme
 * of another owner.
 */
export async function lockTheme(tx: Tx, { app, syndicate }: Owner, id: Id<'joinTheme'>): Promise<boolean> {
  return (await tx.maybeOne(LOCK, [syndicate, app, id])) !== null
}

const THEME_LIST = statement<JoinTheme>(
  'join_themes.list',
  `select distinct on (id) ${SHOWN} from join_themes
    where syndicate_id = $1 and app_id = $2 order by id, version desc`,
)

/** Each theme in its newest version, the oldest theme first. */
export async function listThemes(queries: WorldQueries, { app, syndicate }: Owner): Promise<readonly JoinTheme[]> {
  return queries.many(THEME_LIST, [syndicate, app])
}

const LOCK_SYNDICATE = statement<{ id: Id<'syndicate'> }>(
  'join_themes.lock_syndicate',
  'select id from syndicates where id = $1 for no key update',
)

/** Locks the syndicate, so that two concurrent requests cannot exceed the maximum of themes. */
export async function lockSyndicateOfThemes(tx: Tx, syndicate: Id<'syndicate'>): Promise<void> {
  await tx.one(LOCK_SYNDICATE, [syndicate])
}

type Row = Omit<PersonAtSyndicate, 'automatic' | 'invited' | 'invitedSinceRemoval'> & {
  readonly membership: MembershipState | null
  readonly membershipAt: WorldTime | null
}

/**
 * The syndicate's requirements and the person's data. The country comes from the legal address. If that address has none, the
 * country of the profile is used, which apps may change. Other modules own these tables; this module only reads them.
 */
const FACTS = statement<Row>(
  'join_sessions.person_at_syndicate',
  `select s.launched, s.membership_open as "membershipOpen", s.requires_accreditation as "requiresAccreditation",
          u.accreditation <> 'none' as accredited, s.member_countries as countries,
          coalesce(nullif(btrim(u.address ->> 'country'), ''), u.country) as country,
          s.fund_required as "fundRequired", s.syndicate_type is not null as fund,
          coalesce((select sum(i.amount_cents) from investments i
                     where i.investor_id = u.id and i.company_id = s.primary_fund_company_id
                       and i.status in ('active', 'executed')), 0)
            >= greatest(1, case when (s.fund_terms ->> 'require_minimum_investment')::boolean
                                then (s.fund_terms ->> 'minimum_investment_amount_cents')::bigint end) as invested,
          m.status as membership, m.last_occurred_at as "membershipAt"
     from syndicates s cross join users u
     left join memberships m on m.syndicate_id = s.id and m.user_id = u.id
    where s.id = $1 and u.id = $2`,
)

export async function personAtSyndicate(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  user: Id<'user'>,
): Promise<PersonAtSyndicate> {
  const { membershipAt, ...facts } = await queries.one(FACTS, [syndicate, user])
  const { automatic } = await joiningRules(queries, syndicate, user)
  const invitation = await findInvitationOf(queries, syndicate, user)
  const invitedSinceRemoval = invitation !== null && membershipAt !== null && invitation.last_invited_at > membershipAt
  return { ...facts, country: countryCode(facts.country), automatic, invited: invitation !== null, invitedSinceRemoval }
}

const NAME = statement<{ name: string | null }>('join_sessions.user_name', 'select name from users where id = $1')

/** The name that the app sees in `user`. */
export async function userName(queries: WorldQueries, user: Id<'user'>): Promise<string | null> {
  return (await queries.maybeOne(NAME, [user]))?.name ?? null
}

/** A session with the fields of its page, including those of the syndicate. */
export type PageSession = {
  readonly id: Id<'joinSession'>
  readonly status: JoinSessionState
  readonly expiresAt: WorldTime
  /** The time is past expires_at, but no worker has recorded the expiry yet. */
  readonly due: boolean
  readonly userId: Id<'user'> | null
  readonly ineligibleReason: IneligibleReason | null
  readonly appId: Id<'app'>
  readonly returnUrl: string | null
  readonly frameOrigins: readonly string[] | null
  readonly appearance: Appearance | null
  /** Whether the session's app may still send people to the syndicate. */
  readonly app_has_access: boolean
  /** Whether the app can read members with their email addresses, by its own installation or by a manager's connection. */
  readonly readsMembers: boolean
  readonly now: WorldTime
  readonly syndicate: {
    readonly id: Id<'syndicate'>
    readonly name: string
    readonly tagline: string | null
    readonly managers: readonly string[]
  }
}

type SessionRow = Omit<PageSession, 'syndicate' | 'appearance' | 'readsMembers'> & {
  readonly appearance: string | null
  readonly scopes: string[]
  readonly syndicateId: Id<'syndicate'>
  readonly name: string
  readonly tagline: string | null
  readonly managers: string[]
}

const JOIN_PAGE_FIND = statement<SessionRow>(
  'join_sessions.page',
  `select j.id, case when due then 'expired' else j.status end as status, j.expires_at as "expiresAt", due,
          j.user_id as "userId", j.ineligible_reason as "ineligibleReason", j.app_id as "appId",
          j.return_url as "returnUrl", j.frame_origins as "frameOrigins", j.appearance,
          ${APP_HAS_ACCESS} as app_has_access,
          array(select unnest(i.scopes) from installations i
                 where i.app_id = j.app_id and i.state = 'active'
                   and (i.syndicate_id = s.id
                        or exists (select from syndicate_managers g
                                    where g.syndicate_id = s.id and g.user_id = i.user_id))) as scopes,
          world_now() as now, s.id as "syndicateId", s.name, s.tagline,
          array(select u.name::text from syndicate_managers m join users u on u.id = m.user_id
                 where m.syndicate_id = s.id and u.name is not null
                 order by m.permission, m.started_at, u.id limit 5) as managers
     from join_sessions j
    cross join lateral (select j.status in ('open', 'pending_approval') and j.expires_at <= world_now() as due) as time
     join syndicates s on s.id = j.syndicate_id
    where j.id = $1 and j.app_id is not null`,
)

/** Null for an unknown session, and for a session that no app created. */
export async function findPageSession(queries: WorldQueries, id: Id<'joinSession'>): Promise<PageSession | null> {
  const row = await queries.maybeOne(JOIN_PAGE_FIND, [id])
  if (row === null) return null
  const { scopes, syndicateId, name, tagline, managers, appearance, ...session } = row
  return {
    ...session,
    appearance: appearance === null ? null : JSON.parse(appearance),
    readsMembers: closure(scopes).has('read:syndicates'),
    syndicate: { id: syndicateId, name, tagline, managers },
  }
}
