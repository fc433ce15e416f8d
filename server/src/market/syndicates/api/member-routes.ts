import { type Static, Type } from 'typebox'
import { openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, line, nullable, oneOf } from '#http/schema-fields.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { mailInvitation } from '../invitation-mail.ts'
import { PERMISSIONS } from '../syndicate.ts'
import {
  type Act,
  approve,
  changeEntry,
  decline,
  demote,
  hide,
  invite,
  promote,
  requireMember,
  resendInvite,
  restore,
  withdrawInvite,
} from './act-on-member.ts'
import { MEMBER_ROLES, MEMBER_SORTS, sortOf } from './directory-store.ts'
import {
  forManagers,
  managerOf,
  occasionOf,
  requireActor,
  requireRank,
  type SyndicateRouteDeps,
} from './manager-access.ts'
import { type MemberFilters, memberPage, type Place } from './member-page-store.ts'
import { Email, MemberList, memberRecord, OfMember, OfSyndicate, OneMember } from './member-record.ts'

const NewInvitation = exactly(
  {
    email: Email,
    name: Type.Optional(line(200)),
    syndicate_permission: Type.Optional(
      oneOf(PERMISSIONS, 'The permission that the invitation names; joining does not grant it. Default: operator.'),
    ),
  },
  'NewSyndicateInvitation',
)

const MemberChanges = exactly(
  {
    member: exactly({
      title: Type.Optional(nullable(line(200))),
      carry_percentage_override: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 100 }))),
    }),
  },
  'SyndicateMemberChanges',
)

/** Routes to list, invite and change the members of a syndicate. */
export const memberRoutes = (deps: SyndicateRouteDeps): Route[] => [
  route({
    operation: 'listSyndicateMembers',
    method: 'GET',
    path: '/syndicates/:syndicate_id/members',
    summary: 'List syndicate members',
    description: 'Returns the members of a syndicate, its applicants and the people who were invited.',
    tag: 'Syndicates',
    access: forManagers('read:syndicates'),
    schema: { params: OfSyndicate, query: MembersQuery, response: { 200: MemberList } },
    handler: async ({ db, caller, params: { syndicate_id: syndicateId }, query }) => {
      await managerOf(db.reads, caller, syndicateId)
      return { status: 200, body: await listMembers(deps, db.reads, { syndicateId, query }) }
    },
  }),
  route({
    operation: 'inviteSyndicateMember',
    method: 'POST',
    path: '/syndicates/:syndicate_id/members/invite',
    summary: 'Invite a syndicate member',
    description:
      'Invites an email address to a syndicate. The invitation is mailed at most once an hour. Only the syndicate’s creator can name the permission `full_access`.',
    tag: 'Syndicates',
    action: 'syndicates.member.invited',
    access: forManagers('write:syndicates'),
    schema: { params: OfSyndicate, body: NewInvitation, response: { 201: OneMember } },
    transaction: async ({ tx, caller, params: { syndicate_id: syndicateId }, body, requestId }) => {
      const manager = await managerOf(tx, caller, syndicateId)
      const { email, name, syndicate_permission: permission = 'operator' } = body
      if (permission === 'full_access') requireRank(manager, 'creator')
      const named = { syndicateId, email, permission, ...(name === undefined ? {} : { name }) }
      const inviting = { ...named, invitedBy: requireActor(manager) }
      const memberId = await invite(tx, inviting, await occasionOf(tx, requestId))
      await mailInvitation(tx, deps.invitationMails, { syndicateId, id: memberId })
      const member = await requireMember(tx, { manager, memberId })
      return { status: 201, body: { data: memberRecord(member, deps.origin()) } }
    },
  }),
  route({
    operation: 'updateSyndicateMember',
    method: 'PATCH',
    path: '/syndicates/:syndicate_id/members/:member_id',
    summary: 'Update a syndicate member',
    description: 'Changes a member’s title or carry. Only the fields in the body change; null clears a field.',
    tag: 'Syndicates',
    action: 'syndicates.member.updated',
    access: forManagers('write:syndicates'),
    schema: { params: OfMember, body: MemberChanges, response: { 200: OneMember } },
    transaction: async ({ tx, caller, params, body, requestId }) => {
      const acting = { manager: await managerOf(tx, caller, params.syndicate_id), memberId: params.member_id }
      const occasion = await occasionOf(tx, requestId)
      const { unchanged } = await changeEntry(tx, { ...acting, changes: body.member }, occasion)
      return { status: 200, unchanged, body: { data: memberRecord(await requireMember(tx, acting), deps.origin()) } }
    },
  }),
  route({
    operation: 'removeSyndicateMember',
    method: 'DELETE',
    path: '/syndicates/:syndicate_id/members/:member_id',
    summary: 'Remove a syndicate member',
    description: 'Always rejected with `use_intents`: a member is removed by an intent that a person approves.',
    tag: 'Syndicates',
    action: 'syndicates.member.removed',
    access: forManagers('write:syndicates'),
    schema: {
      params: OfMember,
      response: {},
    },
    handler: async ({ db, caller, params }) => {
      await managerOf(db.reads, caller, params.syndicate_id)
      throw useIntents(params.syndicate_id, params.member_id)
    },
  }),
]

