import type { Id } from '#kernel/ids.ts'
import { illegalTransition } from '#kernel/state-machine.ts'
import type { Occasion } from '#modules/events/index.ts'
import { lockActiveUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { JOIN_SESSION_MACHINE, type JoinSessionMove, type JoinSessionState } from './join-session-states.ts'
import { setJoinSessionUser } from './join-session-store.ts'
import { lockedJoinSession, personAt, statusAt } from './move-join-session.ts'

/**
 * "user (usr_ id and name once signed in, null before)": a signed-in person pressed "Continue as …" on the session's first page,
 * or the sandbox played it. It is no move and no event, and repeating it changes nothing.
 */
export async function signIn(
  tx: Tx,
  { id, userId }: { readonly id: Id<'joinSession'>; readonly userId: Id<'user'> },
  occasion: Occasion,
): Promise<void> {
  await lockActiveUser(tx, 'user', userId)
  const session = await lockedJoinSession(tx, id)
  const status = await statusAt(tx, session, occasion)
  if (status !== 'open') throw tooLate(status)
  await personAt(tx, session, userId)
  await setJoinSessionUser(tx, id, userId)
}

function tooLate(from: JoinSessionState) {
  type Move = JoinSessionMove | 'sign_in'
  return illegalTransition<JoinSessionState, Move>(JOIN_SESSION_MACHINE, { from, move: 'sign_in' })
}
