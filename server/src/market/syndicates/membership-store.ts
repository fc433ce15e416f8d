import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { type SqlValue, statement } from '#system/postgres/statement.ts'
import type { MembershipState } from './membership-states.ts'

/** A membership as its moves see it. */
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

/** The state to write, and from when to count the time: what happened, and the invitation it answers. */
export type MembershipWrite = MembershipRow & {
  readonly occurredAt: WorldTime
  readonly invitedAt: WorldTime | null
  /** How many events the move causes: each has a microsecond of its own. */
  readonly events: number
}

/** When the move's events happened: the same time twice where there is one. */
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

/** Null when the id belongs to another membership. */
export async function insertMembership(tx: Tx, row: MembershipWrite): Promise<Moments | null> {
  return tx.maybeOne(INSERT, valuesOf(row))
}

/** Times rise by a microsecond at least, over all events of the membership: "keep state from the latest occurred_at". */
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
