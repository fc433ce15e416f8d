import { type Static, Type } from 'typebox'
import { worldTime } from '#kernel/clock.ts'
import { exactly, fakeId, idOf, Microseconds, oneOf } from './fields.ts'

const Resource = Type.Union([
  exactly({ type: oneOf('syndicate'), id: idOf('syndicate') }),
  exactly({ type: oneOf('company'), id: idOf('company') }),
])

/** What was proposed and what became of it, without anything that a person typed: GET /intents/{id} has the rest. */
function intent<S extends string>(status: S) {
  return exactly({
    id: idOf('intent'),
    action: Type.String({ description: 'As it was proposed, such as syndicates.close_deal.' }),
    status: oneOf(status),
    resource: Resource,
    occurred_at: Microseconds,
  })
}

export const INTENT_DATA = {
  'intent.approved': intent('approved'),
  'intent.rejected': intent('rejected'),
  'intent.expired': intent('expired'),
  'intent.executed': intent('executed'),
  'intent.failed': intent('failed'),
}

type Data = { [N in keyof typeof INTENT_DATA]: Static<(typeof INTENT_DATA)[N]> }

const record = {
  id: fakeId('intent'),
  action: 'syndicates.close_deal',
  resource: { type: 'syndicate' as const, id: fakeId('syndicate') },
  occurred_at: worldTime('2026-01-15T12:00:00.123456Z'),
}

export const INTENT_EXAMPLES: Data = {
  'intent.approved': { ...record, status: 'approved' },
  'intent.rejected': { ...record, status: 'rejected' },
  'intent.expired': { ...record, status: 'expired' },
  'intent.executed': { ...record, status: 'executed' },
  'intent.failed': { ...record, status: 'failed' },
}