/** "Always 422 with type use_intents: point to POST /intents with syndicates.remove_member. Never deletes." */
function useIntents(syndicate: Id<'syndicate'>, member: Id<'membership'>): ApiError {
  return new ApiError('use_intents', {
    public: 'An app cannot remove a member by itself. It can propose the removal, which a person then approves.',
    remediation: 'POST /intents with the action syndicates.remove_member, and send a manager to its review_url.',
    details: { action: 'syndicates.remove_member', syndicate_id: syndicate, member_id: member },
  })
}

const text = (description: string) => Type.Optional(Type.String({ maxLength: 200, description }))
const yesOrNo = (description: string) => Type.Optional(Type.Boolean({ description }))

const MembersQuery = Type.Object({
  role: Type.Optional(
    oneOf(MEMBER_ROLES, 'If left out: all roles except exiled, resigned, removed, declined and withdrawn.'),
  ),
  permission: Type.Optional(oneOf(PERMISSIONS)),
  search: text('Part of a name or an email address.'),
  sort: text(`One of ${MEMBER_SORTS.join(', ')}. Any other value means directory: the order that managers gave.`),
  has_invested: yesOrNo('Whether the member has invested in any of the syndicate’s selected deals.'),
  accredited: yesOrNo('Whether the member is accredited: verified or self-attested.'),
  tag: text('Part of a tag: what a member can help with.'),
  location: text('Part of a city, state or country. Members who hide their location are not found.'),
  ...pageQuery(),
})

type Deps = { readonly cursors: CursorSealer; readonly origin: () => string }

async function listMembers(
  { cursors, origin }: Deps,
  queries: WorldQueries,
  request: { readonly syndicateId: Id<'syndicate'>; readonly query: Static<typeof MembersQuery> },
) {
  const { syndicateId, query } = request
  const sort = sortOf(query.sort)
  const size = pageSize(query.per_page)
  // A cursor is valid only for the same order of the same syndicate.
  const kind = { kind: `syndicate_members/${queries.world}/${syndicateId}/${sort}`, version: 1 }
  const after = placeOf(openCursor(cursors, kind, query.cursor))
  const rows = await memberPage(queries, syndicateId, { sort, filters: filtersOf(query), after, limit: size + 1 })
  return page({
    rows,
    size,
    item: (row) => memberRecord(row, origin()),
    next: ({ place, id }) => cursors.seal(kind, [place, id]),
  })
}

function placeOf(opened: ReturnType<typeof openCursor>): Place | null {
  return opened === null ? null : { key: String(opened[0]), id: String(opened[1]) }
}

