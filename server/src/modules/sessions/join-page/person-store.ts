import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { findInvitationOf, joiningRules, type MembershipState } from '#modules/syndicates/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { countryCode } from './country-code.ts'
import type { PersonAtSyndicate } from './eligibility.ts'

type Row = Omit<PersonAtSyndicate, 'automatic' | 'invited' | 'invitedSinceRemoval'> & {
  readonly membership: MembershipState | null
  readonly membershipAt: WorldTime | null
}

/**
 * What the syndicate asks for, and what is known of the person. Where they live is what their legal address says; how they
 * describe themselves, which apps may change for them, counts only where there is none. The rows belong to others, and are
 * only read.
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
