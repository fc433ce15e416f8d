import { signInAddress } from '#http/browser/return-to.ts'
import { ApiError, type ErrorType } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { lockActiveUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { awaitApproval } from '../await-approval.ts'
import { completeJoinSession } from '../complete-join-session.ts'
import { expireJoinSession, markIneligible } from '../end-join-session.ts'
import type { JoinSessionState } from '../join-session-states.ts'
import { lockJoinSession } from '../join-session-store.ts'
import { endingOthersToo } from '../settle-join-sessions.ts'
import { signIn } from '../sign-in.ts'
import { joinAddress } from './addresses.ts'
import { type Answer, away } from './answer.ts'
import { type Arrived, arrive, type JoinPageDeps } from './arrive.ts'
import { CONTINUE } from './continue-page.ts'
import { type Way, wayOf } from './eligibility.ts'
import { personAtSyndicate } from './person-store.ts'
import { returnAnswer } from './return-answer.ts'
import { findPageSession, type PageSession } from './session-store.ts'
import { pageFor } from './show.ts'
import type { Visit } from './visit.ts'

export type Deciding = Visit & {
  /** What the page said would happen when the button was pressed. */
  readonly body: { readonly way: string }
}

/** Carries out what a page’s button says. The first page’s sets the session’s user, every later one needs it set. */
export async function decideJoin(deps: JoinPageDeps, visit: Deciding): Promise<Answer> {
  const arrival = await arrive(deps, visit)
  if ('answer' in arrival) return arrival.answer
  const { arrived } = arrival
  if (arrived.person === null) return away(signInAddress(joinAddress(arrived.link)))
  const done = await finish(deps, arrived, { way: visit.body.way, cause: visit.requestId })
  if (done !== null) return afterwards(arrived, done)
  const again = await arrive(deps, visit)
  return 'answer' in again ? again.answer : pageFor(deps, visit, { arrived: again.arrived, pressed: true })
}

function afterwards({ session, link }: Arrived, status: JoinSessionState): Answer {
  const goesOn = status === 'open' || session.returnUrl === null
  return away(goesOn ? joinAddress(link) : returnAnswer(session.returnUrl, session.id, status))
}

/** What somebody else changed at this very moment: the next look says what. */
const LOOK_AGAIN: ReadonlySet<ErrorType> = new Set(['illegal_transition', 'validation_error', 'not_found'])

type Pressed = { readonly way: string; readonly cause: string }

/** How the session stands now; null where what was pressed is not what would happen, and nothing was done. */
async function finish(deps: JoinPageDeps, arrived: Arrived, pressed: Pressed): Promise<JoinSessionState | null> {
  const { person, world, session } = arrived
  if (person === null) return null
  try {
    return await deps.databases[world].transaction((tx) =>
      finishAs(tx, { id: session.id, userId: person.userId, ...pressed }),
    )
  } catch (error) {
    if (error instanceof ApiError && LOOK_AGAIN.has(error.type)) return null
    throw error
  }
}

type Finishing = Pressed & { readonly id: Id<'joinSession'>; readonly userId: Id<'user'> }

/** The person and the session are locked before they are looked at, in the order everybody keeps. */
async function finishAs(tx: Tx, { id, userId, way: shown, cause }: Finishing): Promise<JoinSessionState | null> {
  await lockActiveUser(tx, 'user', userId)
  await lockJoinSession(tx, id)
  const session = await findPageSession(tx, id)
  if (session === null || !session.stands) return null
  if (session.due) {
    await expireJoinSession(tx, { id }, { cause: 'clock', occurredAt: session.expiresAt, caused: [] })
    return null
  }
  if (session.status !== 'open') return null
  if (shown === CONTINUE) {
    await signIn(tx, { id, userId }, { cause, occurredAt: session.now, caused: [] })
    return 'open'
  }
  if (session.userId !== userId) return null
  const way = wayOf(await personAtSyndicate(tx, session.syndicate.id, userId))
  return way === shown ? act(tx, session, { way, userId, cause }) : null
}

type Acting = { readonly way: Way; readonly userId: Id<'user'>; readonly cause: string }

async function act(tx: Tx, { id, now }: PageSession, { way, userId, cause }: Acting): Promise<JoinSessionState> {
  const occasion = { cause, occurredAt: now, caused: [] }
  switch (way) {
    case 'join':
    case 'member':
      // Who is a member now waits in no other session either.
      await endingOthersToo(
        tx,
        { id, which: 'all', end: () => completeJoinSession(tx, { id, userId }, occasion) },
        occasion,
      )
      return 'joined'
    case 'apply':
    case 'applied':
      await awaitApproval(tx, { id, userId }, occasion)
      return 'pending_approval'
    default:
      await markIneligible(tx, { id, reason: way, userId }, occasion)
      return 'ineligible'
  }
}
