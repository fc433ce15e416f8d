import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** The fields given are keys of the object, a null among them empties its column. */
const CHANGE = statement<{ id: Id<'investment'> }>(
  'investments.change_details',
  `with given as (select $2::jsonb as fields),
   changed as (
     update investments
     set entity_name = case when fields ? 'entity_name' then fields ->> 'entity_name' else entity_name end,
         message = case when fields ? 'message' then fields ->> 'message' else message end,
         external_username = case when fields ? 'external_username' then fields ->> 'external_username'
                                  else external_username end,
         contracts = case when fields ? 'contracts' then fields -> 'contracts' else contracts end,
         shares = case when fields ? 'shares' then (fields ->> 'shares')::numeric else shares end,
         average_share_price = case when fields ? 'average_share_price'
                                    then (fields ->> 'average_share_price')::numeric else average_share_price end
     from given
     where investments.id = $1
     returning investments.id)
   insert into investment_changes (kind, id) select 'investment', id from changed returning id`,
)

export async function writeDetails(tx: Tx, id: Id<'investment'>, fields: object): Promise<void> {
  await tx.one(CHANGE, [id, JSON.stringify(fields)])
}

const DEACTIVATED = statement<{ deactivated: boolean }>(
  'investments.investor_deactivated',
  'select deactivated_at is not null as deactivated from users where id = $1',
)

export async function isDeactivated(tx: Tx, investor: Id<'user'>): Promise<boolean> {
  return (await tx.one(DEACTIVATED, [investor])).deactivated
}
