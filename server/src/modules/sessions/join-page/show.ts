import type { Answer } from './answer.ts'
import { type Arrived, arrive, type JoinPageDeps } from './arrive.ts'
import { wayOf } from './eligibility.ts'
import { endPage } from './end-page.ts'
import { introPage, offerPage } from './offer-page.ts'
import { personAtSyndicate } from './person-store.ts'
import { refusalAnswer } from './refusal-page.ts'
import type { Visit } from './visit.ts'

/** What a visit is shown, and changes nothing: nobody is named to an app for having followed its link. */
export async function showJoin(deps: JoinPageDeps, visit: Visit): Promise<Answer> {
  const arrival = await arrive(deps, visit)
  return 'answer' in arrival ? arrival.answer : pageFor(deps, visit, { arrived: arrival.arrived })
}

type Showing = {
  readonly arrived: Arrived
  /** They pressed something that no longer held. */
  readonly pressed?: true
}

export async function pageFor(deps: JoinPageDeps, visit: Visit, { arrived, pressed }: Showing): Promise<Answer> {
  const { session, person, world, link } = arrived
  const frame = { arrived, brand: deps.brand, csrf: visit.browser.csrf }
  if (session.status !== 'open') return endPage(frame, pressed)
  if (person === null) return introPage(frame)
  if (session.userId !== null && session.userId !== person.userId) {
    return refusalAnswer('somebody_else', { brand: deps.brand, requestId: visit.requestId, world, link, visit })
  }
  const way = wayOf(await personAtSyndicate(deps.databases[world].reads, session.syndicate.id, person.userId))
  return offerPage(frame, way, pressed)
}
