import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { type SqlValue, statement } from '#system/postgres/statement.ts'
import type { MembershipState } from './membership-states.ts'
import { percent } from './store.ts'
import type { DirectoryEntry, Fund, MemberProfile, Permission, SyndicateSettings } from './syndicate.ts'

/**
 * Lock order of the module, and of `sessions` beside it: people, join sessions, memberships, invitations. A syndicate
 * is locked alone, to change its settings; joining reads it without a lock.
 */
const INSERT = statement(
  'syndicates.insert',
  `insert into syndicates (id, name, slug, tagline, description, avatar_url, published, launched, membership_open,
                           auto_approval, auto_accept_accredited_members, requires_accreditation, fund_required,
                           syndicate_type, fund_terms, primary_fund_company_id, created_by, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $18)`,
)

export async function insertSyndicate(
  tx: Tx,
  syndicate: { id: Id<'syndicate'>; settings: SyndicateSettings; createdBy: Id<'user'> | null; at: WorldTime },
): Promise<void> {
  const values = [syndicate.id, ...columnsOf(syndicate.settings), syndicate.createdBy, syndicate.at]
  await tx.run(INSERT, values)
}

type SettingsRow = Omit<SyndicateSettings, 'fund'> & {
  readonly syndicate_type: Fund['type'] | null
  readonly fund_terms: string | null
}

const LOCK = statement<SettingsRow>(
  'syndicates.lock',
  `select name, slug, tagline, description, avatar_url, published, launched, membership_open, auto_approval,
          auto_accept_accredited_members, requires_accreditation, fund_required, syndicate_type, fund_terms,
          primary_fund_company_id as primary_fund_company
     from syndicates where id = $1 and deleted_at is null for no key update`,
)

export async function lockSettings(tx: Tx, id: Id<'syndicate'>): Promise<SyndicateSettings | null> {
  const row = await tx.maybeOne(LOCK, [id])
  if (row === null) return null
  const { syndicate_type, fund_terms, ...settings } = row
  return { ...settings, fund: fundOf(syndicate_type, fund_terms) }
}

const UPDATE = statement(
  'syndicates.update',
  `update syndicates
      set name = $2, slug = $3, tagline = $4, description = $5, avatar_url = $6, published = $7, launched = $8,
          membership_open = $9, auto_approval = $10, auto_accept_accredited_members = $11,
          requires_accreditation = $12, fund_required = $13, syndicate_type = $14, fund_terms = $15,
          primary_fund_company_id = $16, updated_at = greatest(updated_at, $17::timestamptz)
    where id = $1`,
)

export async function updateSettings(
  tx: Tx,
  { id, settings, at }: { id: Id<'syndicate'>; settings: SyndicateSettings; at: WorldTime },
): Promise<void> {
  await tx.run(UPDATE, [id, ...columnsOf(settings), at])
}

/** How a person joins the syndicate. */
export type JoiningRules = {
  /** With a fund: "approved and joined are separate events". */
  readonly fund: boolean
  /** No approval is needed: for everyone, for accredited people, or for managers of the syndicate. */
  readonly automatic: boolean
}

const JOINING_RULES = statement<JoiningRules>(
  'syndicates.joining_rules',
  `select s.syndicate_type is not null as fund,
          s.auto_approval
            or (s.auto_accept_accredited_members and u.accreditation <> 'none')
            or exists (select from syndicate_managers m where m.syndicate_id = s.id and m.user_id = u.id) as automatic
     from syndicates s cross join users u
    where s.id = $1 and u.id = $2`,
)

export async function joiningRules(
  queries: WorldQueries,
  id: Id<'syndicate'>,
  userId: Id<'user'>,
): Promise<JoiningRules> {
  return queries.one(JOINING_RULES, [id, userId])
}

const EXISTS = statement<{ id: Id<'syndicate'> }>(
  'syndicates.exists',
  'select id from syndicates where id = $1 and deleted_at is null',
)

export async function syndicateExists(tx: Tx, id: Id<'syndicate'>): Promise<boolean> {
  return (await tx.maybeOne(EXISTS, [id])) !== null
}

function columnsOf(settings: SyndicateSettings): SqlValue[] {
  const { fund } = settings
  return [
    settings.name,
    settings.slug,
    settings.tagline,
    settings.description,
    settings.avatar_url,
    settings.published,
    settings.launched,
    settings.membership_open,
    settings.auto_approval,
    settings.auto_accept_accredited_members,
    settings.requires_accreditation,
    settings.fund_required,
    fund?.type ?? null,
    fund === null ? null : JSON.stringify({ ...fund, type: undefined }),
    settings.primary_fund_company,
  ]
}

/** What `columnsOf` wrote: the database holds that a type has its terms. */
export function fundOf(type: Fund['type'] | null, terms: string | null): Fund | null {
  return type === null || terms === null ? null : { type, ...JSON.parse(terms) }
}

/** A syndicate as stored. */
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

/** A membership as stored. */
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
