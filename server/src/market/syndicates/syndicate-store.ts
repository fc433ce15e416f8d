import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { type SqlValue, statement } from '#system/postgres/statement.ts'
import type { Fund, Permission, SyndicateSettings } from './syndicate.ts'

/**
 * Lock order of this module and of the module `sessions`: people, join sessions, memberships, invitations. Changing a syndicate's
 * settings, reordering its directory and deleting a draft lock the syndicate first; joining reads it without a lock.
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
  /** True for a fund syndicate, where "approved and joined are separate events". */
  readonly fund: boolean
  /** True if this person needs no approval, because the syndicate accepts everyone or accredited people, or the person manages it. */
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

/** Converts the two columns of the fund back. A constraint guarantees that a row with a fund type has terms. */
export function fundOf(type: Fund['type'] | null, terms: string | null): Fund | null {
  return type === null || terms === null ? null : { type, ...JSON.parse(terms) }
}

/** The stored fields of a syndicate. */
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

const SET_COUNTRIES = statement(
  'syndicates.set_member_countries',
  `update syndicates set member_countries = $2, updated_at = greatest(updated_at, $3::timestamptz) where id = $1`,
)

export type MemberCountries = { readonly id: Id<'syndicate'>; readonly countries: readonly string[] | null }

/** Returns false if there is no such syndicate. */
export async function writeMemberCountries(
  tx: Tx,
  { id, countries }: MemberCountries,
  at: WorldTime,
): Promise<boolean> {
  return (await tx.run(SET_COUNTRIES, [id, countries, at])) === 1
}

const INSERT_DEAL = statement(
  'syndicates.add_deal',
  `insert into syndicate_deals (syndicate_id, offering_id, added_at) values ($1, $2, $3) on conflict do nothing`,
)

/** Returns false if the syndicate already runs this offering. */
export async function insertDeal(
  tx: Tx,
  deal: { syndicateId: Id<'syndicate'>; offeringId: Id<'offering'>; at: WorldTime },
): Promise<boolean> {
  return (await tx.run(INSERT_DEAL, [deal.syndicateId, deal.offeringId, deal.at])) === 1
}

const DELETE_DEAL = statement(
  'syndicates.remove_deal',
  'delete from syndicate_deals where syndicate_id = $1 and offering_id = $2',
)

/** Returns false if the syndicate did not run this offering. */
export async function deleteDeal(tx: Tx, syndicateId: Id<'syndicate'>, offeringId: Id<'offering'>): Promise<boolean> {
  return (await tx.run(DELETE_DEAL, [syndicateId, offeringId])) === 1
}

const DRAFT_MEMBERS = statement<{ id: Id<'membership'> }>(
  'syndicates.members_of_draft',
  `select id from memberships where syndicate_id = $1 and status = 'member' order by id`,
)

export async function membersOfDraft(tx: Tx, id: Id<'syndicate'>): Promise<Id<'membership'>[]> {
  return (await tx.many(DRAFT_MEMBERS, [id])).map(({ id: one }) => one)
}

const EMPTY_DRAFT = [
  statement('syndicates.managers_of_draft', 'delete from syndicate_managers where syndicate_id = $1'),
  statement('syndicates.invitations_of_draft', 'delete from syndicate_invitations where syndicate_id = $1'),
]

/** Frees the slug, so that a new syndicate may use it. */
const MARK_DELETED = statement(
  'syndicates.delete_draft',
  `update syndicates set deleted_at = $2, updated_at = $2, slug = 'deleted.' || lower(id), membership_open = false
    where id = $1 and not published and not launched and deleted_at is null`,
)

/** Returns false if there is no such draft. */
export async function emptyDraft(tx: Tx, id: Id<'syndicate'>, at: WorldTime): Promise<boolean> {
  if ((await tx.run(MARK_DELETED, [id, at])) === 0) return false
  for (const rows of EMPTY_DRAFT) await tx.run(rows, [id])
  return true
}
