import { type Static, Type } from 'typebox'
import type { Occasion } from '#events/index.ts'
import {
  awaitApproval,
  cancelJoinSession,
  completeJoinSession,
  createJoinSession,
  endingOthersToo,
  expireJoinSession,
  INELIGIBLE_REASONS,
  JOIN_SESSION_STATES,
  markIneligible,
  readJoinSession,
  rejectJoinSession,
  signIn,
} from '#hosted/sessions/index.ts'
import type { Route } from '#http/route.ts'
import { exactly, idOf, nullable, oneOf } from '#http/schema-fields.ts'
import { UnknownReference } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { installationOf, MOVE_ACCESS, moves, operationOf, playRoute, step, stepWith } from './play-route.ts'
import { actingManager, EXPIRES_IN_HOURS_DEFAULT, ExpiresInHours, Metadata, Resource, Time } from './records.ts'
import { hoursAfter } from './store.ts'

const IneligibleReason = oneOf(INELIGIBLE_REASONS)

const JoinSession = Resource(
  { kind: 'joinSession', type: 'join_session', title: 'SandboxJoinSession' },
  {
    syndicate: idOf('syndicate'),
    status: oneOf(JOIN_SESSION_STATES),
    ineligible_reason: nullable(IneligibleReason),
    user: nullable(idOf('user')),
    membership: nullable(idOf('membership')),
    installation: nullable(idOf('installation')),
    metadata: Metadata,
    created_at: Time,
    expires_at: Time,
  },
)

/** The response schema selects the fields that are shown. */
async function showJoinSession(tx: Tx, id: Id<'joinSession'>) {
  const session = await readJoinSession(tx, id)
  if (session === null) throw new UnknownReference('id', id)
  const { id: _, ...attributes } = session
  return { id, type: 'join_session' as const, attributes }
}

const NewJoinSession = exactly(
  {
    syndicate: idOf('syndicate'),
    user: Type.Optional(idOf('user')),
    metadata: Type.Optional(Metadata),
    expires_in_hours: ExpiresInHours,
  },
  'SandboxNewJoinSession',
)

const SignIn = exactly({ user: idOf('user') }, 'SandboxSignIn')
const Finish = exactly({ user: Type.Optional(idOf('user')) }, 'SandboxFinish')
const Completion = exactly(
  { user: Type.Optional(idOf('user')), approved_by: Type.Optional(idOf('user')) },
  'SandboxJoinCompletion',
)
const Ineligible = exactly({ reason: IneligibleReason, user: Type.Optional(idOf('user')) }, 'SandboxIneligible')

const createRoute = playRoute({
  operation: operationOf('joinSession', 'create'),
  path: '/join_sessions',
  summary: 'Create a sandbox join session',
  description: 'Creates a join session in the test world, as a partner’s site would.',
  body: NewJoinSession,
  record: JoinSession,
  access: MOVE_ACCESS.person,
  status: 201,
  play: async (tx, { body, caller }, occasion) => {
    const id = newId('joinSession')
    const { syndicate: syndicateId, user, metadata, expires_in_hours = EXPIRES_IN_HOURS_DEFAULT } = body
    const expiresAt = await hoursAfter(tx, occasion.occurredAt, expires_in_hours)
    const session = { id, syndicateId, ...userField(user), ...(metadata && { metadata }), ...installationOf(caller) }
    await createJoinSession(tx, { ...session, expiresAt }, occasion)
    return showJoinSession(tx, id)
  },
})

export const joinSessionRoutes: readonly Route[] = [
  createRoute,
  ...moves(
    {
      of: 'joinSession',
      plural: 'join_sessions',
      access: MOVE_ACCESS.person,
      record: JoinSession,
      show: showJoinSession,
    },
    {
      sign_in: stepWith(
        {
          summary: 'Sign in to a session',
          description:
            'A signed-in person presses “Continue as …” on the first page of the join session, which sets its user.',
        },
        SignIn,
        (tx, { id, user }, occasion) => signIn(tx, { id, userId: user }, occasion),
      ),
      await_approval: stepWith(
        {
          summary: 'Finish a join session’s flow',
          description: 'The person finishes the flow of a join session that a manager must approve.',
        },
        Finish,
        (tx, { id, user }, occasion) => awaitApproval(tx, { id, ...userField(user) }, occasion),
      ),
      complete: stepWith(
        { summary: 'Complete a join session', description: 'The person becomes a member, by approval or directly.' },
        Completion,
        withOthers(complete),
      ),
      reject: step(
        { summary: 'Reject a join session', description: 'A manager rejects the session.' },
        withOthers(rejectJoinSession),
      ),
      mark_ineligible: stepWith(
        {
          summary: 'Mark a person ineligible',
          description: 'The session ends because the person cannot become a member.',
        },
        Ineligible,
        (tx, { id, reason, user }, occasion) => markIneligible(tx, { id, reason, ...userField(user) }, occasion),
      ),
      cancel: step(
        { summary: 'Cancel a sandbox join session', description: 'Cancels the join session.' },
        withOthers(cancelJoinSession),
      ),
      expire: step(
        { summary: 'Expire a join session', description: 'The session expires now, before its expires_at.' },
        expireJoinSession,
      ),
    },
  ),
]

type Named = { readonly id: Id<'joinSession'> }
type End<Input extends Named> = (tx: Tx, input: Input, occasion: Occasion) => Promise<void>

/** Also ends other sessions that wait for the same application, because no separate fact reports their end. */
function withOthers<Input extends Named>(end: End<Input>): End<Input> {
  return (tx, input, occasion) =>
    endingOthersToo(tx, { id: input.id, which: 'all', end: () => end(tx, input, occasion) }, occasion)
}

type Completed = Named & Static<typeof Completion>

/**
 * Completing a session that waits for approval approves the application. In other states, only `approved_by` sets an approver.
 */
async function complete(tx: Tx, { id, user, approved_by }: Completed, occasion: Occasion): Promise<void> {
  const { syndicate, status } = (await showJoinSession(tx, id)).attributes
  const approval =
    approved_by !== undefined || status === 'pending_approval'
      ? { approvedBy: await actingManager(tx, syndicate, { field: 'approved_by', user: approved_by }) }
      : {}
  await completeJoinSession(tx, { id, ...userField(user), ...approval }, occasion)
}

function userField(user: Id<'user'> | undefined): { readonly userId?: Id<'user'> } {
  return user === undefined ? {} : { userId: user }
}
