import { recordInvestmentChange } from '#events/changes/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { gatheredStatement, type SqlValue, statement, withLookups } from '#system/postgres/statement.ts'
import {
  type Company,
  type CompanyKind,
  type CompanyPage,
  type CompanyRole,
  type DisclosureKey,
  editingRole,
  type PastRound,
} from './company.ts'

const INSERT = statement(
  'companies.insert',
  `insert into companies (id, kind, name, slug, tagline, page_url, logo_url, card_image_url, city, state, country,
                          industries, business_models, promotion_opt_in, questions_closed, created_at,
                          updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)`,
)

export async function insertCompany(tx: Tx, company: Company, createdAt: WorldTime): Promise<void> {
  await tx.run(INSERT, [company.id, company.kind, ...columnsOf(company), createdAt])
}

const KIND = gatheredStatement<{ kind: CompanyKind }>(
  'companies.kind',
  'select kind from companies where id = $1',
  `${withLookups('id text')} select caller.at::int, kind from caller join companies c on c.id = caller.id`,
)

export async function findKind(queries: WorldQueries, id: Id<'company'>): Promise<CompanyKind | null> {
  return (await queries.maybeOne(KIND, [id]))?.kind ?? null
}

const LOCK = statement<Company>(
  'companies.lock',
  `select id, kind, name, slug, tagline, page_url, logo_url, card_image_url, city, state, country, industries,
          business_models, promotion_opt_in, questions_closed
   from companies where id = $1 for no key update`,
)

/** Lock order: users, then companies, then the rows that belong to a company. */
export async function lockCompany(tx: Tx, id: Id<'company'>): Promise<Company | null> {
  return tx.maybeOne(LOCK, [id])
}

const UPDATE = statement(
  'companies.update',
  `update companies set name = $2, slug = $3, tagline = $4, page_url = $5, logo_url = $6, card_image_url = $7,
          city = $8, state = $9, country = $10, industries = $11, business_models = $12, promotion_opt_in = $13,
          questions_closed = $14, updated_at = greatest(updated_at, $15)
   where id = $1`,
)

export async function updateCompanyRow(tx: Tx, company: Company, updatedAt: WorldTime): Promise<void> {
  await tx.run(UPDATE, [company.id, ...columnsOf(company), updatedAt])
}

function columnsOf(page: CompanyPage): SqlValue[] {
  return [
    page.name,
    page.slug,
    page.tagline,
    page.page_url,
    page.logo_url,
    page.card_image_url,
    page.city,
    page.state,
    page.country,
    page.industries,
    page.business_models,
    page.promotion_opt_in,
    page.questions_closed,
  ]
}

export type Follow = { readonly user: Id<'user'>; readonly company: Id<'company'> }

const FOLLOW_INSERT = statement(
  'companies.insert_follow',
  'insert into follows (user_id, company_id, followed_at) values ($1, $2, $3) on conflict do nothing',
)

export async function insertFollow(tx: Tx, { user, company }: Follow, followedAt: WorldTime): Promise<boolean> {
  return (await tx.run(FOLLOW_INSERT, [user, company, followedAt])) === 1
}

const DELETE = statement('companies.delete_follow', 'delete from follows where user_id = $1 and company_id = $2')

export async function deleteFollow(tx: Tx, { user, company }: Follow): Promise<boolean> {
  return (await tx.run(DELETE, [user, company])) === 1
}

const PAST_ROUND_DELETE = statement('companies.delete_past_rounds', 'delete from past_rounds where company_id = $1')

const PAST_ROUND_INSERT = statement(
  'companies.insert_past_rounds',
  `insert into past_rounds (company_id, ordinal, exemption, amount_raised_cents, currency, investor_count,
                            opened_at, closed_at)
   select $1, round.ordinal, round.exemption, round.amount_raised_cents, round.currency, round.investor_count,
          round.opened_at, round.closed_at
   from rows from (jsonb_to_recordset($2) as (exemption text, amount_raised_cents bigint, currency text,
                   investor_count integer, opened_at timestamptz, closed_at timestamptz))
     with ordinality as round (exemption, amount_raised_cents, currency, investor_count, opened_at, closed_at, ordinal)`,
)

/** The caller has locked the company; otherwise two lists sent at the same time would mix. */
export async function replacePastRounds(tx: Tx, company: Id<'company'>, rounds: readonly PastRound[]): Promise<void> {
  await tx.run(PAST_ROUND_DELETE, [company])
  await tx.run(PAST_ROUND_INSERT, [company, JSON.stringify(rounds)])
}

/** A person at a company. Their roles there change one at a time: each change locks the user's row first. */
export type Person = { readonly company: Id<'company'>; readonly user: Id<'user'> }

type HeldRole = { readonly role: CompanyRole; readonly started_at: WorldTime }

const HELD = statement<HeldRole>(
  'companies.held_roles',
  'select role, started_at from company_people where company_id = $1 and user_id = $2 and ended_at is null',
)

