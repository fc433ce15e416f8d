import { signInAddress } from '#http/browser/return-to.ts'
import type { Id } from '#kernel/ids.ts'
import {
  away,
  type CheckoutAnswer,
  isTooLate,
  readAmount,
  refusal,
  UNKNOWN_LINK,
  wrongOf,
} from '#modules/sessions/http.ts'
import { checkoutAddress } from '#modules/sessions/index.ts'
import { declineInvitation, openInvitation, playUse } from '../open-link.ts'
import { type Arrived, arrive, type InvitePageDeps, type Visit } from './arrive.ts'
import { invitePage } from './invite-page.ts'
import { endOf } from './link-ends.ts'

export async function showInvitation(deps: InvitePageDeps, visit: Visit): Promise<CheckoutAnswer> {
  const arrival = await arrive(deps, visit)
  return 'answer' in arrival ? arrival.answer : invitePage({ ...deps, arrived: arrival.arrived })
}

export const MOVES = ['continue', 'decline', 'succeed'] as const
export type Decision = { readonly do: (typeof MOVES)[number]; readonly amount?: string }
type Deciding = Visit & { readonly body: Decision }

export async function decideInvitation(deps: InvitePageDeps, visit: Deciding): Promise<CheckoutAnswer> {
  const arrival = await arrive(deps, visit)
  if ('answer' in arrival) return arrival.answer
  const { arrived } = arrival
  const { world, found: link, userId, frame, told } = arrived
  if (endOf(arrived) !== null) return invitePage({ ...deps, arrived })
  if (visit.body.do === 'decline') return decline(deps, arrived)
  if (told.status !== 'open') return invitePage({ ...deps, arrived })
  if (world === 'test' && userId === null) return nobodyYet(deps, arrived)
  if (visit.body.do === 'succeed') {
    return world === 'test' ? play(deps, arrived, visit) : refusal(frame, UNKNOWN_LINK)
  }
  const { checkoutUrl } = deps
  if (world === 'live' && checkoutUrl === null) return invitePage({ ...deps, arrived })
  const opened = await deps.databases[world].transaction((tx) => openInvitation(tx, link.id, visitOf(userId, visit)))
  if (!opened || world === 'test' || checkoutUrl === null) return away(frame.address)
  const places = { invite: link.id, offering: link.offering, return_url: deps.origin() + frame.address }
  return away(checkoutAddress(checkoutUrl, places))
}

/** Who is signed in and yet nobody in the sandbox is told so by the page; signing in again would lead back here. */
function nobodyYet(deps: InvitePageDeps, arrived: Arrived): CheckoutAnswer {
  const { person, address } = arrived.frame
  return person === null ? away(signInAddress(address)) : invitePage({ ...deps, arrived })
}

const visitOf = (userId: Id<'user'> | null, { requestId }: Visit) => ({ userId, requestId })

async function decline(deps: InvitePageDeps, { world, found: link, frame, userId }: Arrived): Promise<CheckoutAnswer> {
  if (link.perPerson) {
    await deps.databases[world].transaction((tx) => declineInvitation(tx, link.id, userId))
  }
  return away(frame.address)
}

async function play(deps: InvitePageDeps, arrived: Arrived, visit: Deciding): Promise<CheckoutAnswer> {
  const { found: link, told, userId, frame } = arrived
  const { amount: typed } = visit.body
  try {
    const said = { amount: readAmount(typed, told), currency: told.currency }
    const played = { ...visitOf(userId, visit), ...said, crediting: deps.referrals.crediting }
    await deps.databases.test.transaction((tx) => playUse(tx, link.id, played))
    return away(frame.address)
  } catch (error) {
    if (isTooLate(error)) return away(frame.address)
    const wrong = wrongOf(error, typed)
    if (wrong === null) throw error
    return invitePage({ ...deps, arrived, wrong })
  }
}
