import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { type SqlValue, statement } from '#system/postgres/statement.ts'
import type { MembershipState } from './membership-states.ts'
import type { DirectoryEntry, MemberProfile, Permission } from './syndicate.ts'

/** A membership with the columns that its moves need. */
export type MembershipRow = {
  readonly id: Id<'membership'>
  readonly syndicate_id: Id<'syndicate'>
  readonly user_id: Id<'user'>
  readonly status: MembershipState
  readonly approved_by: Id<'user'> | null
  readonly invited_email: string | null
}

const LOCK = statement<MembershipRow>(
  'memberships.lock',
  `select id, syndicate_id, user_id, status, approved_by, invited_email
     from memberships where id = $1 for no key update`,
)

export async function lockMembership(tx: Tx, id: Id<'membership'>): Promise<MembershipRow | null> {
  return tx.maybeOne(LOCK, [id])
}

const LOCK_OF_PERSON = statement<MembershipRow>(
  'memberships.lock_of_person',
  `select id, syndicate_id, user_id, status, approved_by, invited_email
     from memberships where syndicate_id = $1 and user_id = $2 for no key update`,
)

export async function lockMembershipOf(
  tx: Tx,
  syndicateId: Id<'syndicate'>,
  userId: Id<'user'>,
): Promise<MembershipRow | null> {
  return tx.maybeOne(LOCK_OF_PERSON, [syndicateId, userId])
}

const STATUS = statement<{ status: MembershipState }>(
  'memberships.status',
  'select status from memberships where syndicate_id = $1 and user_id = $2',
)

export async function membershipStatus(
  tx: Tx,
  syndicateId: Id<'syndicate'>,
  userId: Id<'user'>,
): Promise<MembershipState | null> {
  return (await tx.maybeOne(STATUS, [syndicateId, userId]))?.status ?? null
}

/** The new state, the time of the move, and the invitation that it answers. */
export type MembershipWrite = MembershipRow & {
  readonly occurredAt: WorldTime
  readonly invitedAt: WorldTime | null
  /** How many events the move causes. Each event is one microsecond later than the one before. */
  readonly events: number
}

/** The times of the move's first and last event; equal if there is one event. */
export type Moments = { readonly first: WorldTime; readonly last: WorldTime }

const RETURNING = `last_occurred_at - ($9::int - 1) * interval '1 microsecond' as first, last_occurred_at as last`

const INSERT = statement<Moments>(
  'memberships.insert',
  `insert into memberships (id, syndicate_id, user_id, status, approved_by, invited_email, joined_at,
                            last_occurred_at, created_at, updated_at)
   select $1, $2, $3, $4, $5, $6, case when $4 = 'member' then at end, at, at, at
     from (select greatest($7::timestamptz, $8::timestamptz + interval '1 microsecond')
                  + ($9::int - 1) * interval '1 microsecond' as at) as moment
   on conflict (id) do nothing
   returning ${RETURNING}`,
)

/** Returns null if the id belongs to another membership. */
export async function insertMembership(tx: Tx, row: MembershipWrite): Promise<Moments | null> {
  return tx.maybeOne(INSERT, valuesOf(row))
}

/** Each event of the membership is at least a microsecond later than the one before: "keep state from the latest occurred_at". */
const UPDATE = statement<Moments>(
  'memberships.update',
  `update memberships m
      set status = $4, approved_by = $5, invited_email = $6, last_occurred_at = moment.at,
          joined_at = case when $4 = 'member' then moment.at else m.joined_at end,
          updated_at = greatest(m.updated_at, moment.at)
     from (select greatest($7::timestamptz, $8::timestamptz + interval '1 microsecond',
                           last_occurred_at + interval '1 microsecond') + ($9::int - 1) * interval '1 microsecond' as at
             from memberships where id = $1) as moment
    where m.id = $1 and m.syndicate_id = $2 and m.user_id = $3
   returning ${RETURNING}`,
)

export async function updateMembership(tx: Tx, row: MembershipWrite): Promise<Moments> {
  return tx.one(UPDATE, valuesOf(row))
}

function valuesOf(row: MembershipWrite): SqlValue[] {
  return [
    row.id,
    row.syndicate_id,
    row.user_id,
    row.status,
    row.approved_by,
    row.invited_email,
    row.occurredAt,
    row.invitedAt,
    row.events,
  ]
}

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

type EntryRow = Omit<DirectoryEntry, 'profile' | 'private_tags' | `${string}_discount_percentage`> & {
  readonly carry_discount_percentage: string | null
  readonly management_fee_discount_percentage: string | null
  readonly profile: string
  readonly private_tags: string[]
}

const READ_ENTRY = statement<EntryRow>(
  'directory.read',
  `select title, sort_order, public_on_syndicate_profile, carry_percentage_override, carry_discount_percentage,
          management_fee_discount_percentage, profile, private_tags
     from memberships where id = $1`,
)

/** The caller has locked the membership. */
export async function readEntry(tx: Tx, id: Id<'membership'>): Promise<DirectoryEntry> {
  const row = await tx.one(READ_ENTRY, [id])
  return {
    ...row,
    carry_discount_percentage: percent(row.carry_discount_percentage),
    management_fee_discount_percentage: percent(row.management_fee_discount_percentage),
    profile: JSON.parse(row.profile) as MemberProfile,
  }
}

/** Compares the size in the statement, as PostgreSQL counts it, because a violated constraint would abort the transaction. */
const UPDATE_ENTRY = statement(
  'directory.update',
  `update memberships
      set title = $2, sort_order = $3, public_on_syndicate_profile = $4, carry_percentage_override = $5,
          carry_discount_percentage = $6, management_fee_discount_percentage = $7, profile = $8::jsonb,
          private_tags = $9, updated_at = greatest(updated_at, $10::timestamptz)
    where id = $1 and octet_length($8::jsonb::text) <= 20000`,
)

/** Returns false if the profile is too large. */
export async function updateEntry(
  tx: Tx,
  { id, entry, at }: { id: Id<'membership'>; entry: DirectoryEntry; at: WorldTime },
): Promise<boolean> {
  const written = await tx.run(UPDATE_ENTRY, [
    id,
    entry.title,
    entry.sort_order,
    entry.public_on_syndicate_profile,
    entry.carry_percentage_override,
    entry.carry_discount_percentage,
    entry.management_fee_discount_percentage,
    JSON.stringify(entry.profile),
    entry.private_tags,
    at,
  ])
  return written === 1
}

const SET_HIDDEN = statement(
  'directory.set_hidden',
  `update memberships set directory_hidden = $2, updated_at = greatest(updated_at, $3::timestamptz)
    where id = $1 and directory_hidden <> $2`,
)

/** Returns false if nothing changed. */
export async function setHidden(
  tx: Tx,
  { id, hidden, at }: { id: Id<'membership'>; hidden: boolean; at: WorldTime },
): Promise<boolean> {
  return (await tx.run(SET_HIDDEN, [id, hidden, at])) === 1
}

/** The driver returns `numeric` as text. Values up to 100 with two decimals are exact enough as a number. */
export function percent(text: string | null): number | null {
  return text === null ? null : Number(text)
}
