import { Type } from 'typebox'
import type { Occasion } from '#events/index.ts'
import {
  awaitApproval,
  cancelJoinSession,
  completeJoinSession,
  createJoinSession,
  endingOthersToo,
  expireJoinSession,
  INELIGIBLE_REASONS,
  markIneligible,
  rejectJoinSession,
  signIn,
} from '#hosted/sessions/index.ts'
import { idOf, line, nullable, oneOf } from '#http/schema-fields.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { MANAGER, OPERATOR, SYNDICATE } from './examples.ts'
import { type FactType, factType } from './fact-type.ts'
import { Email, HttpUrl, Time, withTimes } from './fields.ts'

const SESSION = 'js_0ExampleNounJoinSess0000' as Id<'joinSession'>
/** More sessions: one awaits approval, the others are open. */
const TO_REJECT = 'js_0ExampleNounToReject0000' as Id<'joinSession'>
const TO_REFUSE = 'js_0ExampleNounToRefuse0000' as Id<'joinSession'>
const TO_CANCEL = 'js_0ExampleNounToCancel0000' as Id<'joinSession'>
const TO_EXPIRE = 'js_0ExampleNounToExpire0000' as Id<'joinSession'>

const WHICH = Type.Object({ id: idOf('joinSession') }, { additionalProperties: false })

const Theme = Type.Object(
  {
    id: line(100),
    version: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
    override_fingerprint: Type.Optional(nullable(line(128))),
  },
  { additionalProperties: false },
)

/**
 * `user` is the person who finished the flow. The field is required if no earlier fact names that person. `membership` is the id
 * for a new membership.
 */
const FINISHED = {
  id: idOf('joinSession'),
  user: Type.Optional(idOf('user')),
  membership: Type.Optional(idOf('membership')),
}

type Finished = {
  readonly id: Id<'joinSession'>
  readonly user?: Id<'user'>
  readonly membership?: Id<'membership'>
}

function finished({ id, user, membership }: Finished) {
  return {
    id,
    ...(user === undefined ? {} : { userId: user }),
    ...(membership === undefined ? {} : { membershipId: membership }),
  }
}

type Named = { readonly id: Id<'joinSession'> }
type End<I extends Named> = (tx: Tx, input: I, occasion: Occasion) => Promise<void>

/** Also ends the join sessions that apps created and that wait for the same application: the host platform does not know them. */
const withOthers =
  <I extends Named>(end: End<I>): End<I> =>
  (tx, input, occasion) =>
    endingOthersToo(tx, { id: input.id, which: 'made_here', end: () => end(tx, input, occasion) }, occasion)

export const joinSessionFacts: readonly FactType[] = [
  factType({
    type: 'join_session.created',
    summary: 'A person started to join a syndicate. The session is open. No event is sent.',
    data: Type.Object(
      {
        id: idOf('joinSession'),
        syndicate: idOf('syndicate'),
        user: Type.Optional(idOf('user')),
        installation: Type.Optional(idOf('installation')),
        theme: Type.Optional(Theme),
        success_url: Type.Optional(HttpUrl),
        metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        expires_at: Time,
      },
      { additionalProperties: false },
    ),
    example: {
      id: SESSION,
      syndicate: SYNDICATE,
      success_url: 'https://partner.example.org/in',
      expires_at: '2099-01-01T00:00:00Z',
    },
    apply: (tx, data, { occasion }) => {
      const { syndicate, user, installation, success_url, expires_at, ...rest } = withTimes(data, 'expires_at')
      const session = {
        ...rest,
        syndicateId: syndicate,
        expiresAt: expires_at,
        ...(user === undefined ? {} : { userId: user }),
        ...(installation === undefined ? {} : { installationId: installation }),
        ...(success_url === undefined ? {} : { successUrl: success_url }),
      }
      return createJoinSession(tx, session, occasion)
    },
  }),
  factType({
    type: 'join_session.signed_in',
    summary: 'The person at an open session signed in. No event.',
    data: Type.Object({ id: idOf('joinSession'), user: idOf('user') }, { additionalProperties: false }),
    example: { id: SESSION, user: OPERATOR },
    apply: (tx, { id, user }, { occasion }) => signIn(tx, { id, userId: user }, occasion),
  }),
  factType({
    type: 'join_session.pending_approval',
    summary:
      'The person finished the flow and a manager’s approval is required: they apply for membership, unless they have ' +
      'applied before.',
    data: Type.Object(FINISHED, { additionalProperties: false }),
    example: { id: SESSION, membership: 'mem_0ExampleNounMember300000' as Id<'membership'> },
    apply: (tx, data, { occasion }) => awaitApproval(tx, finished(data), occasion),
  }),
  factType({
    type: 'join_session.completed',
    summary:
      'The person became a member. This fact also makes the moves of the membership that are still missing (approval, ' +
      'joining), with their events. An application that waits for approval needs approved_by.',
    data: Type.Object(
      { ...FINISHED, approved_by: Type.Optional(idOf('user')), invited_email: Type.Optional(Email) },
      { additionalProperties: false },
    ),
    example: { id: SESSION, approved_by: MANAGER },
    apply: (tx, { approved_by, invited_email, ...data }, { occasion }) =>
      withOthers(completeJoinSession)(
        tx,
        {
          ...finished(data),
          ...(approved_by === undefined ? {} : { approvedBy: approved_by }),
          ...(invited_email === undefined ? {} : { invitedEmail: invited_email }),
        },
        occasion,
      ),
  }),
  factType({
    type: 'join_session.rejected',
    summary: 'A manager rejected a session that awaited approval; the application is declined with it.',
    data: WHICH,
    example: { id: TO_REJECT },
    apply: (tx, data, { occasion }) => withOthers(rejectJoinSession)(tx, data, occasion),
  }),
  factType({
    type: 'join_session.ineligible',
    summary: 'The person at an open session cannot become a member.',
    data: Type.Object(
      { id: idOf('joinSession'), user: Type.Optional(idOf('user')), reason: oneOf(INELIGIBLE_REASONS) },
      { additionalProperties: false },
    ),
    example: { id: TO_REFUSE, reason: 'accreditation_required' },
    apply: (tx, { id, user, reason }, { occasion }) =>
      markIneligible(tx, { id, reason, ...(user === undefined ? {} : { userId: user }) }, occasion),
  }),
  factType({
    type: 'join_session.canceled',
    summary: 'A session was canceled before its completion; an application that awaited approval is withdrawn with it.',
    data: WHICH,
    example: { id: TO_CANCEL },
    apply: (tx, data, { occasion }) => withOthers(cancelJoinSession)(tx, data, occasion),
  }),
  factType({
    type: 'join_session.expired',
    summary:
      'A session expired before its completion. Sessions also expire by themselves at expires_at. An application stays open.',
    data: WHICH,
    example: { id: TO_EXPIRE },
    apply: (tx, data, { occasion }) => expireJoinSession(tx, data, occasion),
  }),
]
