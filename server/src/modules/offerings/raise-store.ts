import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

type RaiseRow = { readonly company_id: Id<'company'>; readonly currency: string }

const INSERT_RAISE = statement(
  'offerings.insert_raise',
  'insert into raises (id, company_id, currency, created_at) values ($1, $2, $3, $4) on conflict (id) do nothing',
)
const FIND_RAISE = statement<RaiseRow>('offerings.find_raise', 'select company_id, currency from raises where id = $1')

/** Makes the raise unless it is there; the second statement sees the one that somebody else made just now. */
export async function ensureRaise(
  tx: Tx,
  { id, company, currency }: { readonly id: Id<'raise'>; readonly company: Id<'company'>; readonly currency: string },
  createdAt: WorldTime,
): Promise<RaiseRow> {
  await tx.run(INSERT_RAISE, [id, company, currency, createdAt])
  return tx.one(FIND_RAISE, [id])
}