/** An empty text is not a filter. */
function filtersOf(query: Static<typeof MembersQuery>): MemberFilters {
  const { sort: _sort, per_page: _size, cursor: _cursor, ...filters } = query
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))
}

type Action = {
  readonly operation: string
  /** The last segment of the route's path. */
  readonly verb: string
  /** The last part of the name in the manager's activity, such as "approved" in "syndicates.member.approved". */
  readonly recordedAs: string
  readonly summary: string
  readonly description: string
  readonly act: Act
}

/**
 * Actions on one row of the directory. They take no body and return the changed row, or a withdrawn invitation as it
 * was.
 */
export const memberActionRoutes = (deps: SyndicateRouteDeps): Route[] =>
  [
    {
      operation: 'approveSyndicateMember',
      verb: 'approve',
      recordedAs: 'approved',
      summary: 'Approve a membership application',
      description: 'Approves an application. Except in fund syndicates, the applicant becomes a member at once.',
      act: approve(deps.settling),
    },
    {
      operation: 'declineSyndicateMember',
      verb: 'decline',
      recordedAs: 'declined',
      summary: 'Decline a membership application',
      description: 'Closes the application. The person can apply again later.',
      act: decline(deps.settling),
    },
    {
      operation: 'hideSyndicateMember',
      verb: 'hide',
      recordedAs: 'hidden',
      summary: 'Hide a syndicate member',
      description:
        'Hides a member: their role becomes `exiled`, and the list shows them only with `role=exiled`. The membership stays.',
      act: hide,
    },
    {
      operation: 'restoreSyndicateMember',
      verb: 'restore',
      recordedAs: 'restored',
      summary: 'Restore a syndicate member',
      description: 'Shows a hidden member in the directory again.',
      act: restore,
    },
    {
      operation: 'promoteSyndicateMember',
      verb: 'promote',
      recordedAs: 'promoted',
      summary: 'Promote a syndicate member',
      description: 'Gives a member full access. Only the syndicate’s creator can do this.',
      act: promote,
    },
    {
      operation: 'demoteSyndicateMember',
      verb: 'demote',
      recordedAs: 'demoted',
      summary: 'Demote a syndicate manager',
      description:
        'Turns a manager with full access into an operator. Only the creator and managers with full access can do this.',
      act: demote,
    },
    {
      operation: 'resendSyndicateInvite',
      verb: 'resend_invite',
      recordedAs: 'reinvited',
      summary: 'Resend a syndicate invitation',
      description: 'Invites a person again who has not answered yet. The invitation is mailed at most once an hour.',
      act: resendInvite(deps.invitationMails),
    },
    {
      operation: 'withdrawSyndicateInvite',
      verb: 'withdraw_invite',
      recordedAs: 'invite_withdrawn',
      summary: 'Withdraw an invitation',
      description:
        'Takes back an invitation that has no answer yet. The response shows the invitation as it was; it is no longer in the directory.',
      act: withdrawInvite,
    },
  ].map((action) => actionRoute(action, deps.origin))

function actionRoute({ operation, verb, recordedAs, summary, description, act }: Action, origin: () => string): Route {
  return route({
    operation,
    method: 'POST',
    path: `/syndicates/:syndicate_id/members/:member_id/${verb}`,
    summary,
    description,
    tag: 'Syndicates',
    action: `syndicates.member.${recordedAs}`,
    access: forManagers('write:syndicates'),
    schema: { params: OfMember, response: { 200: OneMember } },
    transaction: async ({ tx, caller, params, requestId }) => {
      const acting = { manager: await managerOf(tx, caller, params.syndicate_id), memberId: params.member_id }
      const { unchanged, member } = await act(tx, acting, await occasionOf(tx, requestId))
      return {
        status: 200,
        unchanged,
        body: { data: memberRecord(member ?? (await requireMember(tx, acting)), origin()) },
      }
    },
  })
}
