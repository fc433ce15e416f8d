import {
  type Arrival,
  type ArrivedAt,
  arriveAt,
  type CheckoutDeps,
  type CheckoutVisit,
} from '#modules/sessions/http.ts'
import type { InviteLink } from '../link.ts'
import { isUsedBy, readLink } from '../store.ts'

export type InvitePageDeps = CheckoutDeps
export type Visit = CheckoutVisit
export type Arrived = ArrivedAt<InviteLink> & {
  /** Whether an investment of whoever came here came of it, and stands. */
  readonly theirs: boolean
}
type Arriving = { readonly arrived: Arrived } | Extract<Arrival<InviteLink>, { answer: unknown }>

/** A link for an account is for that one; one for an address is for whoever opened it first. */
export async function arrive(deps: InvitePageDeps, visit: Visit): Promise<Arriving> {
  const arrival = await arriveAt(deps, visit, {
    kind: 'inviteLink',
    path: '/i',
    find: readLink,
    about: (link) => ({ ...link, owner: link.userId ?? link.openedBy, unfinished: isUnfinished(link) }),
  })
  if ('answer' in arrival) return arrival
  const { found, world, userId } = arrival.arrived
  const theirs = userId !== null && (await isUsedBy(deps.databases[world].reads, found.id, userId))
  return { arrived: { ...arrival.arrived, theirs } }
}

/** What one of many came to says nothing of the others. */
function isUnfinished({ perPerson, investment }: InviteLink): boolean {
  return !perPerson || investment === null
}
