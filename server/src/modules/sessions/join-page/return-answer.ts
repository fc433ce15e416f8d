import { withAnswer } from '#http/pages/return-place.ts'
import type { Id } from '#kernel/ids.ts'
import type { JoinSessionState } from '../join-session-states.ts'

/** What the app's own page hears. It is no proof of anything: that is what reading the session, and events, are for. */
export function returnAnswer(returnUrl: string, id: Id<'joinSession'>, status: JoinSessionState): string {
  return withAnswer(returnUrl, new URLSearchParams({ join_session_id: id, status }))
}
