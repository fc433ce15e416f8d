import { lockUser } from '#modules/people/index.ts'
import { removeMember as removeFromSyndicate } from '#modules/syndicates/index.ts'
import { notPossible } from '../refusals.ts'
import type { Prospect } from '../shown.ts'
import { action } from './action.ts'
import { findMember, holdMember, type MemberSeen } from './member-store.ts'
import { holdSyndicate } from './syndicate-store.ts'

const refuse = (code: string, message: string) => notPossible({ field: 'params.member_id', code, message })

/** Whoever runs the syndicate, too, stops doing so: nobody runs what they were removed from. */
export const removeMember = action({
  name: 'syndicates.remove_member',
  scope: 'write:syndicates',
  resourceType: 'syndicate',
  deciders: 'managers',
  look: async (queries, { resourceId, params }) => {
    const member = await findMember(queries, resourceId, params.member_id)
    if (member === null) throw refuse('not_a_member', 'This is nobody’s membership of the syndicate.')
    if (member.status !== 'member') throw refuse('not_a_member', `The membership is ${member.status}, not a member’s.`)
    if (member.permission === 'full_access' && !member.others_run_it) {
      throw refuse('last_manager', 'They alone run the syndicate with full access: somebody else has to, first.')
    }
    const unnamed = summaryOf('The member', member)
    return { shown: shownOf(member), about: { userId: member.user_id, unnamed } }
  },
  hold: async (tx, { resourceId, params }) => {
    const member = await findMember(tx, resourceId, params.member_id)
    if (member !== null) await lockUser(tx, 'member', member.user_id)
    // Two removals at once must not take the last two managers.
    await holdSyndicate(tx, resourceId)
    await holdMember(tx, params.member_id)
  },
  perform: async (tx, { params }, { occasion }) => {
    await removeFromSyndicate(tx, { id: params.member_id }, occasion)
    return { membership: params.member_id, status: 'removed' }
  },
})

function summaryOf(name: string, { syndicate, permission }: MemberSeen): string {
  return `${name} is no longer a member of ${syndicate}${permission === null ? '' : ' and stops running it'}.`
}

/** Of the membership itself only since when it is one: what title they have there makes no difference to this. */
function shownOf(member: MemberSeen): Prospect {
  const name = member.name ?? 'A person who left'
  return {
    question: `Remove ${name} from ${member.syndicate}`,
    summary: summaryOf(name, member),
    facts: [
      ['Syndicate', member.syndicate],
      ['Member', name],
      ...(member.permission === null ? [] : [['Runs it as', member.permission.replace('_', ' ')] as const]),
    ],
    final: 'They can come back only by applying or being invited again.',
    version: [['Member since', member.joined_at]],
  }
}
