import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { DirectoryEntry, MemberProfile } from './directory.ts'

type EntryRow = Omit<DirectoryEntry, 'profile' | 'private_tags' | `${string}_discount_percentage`> & {
  readonly carry_discount_percentage: string | null
  readonly management_fee_discount_percentage: string | null
  readonly profile: string
  readonly private_tags: string[]
}

const READ = statement<EntryRow>(
  'directory.read',
  `select title, sort_order, public_on_syndicate_profile, carry_percentage_override, carry_discount_percentage,
          management_fee_discount_percentage, profile, private_tags
     from memberships where id = $1`,
)

/** Of a membership that the caller has locked. */
export async function readEntry(tx: Tx, id: Id<'membership'>): Promise<DirectoryEntry> {
  const row = await tx.one(READ, [id])
  return {
    ...row,
    carry_discount_percentage: percent(row.carry_discount_percentage),
    management_fee_discount_percentage: percent(row.management_fee_discount_percentage),
    profile: JSON.parse(row.profile) as MemberProfile,
  }
}

/** The size is what the database counts, so the database is asked: a refusal here is no failed transaction. */
const UPDATE = statement(
  'directory.update',
  `update memberships
      set title = $2, sort_order = $3, public_on_syndicate_profile = $4, carry_percentage_override = $5,
          carry_discount_percentage = $6, management_fee_discount_percentage = $7, profile = $8::jsonb,
          private_tags = $9, updated_at = greatest(updated_at, $10::timestamptz)
    where id = $1 and octet_length($8::jsonb::text) <= 20000`,
)

/** False when the profile is too large. */
export async function updateEntry(
  tx: Tx,
  { id, entry, at }: { id: Id<'membership'>; entry: DirectoryEntry; at: WorldTime },
): Promise<boolean> {
  const written = await tx.run(UPDATE, [
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

/** False when it was so already. */
export async function setHidden(
  tx: Tx,
  { id, hidden, at }: { id: Id<'membership'>; hidden: boolean; at: WorldTime },
): Promise<boolean> {
  return (await tx.run(SET_HIDDEN, [id, hidden, at])) === 1
}

/** numeric arrives as text; two decimals of at most a hundred are exact enough as a number. */
export function percent(text: string | null): number | null {
  return text === null ? null : Number(text)
}
