import { Type } from 'typebox'
import { type Id, idPattern } from '#kernel/ids.ts'
import { lockUser } from '#modules/people/index.ts'
import { endManager, removeMember as removeFromSyndicate } from '#modules/syndicates/index.ts'
import { hexDigestOf } from '#system/crypto/secret.ts'
import { notPossible } from '../refusals.ts'
import type { Shown } from '../shown.ts'
import { action } from './action.ts'
import { findMember, holdMember, type MemberSeen } from './member-store.ts'
import { holdSyndicate } from './syndicate-store.ts'

const MemberParams = Type.Object(
  { member_id: Type.Unsafe<Id<'membership'>>(Type.String({ pattern: idPattern('membership') })) },
  { additionalProperties: false },
)

const refuse = (code: string, message: string) => notPossible({ field: 'params.member_id', code, message })

/** Whoever runs the syndicate, too, stops doing so: nobody runs what they were removed from. */
export const removeMember = action({
  name: 'syndicates.remove_member',
  scope: 'write:syndicates',
  resourceType: 'syndicate',
  params: MemberParams,
  deciders: 'managers',
  look: async (queries, { resourceId, params }) => {
    const member = await findMember(queries, resourceId, params.member_id)
    if (member === null) throw refuse('not_a_member', 'This is nobody’s membership of the syndicate.')
    if (member.status !== 'member') throw refuse('not_a_member', `The membership is ${member.status}, not a member’s.`)
    if (member.permission === 'full_access' && !member.others_run_it) {
      throw refuse('last_manager', 'They alone run the syndicate with full access: somebody else has to, first.')
    }
    return { shown: shownOf(member), aboutUserId: member.user_id }
  },
  hold: async (tx, { resourceId, params }) => {
    const member = await findMember(tx, resourceId, params.member_id)
    if (member !== null) await lockUser(tx, 'member', member.user_id)
    // Two removals at once must not take the last two managers.
    await holdSyndicate(tx, resourceId)
    await holdMember(tx, params.member_id)
  },
  perform: async (tx, { resourceId, params }, { occasion }) => {
    const member = await findMember(tx, resourceId, params.member_id)
    await removeFromSyndicate(tx, { id: params.member_id }, occasion)
    if (member !== null && member.permission !== null) {
      await endManager(tx, { syndicateId: resourceId, userId: member.user_id })
    }
    return { membership: params.member_id, status: 'removed' }
  },
})

function shownOf(member: MemberSeen): Shown {
  const name = member.name ?? 'A person who left'
  const runs = member.permission === null ? '' : ' and stops running it'
  return {
    question: `Remove ${name} from ${member.syndicate}`,
    summary: `${name} is no longer a member of ${member.syndicate}${runs}.`,
    facts: [
      ['Syndicate', member.syndicate],
      ['Member', name],
      ...(member.permission === null ? [] : [['Runs it as', member.permission.replace('_', ' ')] as const]),
    ],
    final: 'They can come back only by applying or being invited again.',
    version: hexDigestOf(JSON.stringify([member.status, member.permission, member.updated_at])),
  }
}
