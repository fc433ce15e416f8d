import type { Route } from '#http/route.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { cancelInvestment, confirmInvestment, executeInvestment, hideInvestment } from '#market/investments/index.ts'
import { addDeal, type Permission, setManager } from '#market/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeMembership, makeSyndicate } from '#test/syndicates.ts'
import { refreshFigures } from '#views/catalog/index.ts'
import { openProfileStage, type ProfileStage, type Send } from '#views/profile/testing/stage.ts'
import { type DealRouteDeps, dealRoutes } from '../http.ts'

type NewInvestment = {
  readonly offering: Id<'offering'>
  readonly user: Id<'user'>
  readonly units?: number
  /** The day in March on which the user applied. */
  readonly on?: number
  readonly as?: 'active' | 'confirmed' | 'executed' | 'hidden' | 'canceled'
}

/** A syndicate with a manager. */
export type Run = {
  readonly syndicate: Id<'syndicate'>
  readonly manager: Id<'user'>
  /** Sends requests with the manager's token. */
  readonly send: Send
}

/** The routes of deals and of the profile, and helpers that make a syndicate's deals. */
export type DealStage = ProfileStage & {
  run(settings?: Parameters<typeof makeSyndicate>[1], permission?: Permission): Promise<Run>
  offering(terms?: Parameters<typeof makeOffering>[1]): Promise<Id<'offering'>>
  /** An offering that the syndicate runs. */
  deal(syndicate: Id<'syndicate'>, terms?: Parameters<typeof makeOffering>[1]): Promise<Id<'offering'>>
  member(syndicate: Id<'syndicate'>, user?: Id<'user'>): Promise<{ id: Id<'membership'>; user: Id<'user'> }>
  invest(investment: NewInvestment): Promise<Id<'investment'>>
  figures(): Promise<void>
}

export const march = (day: number) => `2026-03-${String(day).padStart(2, '0')}T00:00:00.000000Z`

export async function openDealStage(more: (deps: DealRouteDeps) => Route[] = () => []): Promise<DealStage> {
  const stage = await openProfileStage((deps) => [...dealRoutes(deps), ...more(deps)])
  const { arrange } = stage
  return {
    ...stage,
    run: async (settings = {}, permission = 'full_access') => {
      const manager = await stage.user({ name: 'Mary Manager' })
      const syndicate = await arrange(async (tx) => {
        const id = await makeSyndicate(tx, settings)
        await setManager(tx, { syndicateId: id, userId: manager, permission }, occasionAt())
        return id
      })
      return { syndicate, manager, send: await stage.as(manager, ['read:syndicates']) }
    },
    offering: (terms) => arrange((tx) => makeOffering(tx, terms)),
    deal: (syndicate, terms) =>
      arrange(async (tx) => {
        const offeringId = await makeOffering(tx, terms)
        await addDeal(tx, { syndicateId: syndicate, offeringId }, occasionAt())
        return offeringId
      }),
    member: async (syndicate, given) => {
      const user = given ?? (await stage.user())
      return { id: await arrange((tx) => makeMembership(tx, { syndicate, user, status: 'member' })), user }
    },
    invest: (investment) => arrange((tx) => invest(tx, investment)),
    figures: async () => {
      await arrange((tx) => refreshFigures(tx, { changes: 10_000, offerings: 10_000 }))
    },
  }
}

async function invest(tx: Tx, { offering, user, units = 1_000, on = 1, as = 'active' }: NewInvestment) {
  const made = { id: newId('investment'), offering, investor: user, amount_cents: (units * 100) as Cents }
  const id = await makeInvestment(tx, { ...made, at: march(on) })
  if (as === 'confirmed') await confirmInvestment(tx, { id }, occasionAt(march(20)))
  if (as === 'executed') await executeInvestment(tx, { id }, occasionAt(march(28)))
  if (as === 'hidden') await hideInvestment(tx, { id }, occasionAt(march(20)))
  if (as === 'canceled') await cancelInvestment(tx, { id }, occasionAt(march(20)))
  return id
}
