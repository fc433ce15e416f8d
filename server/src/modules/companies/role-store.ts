import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { CompanyRole } from './vocabulary.ts'

/** A person at a company. Their roles there change one at a time: whoever changes one has locked the user's row. */
export type Person = { readonly company: Id<'company'>; readonly user: Id<'user'> }

export type HeldRole = { readonly role: CompanyRole; readonly started_at: WorldTime }

const HELD = statement<HeldRole>(
  'companies.held_roles',
  'select role, started_at from company_people where company_id = $1 and user_id = $2 and ended_at is null',
)

export async function heldRoles(tx: Tx, { company, user }: Person): Promise<HeldRole[]> {
  return tx.many(HELD, [company, user])
}

/** A role that starts again starts afresh. */
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
 * The ledger's to-do list belongs to the module investments, to the right of this one. Whoever becomes or ceases to be
 * an editor must list again, and the ledger gives that moment a position of its own; until then none is known
 * (changed_position). Other changes of roles leave the position alone: what a reader kept from before it stays too old.
 */
const ACCESS_CHANGED = statement(
  'companies.access_changed',
  `with unplaced as (
     update company_people set changed_position = null where company_id = $1 and user_id = $2)
   insert into investment_changes (kind, id, company_id) values ('access', $2, $1)`,
)

export async function noteAccessChange(tx: Tx, { company, user }: Person): Promise<void> {
  await tx.run(ACCESS_CHANGED, [company, user])
}
