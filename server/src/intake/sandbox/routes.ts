import { type Static, Type } from 'typebox'
import { readClient } from '#access/apps/index.ts'
import { InstallationSchema, installationRecord, installTargetOf } from '#access/installations/http.ts'
import { installApp } from '#access/installations/index.ts'
import type { Occasion } from '#events/index.ts'
import { settlingJoinSessions } from '#hosted/sessions/index.ts'
import { inSandbox, operator } from '#http/access.ts'
import type { Route } from '#http/route.ts'
import { exactly, idOf, nullable, oneOf } from '#http/schema-fields.ts'
import { notFound, UnknownReference } from '#kernel/errors.ts'
import { type Id, parseClientId } from '#kernel/ids.ts'
import { cancelOffering } from '#market/investments/index.ts'
import { closeOffering, OFFERING_STATES, openOffering, readOffering, startClosing } from '#market/offerings/index.ts'
import {
  approveApplication,
  declineApplication,
  failPayment,
  joinSyndicate,
  leaveSyndicate,
  type MovedMembership,
  removeMember,
  withdrawApplication,
} from '#market/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { clockRoutes } from './clock-routes.ts'
import { investmentRoutes, referralRoutes } from './investment-routes.ts'
import { investmentSessionRoutes } from './investment-session-routes.ts'
import { joinSessionRoutes } from './join-session-routes.ts'
import { MOVE_ACCESS, moves, operationOf, playRoute, type SandboxSettings, step, stepWith } from './play-route.ts'
import { actingManager, Membership, Resource, showMembership, showUser, Time, User } from './records.ts'
import { syndicateRoutes } from './syndicate-routes.ts'

const NewSandboxInstallation = exactly(
  {
    client_id: Type.String({ minLength: 1, maxLength: 100, description: 'A test key of the app, `pk_test_…`.' }),
    target_type: oneOf(['company', 'syndicate']),
    target_id: Type.String({ minLength: 1, maxLength: 100, examples: ['co_0V3xkQ2b9TzQ4mYcW8sLr7Hp'] }),
    user: idOf('user', 'The person who installs the app: a person who runs the company or manages the syndicate.'),
  },
  'NewSandboxInstallation',
)

/**
 * Simulates an install on the install page. Only the operator may call it, because an installation can read records, and even in
 * the test world only people decide what a token may read.
 */
const installationRoutes: readonly Route[] = [
  playRoute({
    operation: operationOf('installation', 'create'),
    path: '/installations',
    summary: 'Create a sandbox installation',
    description:
      'The user installs the app on a company that they run or a syndicate that they manage, with everything that the app declares and they may grant. The app gets no token here: it mints one with its server key.',
    access: inSandbox(operator('support', 'partner')),
    body: NewSandboxInstallation,
    record: InstallationSchema,
    status: 201,
    play: async (tx, { body: { client_id, target_type, target_id, user } }, occasion) => {
      const key = parseClientId(client_id)
      const client = key === null ? null : await readClient(tx, key.id)
      if (client === null) throw notFound('the client id is not a key of this world')
      const target = installTargetOf(target_type, target_id)
      const install = { keyId: client.keyId, appId: client.appId, userId: user, target, scopes: null, tier: null }
      const { installation } = await installApp(tx, install, { ...occasion, onRevoked: [] })
      return installationRecord(installation)
    },
  }),
]

/** All sandbox routes: they trigger platform changes in the test world. */
export function sandboxRoutes(settings: SandboxSettings): Route[] {
  return [
    ...investmentRoutes(settings),
    ...userRoutes(settings),
    ...referralRoutes(settings.referrals),
    ...offeringRoutes,
    ...syndicateRoutes,
    ...membershipRoutes,
    ...joinSessionRoutes,
    ...investmentSessionRoutes(settings),
    ...installationRoutes,
    ...clockRoutes,
  ]
}

const userRoutes = ({ forgetUser }: SandboxSettings): readonly Route[] =>
  moves(
    { of: 'user', plural: 'users', access: MOVE_ACCESS.person, record: User, show: showUser },
    {
      deactivate: step(
        {
          summary: 'Deactivate a user',
          description: 'Deactivates a user. Everything that identifies them is erased for good.',
        },
        (tx, { id }, occasion) => forgetUser(tx, id, occasion),
      ),
    },
  )

