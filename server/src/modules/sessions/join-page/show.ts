import type { Answer } from './answer.ts'
import { type Arrived, arrive, type JoinPageDeps } from './arrive.ts'
import { continuePage } from './continue-page.ts'
import { wayOf } from './eligibility.ts'
import { endPage } from './end-page.ts'
import { introPage, offerPage } from './offer-page.ts'
import { personAtSyndicate, userName } from './person-store.ts'
import { refusalAnswer } from './refusal-page.ts'
import type { Visit } from './visit.ts'

/** Shows the page and changes nothing: an app does not learn who opened its link. */
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
  const { reads } = deps.databases[world]
  if (session.userId === null) {
    const named = { account: person.name, userName: await userName(reads, person.userId) }
    return continuePage(frame, { ...named, changed: pressed === true })
  }
  const way = wayOf(await personAtSyndicate(reads, session.syndicate.id, person.userId))
  return offerPage(frame, way, pressed)
}
