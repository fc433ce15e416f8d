import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { ENDED, type EndedRow, expireText } from './expiry-store.ts'

const GONE = `'{"question":"Something about a person who left","summary":"[erased]","facts":[],"final":"","version":[],
  "asker":{"app":"","organization":"","logo":null,"proposer":null}}'`

/** What they proposed may hold their words, what was proposed about them their name. */
const ERASE = statement(
  'intents.erase_person',
  `update intents
      set params = '{}', shown = ${GONE}::jsonb, impact_summary = '[erased]', requested_by_agent = null
    where user_id = $1 or about_user_id = $1`,
)

const ERASE_REASONS = statement(
  'intents.erase_reasons',
  'update intents set rejection_reason = null where decided_by = $1 or user_id = $1',
)

const PENDING_ABOUT = statement<EndedRow>('intents.expire_about_person', expireText('', 'i.about_user_id = $1'))

/** What waits to be decided about a person: their own ended with their connections. */
export async function expireAbout(tx: Tx, user: Id<'user'>): Promise<EndedRow[]> {
  return tx.many(PENDING_ABOUT, [user])
}

const FAIL_APPROVED = statement<EndedRow>(
  'intents.fail_of_person',
  `update intents i set state = 'failed', failure = 'The person it was about has left.', updated_at = world_now()
    where i.state = 'approved' and (i.user_id = $1 or i.about_user_id = $1)
   returning ${ENDED}`,
)

/** What was approved a moment ago and is not done cannot be done any more: what it was is about to be forgotten. */
export async function failApproved(tx: Tx, user: Id<'user'>): Promise<EndedRow[]> {
  return tx.many(FAIL_APPROVED, [user])
}

/** For a person who leaves. What was proposed and what became of it stays, without them in it. */
export async function erasePerson(tx: Tx, user: Id<'user'>): Promise<void> {
  await tx.run(ERASE, [user])
  await tx.run(ERASE_REASONS, [user])
}
