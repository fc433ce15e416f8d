import {
  type Arrival,
  type Arrived as ArrivedWith,
  arriveAt,
  type CheckoutDeps,
  type Visit,
} from '../../checkout/arrive.ts'
import { findPageSession, type PageSession } from './page-store.ts'

export type SessionPageDeps = CheckoutDeps
export type Arrived = ArrivedWith<PageSession>
export type { Visit }

const UNFINISHED: ReadonlySet<string> = new Set(['pending', 'in_progress', 'abandoned'])

export function arrive(deps: SessionPageDeps, visit: Visit): Promise<Arrival<PageSession>> {
  return arriveAt(deps, visit, {
    kind: 'investmentSession',
    path: '/invest/session',
    find: findPageSession,
    about: (session) => ({ ...session, owner: session.user, unfinished: UNFINISHED.has(session.status) }),
  })
}