const Offering = Resource(
  { kind: 'offering', type: 'offering', title: 'SandboxOffering' },
  {
    company: idOf('company'),
    status: oneOf(OFFERING_STATES),
    testing_the_waters: Type.Boolean(),
    currency: Type.String(),
    opens_at: nullable(Time),
    closes_at: nullable(Time),
    closed_at: nullable(Time),
    canceled_at: nullable(Time),
  },
)

const offeringRoutes: readonly Route[] = moves(
  { of: 'offering', plural: 'offerings', access: MOVE_ACCESS.platform, record: Offering, show: showOffering },
  {
    open: step(
      {
        summary: 'Open an offering',
        description: 'Opens an offering. It accepts investments, or reservations while it tests the waters.',
      },
      openOffering,
    ),
    closing: step(
      { summary: 'Start closing an offering', description: 'The offering stops accepting investments.' },
      startClosing,
    ),
    close: step(
      { summary: 'Close an offering', description: 'Closes an offering. Its funds are disbursed.' },
      closeOffering,
    ),
    cancel: step(
      { summary: 'Cancel an offering', description: 'Cancels an offering and every investment in it.' },
      cancelOffering,
    ),
  },
)

async function showOffering(tx: Tx, id: Id<'offering'>) {
  const offering = await readOffering(tx, id)
  if (offering === null) throw new UnknownReference('id', id)
  const { company, status, testing_the_waters, currency, opens_at, closes_at, closed_at, canceled_at } = offering
  const dates = { opens_at, closes_at, closed_at, canceled_at }
  return { id, type: 'offering' as const, attributes: { company, status, testing_the_waters, currency, ...dates } }
}

const Approval = exactly({ approved_by: Type.Optional(idOf('user')) }, 'SandboxApproval')

const membershipRoutes: readonly Route[] = moves(
  { of: 'membership', plural: 'memberships', access: MOVE_ACCESS.person, record: Membership, show: showMembership },
  {
    approve: stepWith(
      {
        summary: 'Approve a membership application',
        description: 'Approves an application. Except in fund syndicates, the applicant becomes a member at once.',
      },
      Approval,
      approve,
    ),
    join: step(
      {
        summary: 'Join a syndicate',
        description:
          'The person becomes a member, if they were approved or invited, if they return, or if no approval is needed.',
      },
      settling(joinSyndicate),
    ),
    leave: step(
      { summary: 'Leave a syndicate', description: 'The member resigns from the syndicate.' },
      leaveSyndicate,
    ),
    remove: step({ summary: 'Remove a member', description: 'A manager removes the member.' }, removeMember),
    fail_payment: step(
      {
        summary: 'Fail a membership payment',
        description: 'The member’s payment fails. The approval stays, and the member has to invest again.',
      },
      failPayment,
    ),
    decline: step(
      { summary: 'Decline a membership application', description: 'A manager declines the application.' },
      settling(declineApplication),
    ),
    withdraw: step(
      { summary: 'Withdraw a membership application', description: 'The applicant withdraws the application.' },
      settling(withdrawApplication),
    ),
  },
)

type Named = { readonly id: Id<'membership'> }
type Decide<Input extends Named> = (tx: Tx, input: Input, occasion: Occasion) => Promise<MovedMembership>

/** Also ends join sessions that wait for this application, because no separate fact reports their end. */
function settling<Input extends Named>(decide: Decide<Input>): Decide<Input> {
  return (tx, input, occasion) => {
    const decision = { membershipId: input.id, decide: () => decide(tx, input, occasion) }
    return settlingJoinSessions(tx, decision, occasion)
  }
}

async function approve(
  tx: Tx,
  { id, approved_by }: Named & Static<typeof Approval>,
  occasion: Occasion,
): Promise<MovedMembership> {
  const { syndicate } = (await showMembership(tx, id)).attributes
  const approvedBy = await actingManager(tx, syndicate, { field: 'approved_by', user: approved_by })
  return settling(approveApplication)(tx, { id, approvedBy }, occasion)
}
