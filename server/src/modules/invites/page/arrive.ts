import {
  type Arrival,
  type ArrivedAt,
  arriveAt,
  type CheckoutDeps,
  type CheckoutVisit,
} from '#modules/sessions/index.ts'
import type { InviteLink } from '../link.ts'
import { readLink } from '../store.ts'

export type InvitePageDeps = CheckoutDeps
export type Visit = CheckoutVisit
export type Arrived = ArrivedAt<InviteLink>

/** A link for an account is for that one; one for an address is for whoever opened it first. */
export function arrive(deps: InvitePageDeps, visit: Visit): Promise<Arrival<InviteLink>> {
  return arriveAt(deps, visit, {
    kind: 'inviteLink',
    path: '/i',
    find: readLink,
    about: (link) => ({ ...link, owner: link.userId ?? link.openedBy, unfinished: link.investment === null }),
  })
}
