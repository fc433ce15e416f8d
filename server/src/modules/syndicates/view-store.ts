import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { DirectoryEntry, MemberProfile } from './directory.ts'
import type { MembershipState } from './membership-states.ts'
import { percent } from './store.ts'
import type { Fund, Permission, SyndicateSettings } from './syndicate.ts'
import { fundOf } from './syndicate-store.ts'

/** What is kept of a syndicate, as it is. */
export type SyndicateView = SyndicateSettings & {
  readonly id: Id<'syndicate'>
  readonly created_by: Id<'user'> | null
  readonly managers: readonly { readonly user: Id<'user'>; readonly permission: Permission }[]
  readonly deals: readonly Id<'offering'>[]
  readonly member_count: number
  readonly created_at: WorldTime
  readonly updated_at: WorldTime
}

type SyndicateRow = Omit<SyndicateView, 'fund' | 'managers'> & {
  readonly syndicate_type: Fund['type'] | null
  readonly fund_terms: string | null
  readonly managers: string
}

const SYNDICATE = statement<SyndicateRow>(
  'syndicates.view',
  `select s.id, s.name, s.slug, s.tagline, s.description, s.avatar_url, s.published, s.launched, s.membership_open,
          s.auto_approval, s.auto_accept_accredited_members, s.requires_accreditation, s.fund_required,
          s.syndicate_type, s.fund_terms, s.primary_fund_company_id as primary_fund_company, s.created_by,
          coalesce((select jsonb_agg(jsonb_build_object('user', m.user_id, 'permission', m.permission)
                                     order by m.user_id collate "C")
                      from syndicate_managers m where m.syndicate_id = s.id), '[]') as managers,
          array(select d.offering_id from syndicate_deals d where d.syndicate_id = s.id order by 1) as deals,
          (select count(*)::int from memberships m where m.syndicate_id = s.id and m.status = 'member') as member_count,
          s.created_at, s.updated_at
     from syndicates s where s.id = $1 and s.deleted_at is null`,
)

export async function readSyndicate(queries: WorldQueries, id: Id<'syndicate'>): Promise<SyndicateView | null> {
  const row = await queries.maybeOne(SYNDICATE, [id])
  if (row === null) return null
  const { syndicate_type, fund_terms, managers, ...rest } = row
  return { ...rest, fund: fundOf(syndicate_type, fund_terms), managers: JSON.parse(managers) }
}

/** What is kept of a membership, as it is. */
export type MembershipView = DirectoryEntry & {
  readonly id: Id<'membership'>
  readonly syndicate: Id<'syndicate'>
  readonly user: Id<'user'>
  readonly status: MembershipState
  readonly approved_by: Id<'user'> | null
  readonly invited_email: string | null
  readonly joined_at: WorldTime | null
  readonly directory_hidden: boolean
  readonly permission: Permission | null
  readonly created_at: WorldTime
  readonly updated_at: WorldTime
}

type MembershipViewRow = Omit<MembershipView, 'profile' | `${string}_discount_percentage`> & {
  readonly profile: string
  readonly carry_discount_percentage: string | null
  readonly management_fee_discount_percentage: string | null
}

const MEMBERSHIP = statement<MembershipViewRow>(
  'memberships.view',
  `select m.id, m.syndicate_id as syndicate, m.user_id as "user", m.status, m.approved_by, m.invited_email,
          m.joined_at, m.title, m.sort_order, m.directory_hidden, g.permission, m.public_on_syndicate_profile,
          m.carry_percentage_override, m.carry_discount_percentage, m.management_fee_discount_percentage,
          m.profile, m.private_tags, m.created_at, m.updated_at
     from memberships m
     left join syndicate_managers g on g.syndicate_id = m.syndicate_id and g.user_id = m.user_id
    where m.id = $1`,
)

export async function readMembership(queries: WorldQueries, id: Id<'membership'>): Promise<MembershipView | null> {
  const row = await queries.maybeOne(MEMBERSHIP, [id])
  if (row === null) return null
  return {
    ...row,
    carry_discount_percentage: percent(row.carry_discount_percentage),
    management_fee_discount_percentage: percent(row.management_fee_discount_percentage),
    profile: JSON.parse(row.profile) as MemberProfile,
  }
}
