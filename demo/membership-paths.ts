import type { Id } from '@portico/server/kernel/ids.ts'
import type { Path, SyndicateStory } from './content/syndicates.ts'

export type MembershipStep = { readonly afterDays: number; readonly type: string; readonly data: object }

type Who = {
  readonly id: Id<'membership'>
  readonly syndicate: Id<'syndicate'>
  readonly user: Id<'user'>
  /** Where an invitation goes. */
  readonly email: string
  readonly manager: Id<'user'>
}

/** What happens to a person who wants to join, by the way in which the syndicate takes people in. All within 16 days. */
export function stepsOf(path: Path, joining: SyndicateStory['joining'], who: Who): readonly MembershipStep[] {
  const { id } = who
  const move = (afterDays: number, name: string, data: object = {}): MembershipStep => ({
    afterDays,
    type: `membership.${name}`,
    data: { id, ...data },
  })
  const apply = (afterDays: number) => move(afterDays, 'applied', { syndicate: who.syndicate, user: who.user })
  const approve = (afterDays: number) => move(afterDays, 'approved', { approved_by: who.manager })
  const arrive = (afterDays: number) => move(afterDays, 'joined', { syndicate: who.syndicate, user: who.user })
  const invite = (afterDays: number, name: 'invited' | 'reinvited'): MembershipStep => ({
    afterDays,
    type: `membership.${name}`,
    data: { syndicate: who.syndicate, email: who.email, invited_by: who.manager },
  })
  const enter = {
    approval: [apply(0), approve(2)],
    automatic: [arrive(0)],
    fund: [apply(0), approve(2), move(6, 'joined')],
  }[joining]
  const paths: Readonly<Record<Path, readonly MembershipStep[]>> = {
    member: enter,
    left: [...enter, move(12, 'left')],
    removed: [...enter, move(12, 'removed')],
    returned: [...enter, move(10, 'left'), move(15, 'joined')],
    pending: [apply(0)],
    declined: [apply(0), move(3, 'declined')],
    applied_again: [apply(0), move(3, 'declined'), apply(14)],
    withdrawn: [apply(0), move(4, 'withdrawn')],
    invited: [invite(0, 'invited')],
    reinvited: [invite(0, 'invited'), invite(9, 'reinvited')],
    joined_on_invitation: [
      invite(0, 'invited'),
      move(2, 'joined', { syndicate: who.syndicate, user: who.user, invited_email: who.email }),
    ],
    approved: [apply(0), approve(2)],
    payment_failed: [...enter, move(11, 'payment_failed')],
    paid_later: [...enter, move(11, 'payment_failed'), move(15, 'joined')],
  }
  return paths[path]
}
