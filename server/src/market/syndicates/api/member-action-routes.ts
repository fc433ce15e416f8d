import { type Route, route } from '#http/route.ts'
import {
  type Act,
  approve,
  decline,
  demote,
  hide,
  promote,
  requireMember,
  resendInvite,
  restore,
  withdrawInvite,
} from './act-on-member.ts'
import { forManagers, managerOf, occasionOf, type SyndicateRouteDeps } from './manager-access.ts'
import { memberRecord, OfMember, OneMember } from './member-record.ts'

type Action = {
  readonly operation: string
  /** The last segment of the path. */
  readonly verb: string
  /** The last part of the name in the manager's activity, such as "approved" in "syndicates.member.approved". */
  readonly recordedAs: string
  readonly summary: string
  readonly description: string
  readonly act: Act
}

/** Actions on one row of the directory. They take no body and return the row afterwards. */
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
      description: 'Removes a member from the directory, where their role becomes `exiled`. The membership stays.',
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
      description: 'Turns a manager with full access into an operator. Only managers with full access can do this.',
      act: demote,
    },
    {
      operation: 'resendSyndicateInvite',
      verb: 'resend_invite',
      recordedAs: 'reinvited',
      summary: 'Resend a syndicate invitation',
      description: 'Invites a person again who has not answered yet. The invitation is mailed once an hour at most.',
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
