import { type Static, Type } from 'typebox'
import type { Occasion } from '#events/index.ts'
import { joinSettlingSessions } from '#hosted/sessions/index.ts'
import type { OperationWords, Route } from '#http/route.ts'
import { exactly, idOf, line, nullable } from '#http/schema-fields.ts'
import type { Id } from '#kernel/ids.ts'
import { applyForMembership, inviteMember, type MovedMembership, reinviteMember } from '#market/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { causedEvents, MOVE_ACCESS, operationOf, playRoute } from './play-route.ts'
import { actingManager, Email, Membership, showMembership, Time } from './records.ts'

const Inviting = exactly(
  { email: Email, name: Type.Optional(line(200)), invited_by: Type.Optional(idOf('user')) },
  'SandboxInvite',
)

/** An invitation has no id and only the fields of its event: "Invitations create no membership; they are keyed by email". */
const Invitation = exactly(
  {
    syndicate: idOf('syndicate'),
    email: Type.String(),
    name: Type.String(),
    user: nullable(idOf('user')),
    invited_by: exactly({ id: idOf('user'), name: Type.String() }),
    occurred_at: Time,
  },
  'SandboxInvitation',
)

const Person = exactly({ user: idOf('user') }, 'SandboxPerson')

type Invite = typeof inviteMember
type PersonHere = { readonly syndicateId: Id<'syndicate'>; readonly userId: Id<'user'> }
type Entering = (tx: Tx, person: PersonHere, occasion: Occasion) => Promise<MovedMembership>

export const syndicateRoutes: readonly Route[] = [
  invitation(
    'invite',
    { summary: 'Invite an address', description: 'Invites an email address to a syndicate.' },
    201,
    inviteMember,
  ),
  invitation(
    'reinvite',
    { summary: 'Invite an address again', description: 'Invites an email address to a syndicate again.' },
    200,
    reinviteMember,
  ),
  entering(
    'apply',
    { summary: 'Apply for membership', description: 'A person applies for membership of a syndicate.' },
    applyForMembership,
  ),
  entering(
    'join',
    {
      summary: 'Join a syndicate directly',
      description: 'A person joins a syndicate, if they were invited or no approval is needed.',
    },
    joinSettlingSessions,
  ),
]

function invitation(move: string, words: OperationWords, status: 200 | 201, useCase: Invite): Route {
  return playRoute({
    operation: operationOf('syndicate', move),
    path: `/syndicates/:id/${move}`,
    ...words,
    of: 'syndicate',
    body: Inviting,
    record: Invitation,
    access: MOVE_ACCESS.person,
    status,
    play: async (tx, { id, body: { email, name, invited_by } }, occasion) => {
      const syndicateId = id as Id<'syndicate'>
      const invitedBy = await actingManager(tx, syndicateId, { field: 'invited_by', user: invited_by })
      await useCase(tx, { syndicateId, email, ...(name === undefined ? {} : { name }), invitedBy }, occasion)
      const [event] = (await causedEvents(tx, occasion)).events
      return event?.data as Static<typeof Invitation>
    },
  })
}

function entering(move: string, words: OperationWords, useCase: Entering): Route {
  return playRoute({
    operation: operationOf('syndicate', move),
    path: `/syndicates/:id/${move}`,
    ...words,
    of: 'syndicate',
    body: Person,
    record: Membership,
    access: MOVE_ACCESS.person,
    status: 201,
    play: async (tx, { id, body }, occasion) => {
      const moved = await useCase(tx, { syndicateId: id as Id<'syndicate'>, userId: body.user }, occasion)
      return showMembership(tx, moved.id)
    },
  })
}
