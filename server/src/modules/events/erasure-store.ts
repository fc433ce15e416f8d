import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

/** What says who the subject is; the name of whoever approved or invited them is another person's and stays. */
const OF_THE_SUBJECT = `'{investor,user,email,name}'::text[]`

const ABOUT = statement(
  'events.erase_about',
  `update events set identity = nullif(identity - ${OF_THE_SUBJECT}, '{}')
   where user_id = $1 and identity is not null`,
)

const SENT_TO = statement(
  'events.erase_sent_to',
  `update events set identity = nullif(identity - ${OF_THE_SUBJECT}, '{}')
   where user_id is null and identity is not null
     and lower((identity ->> 'email') collate "C") in (select lower(each collate "C") from unnest($1::text[]) each)`,
)

const NAMED = statement(
  'events.erase_named',
  `update events set identity = nullif(identity - '{approved_by,invited_by}'::text[], '{}')
   where identity is not null and coalesce(data #>> '{approved_by,id}', data #>> '{invited_by,id}') = $1`,
)

export async function eraseAbout(tx: Tx, user: Id<'user'>): Promise<void> {
  await tx.run(ABOUT, [user])
}

export async function eraseSentTo(tx: Tx, addresses: readonly string[]): Promise<void> {
  await tx.run(SENT_TO, [addresses])
}

export async function eraseNamed(tx: Tx, user: Id<'user'>): Promise<void> {
  await tx.run(NAMED, [user])
}
