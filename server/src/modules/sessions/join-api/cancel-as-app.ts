import { ApiError, notFound } from '#kernel/errors.ts'
import type { Tx } from '#system/postgres/database.ts'
import { cancelJoinSession } from '../end-join-session.ts'
import { lockJoinSession, lockPersonAt } from '../join-session-store.ts'
import { endingOthersToo } from '../settle-join-sessions.ts'
import { nowAndLater } from '../times-store.ts'
import { findSessionRecord, type OwnSession, type SessionRecord } from './record-store.ts'

/** "Before completion". Canceling again is as good as once; what ended otherwise stays as it ended. */
export async function cancelAsApp(tx: Tx, wanted: OwnSession, cause: string): Promise<SessionRecord> {
  await ownSession(tx, wanted)
  await lockPersonAt(tx, wanted.id, null)
  await lockJoinSession(tx, wanted.id)
  const session = await ownSession(tx, wanted)
  if (session.status === 'canceled') return session
  if (session.status !== 'open' && session.status !== 'pending_approval') throw notCancelable(session)
  const { now: occurredAt } = await nowAndLater(tx, 0)
  const occasion = { cause, occurredAt, caused: [] }
  const end = () => cancelJoinSession(tx, wanted, occasion)
  await endingOthersToo(tx, { id: wanted.id, which: 'all', end }, occasion)
  return ownSession(tx, wanted)
}

async function ownSession(tx: Tx, wanted: OwnSession): Promise<SessionRecord> {
  const session = await findSessionRecord(tx, wanted)
  if (session === null) throw notFound(`${wanted.id} is no join session of this app on this syndicate`)
  return session
}

function notCancelable({ status }: SessionRecord): ApiError {
  return new ApiError('session_not_cancelable', {
    public: `This join session is ${status}: it can no longer be canceled.`,
    remediation: 'Read the session for how it ended. A new one can be made.',
    details: { status },
  })
}
