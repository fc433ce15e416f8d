import { closure } from '#access/scopes/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { findInvitationOf, joiningRules, type MembershipState } from '#market/syndicates/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { APP_STANDS } from '../join-api/store.ts'
import type { Appearance, IneligibleReason, JoinSessionState } from '../join-session-states.ts'
import { countryCode, type PersonAtSyndicate } from './eligibility.ts'

type Row = Omit<PersonAtSyndicate, 'automatic' | 'invited' | 'invitedSinceRemoval'> & {
  readonly membership: MembershipState | null
  readonly membershipAt: WorldTime | null
}

/**
 * The syndicate's requirements and the person's data. The country comes from the legal address; the profile's location, which
 * apps may change, counts only without one. Other modules own these tables; they are only read here.
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

/** The name that the app reads in `user`. */
export async function userName(queries: WorldQueries, user: Id<'user'>): Promise<string | null> {
  return (await queries.maybeOne(NAME, [user]))?.name ?? null
}

/** A session with the fields of its page, including those of the syndicate. */
export type PageSession = {
  readonly id: Id<'joinSession'>
  readonly status: JoinSessionState
  readonly expiresAt: WorldTime
  /** Past expires_at, but not moved to `expired` yet. */
  readonly due: boolean
  readonly userId: Id<'user'> | null
  readonly ineligibleReason: IneligibleReason | null
  readonly appId: Id<'app'>
  readonly returnUrl: string | null
  readonly frameOrigins: readonly string[] | null
  readonly appearance: Appearance | null
  /** Whether its app may still send people to the syndicate. */
  readonly stands: boolean
  /** Whether the app can read members with their email addresses, by its installation or for a manager. */
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

const FIND = statement<SessionRow>(
  'join_sessions.page',
  `select j.id, case when due then 'expired' else j.status end as status, j.expires_at as "expiresAt", due,
          j.user_id as "userId", j.ineligible_reason as "ineligibleReason", j.app_id as "appId",
          j.return_url as "returnUrl", j.frame_origins as "frameOrigins", j.appearance,
          ${APP_STANDS} as stands,
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

/** Null if no app created such a session. */
export async function findPageSession(queries: WorldQueries, id: Id<'joinSession'>): Promise<PageSession | null> {
  const row = await queries.maybeOne(FIND, [id])
  if (row === null) return null
  const { scopes, syndicateId, name, tagline, managers, appearance, ...session } = row
  return {
    ...session,
    appearance: appearance === null ? null : JSON.parse(appearance),
    readsMembers: closure(scopes).has('read:syndicates'),
    syndicate: { id: syndicateId, name, tagline, managers },
  }
}