export async function heldRoles(tx: Tx, { company, user }: Person): Promise<HeldRole[]> {
  return tx.many(HELD, [company, user])
}

/** A role that starts again gets a new start time and no end. */
const START = statement(
  'companies.start_role',
  `insert into company_people (company_id, user_id, role, started_at) values ($1, $2, $3, $4)
   on conflict (company_id, user_id, role)
   do update set started_at = excluded.started_at, ended_at = null`,
)

export async function startRole(tx: Tx, { company, user }: Person, { role, started_at }: HeldRole): Promise<void> {
  await tx.run(START, [company, user, role, started_at])
}

const END = statement(
  'companies.end_role',
  'update company_people set ended_at = $4 where company_id = $1 and user_id = $2 and role = $3',
)

type EndedRole = HeldRole & { readonly ended_at: WorldTime }

export async function endHeldRole(tx: Tx, { company, user }: Person, { role, ended_at }: EndedRole): Promise<void> {
  await tx.run(END, [company, user, role, ended_at])
}

/**
 * When a user gains or loses the right to edit, their cursors become invalid and they must list again. Publishing gives the
 * change a position in the ledger (changed_position); until then the column is null. Other role changes do not change the
 * position, so cursors from before that position stay invalid.
 */
const ACCESS_CHANGED = statement(
  'companies.access_changed',
  'update company_people set changed_position = null where company_id = $1 and user_id = $2',
)

export async function recordAccessChange(tx: Tx, { company, user }: Person): Promise<void> {
  await tx.run(ACCESS_CHANGED, [company, user])
  await recordInvestmentChange(tx, { kind: 'access', id: user, company })
}

/**
 * A user whose access to a company's investments changed. Their cursors for the list of changes of another company stay
 * valid.
 */
export type AccessChange = { readonly user: Id<'user'>; readonly company: Id<'company'> }

/** Only rows with an editing role get the position, because employees see no investments. */
const PLACE_ACCESS = statement(
  'companies.place_access',
  `update company_people p set changed_position = given.position
     from unnest($1::text[], $2::text[], $3::bigint[]) as given (user_id, company_id, position)
    where p.user_id = given.user_id and p.company_id = given.company_id and p.changed_position is null
      and ${editingRole('p.role')}`,
)

/** Gives each change a position of the ledger, from `first` on. */
export async function placeAccessChanges(tx: Tx, changes: readonly AccessChange[], first: number): Promise<void> {
  if (changes.length === 0) return
  await tx.run(PLACE_ACCESS, [
    changes.map(({ user }) => user),
    changes.map(({ company }) => company),
    changes.map((_, place) => first + place),
  ])
}

type Comment = {
  readonly id: Id<'comment'>
  readonly company: Id<'company'>
  /** The parent of an answer or comment; null for a question. */
  readonly parent: Id<'comment'> | null
  readonly author: Id<'user'>
  readonly body: string
  readonly disclosure_key: DisclosureKey | null
  readonly posted_at: WorldTime
}

const COMMENT_INSERT = statement(
  'companies.insert_comment',
  `insert into comments (id, company_id, parent_id, author_id, body, disclosure_key, posted_at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)

export async function insertComment(tx: Tx, comment: Comment): Promise<void> {
  const { id, company, parent, author, body, disclosure_key, posted_at } = comment
  await tx.run(COMMENT_INSERT, [id, company, parent, author, body, disclosure_key, posted_at])
}

const COMPANY = statement<{ company_id: Id<'company'> }>(
  'companies.company_of_comment',
  'select company_id from comments where id = $1 and removed_at is null',
)

/** Returns null if the comment is unknown or removed. A comment never moves to another page, so this needs no lock. */
export async function companyOfComment(tx: Tx, id: Id<'comment'>): Promise<Id<'company'> | null> {
  return (await tx.maybeOne(COMPANY, [id]))?.company_id ?? null
}

export type CommentChanges = {
  readonly id: Id<'comment'>
  readonly body?: string
  readonly highlighted?: boolean
  readonly likes_count?: number
}

const COMMENT_UPDATE = statement(
  'companies.update_comment',
  `update comments set body = coalesce($2, body), highlighted = coalesce($3, highlighted),
          likes_count = coalesce($4, likes_count)
   where id = $1`,
)

export async function updateCommentRow(tx: Tx, changes: CommentChanges): Promise<boolean> {
  const { id, body = null, highlighted = null, likes_count = null } = changes
  return (await tx.run(COMMENT_UPDATE, [id, body, highlighted, likes_count])) === 1
}

const REMOVE = statement(
  'companies.remove_comment',
  `with recursive below as (
     select id from comments where id = $1
     union all
     select reply.id from below join comments reply on reply.parent_id = below.id)
   update comments c set removed_at = coalesce(c.removed_at, $2) from below where c.id = below.id`,
)

/** Removes a comment with everything below it. Returns false if no comment has this id. */
export async function removeCommentRows(tx: Tx, id: Id<'comment'>, removedAt: WorldTime): Promise<boolean> {
  return (await tx.run(REMOVE, [id, removedAt])) > 0
}
