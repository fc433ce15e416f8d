import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { changeDetails, executeInvestment } from '#market/investments/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { openProfileStage, type ProfileStage } from '#views/profile/testing/stage.ts'
import { portfolioRoutes, syndicatePortfolioRoutes } from '../http.ts'
import { exitOffering, type NewExit, type NewValuation, sellInvestment, valueOffering } from '../index.ts'

type NewStake = {
  readonly user: Id<'user'>
  readonly offering: Id<'offering'>
  readonly units?: number
  /** The day in March on which the investor applied. */
  readonly on?: number
  readonly shares?: { readonly count: string; readonly average_price: string }
  readonly entity?: string
  readonly earlyBird?: boolean
}

/** The routes of the portfolio and of the profile, and helpers that make a portfolio. */
export type PortfolioStage = ProfileStage & {
  offering(terms?: Parameters<typeof makeOffering>[1]): Promise<Id<'offering'>>
  /** An executed investment. */
  stake(stake: NewStake): Promise<Id<'investment'>>
  value(valuation: Omit<NewValuation, 'valued_at'>, on: number): Promise<void>
  exit(exit: Omit<NewExit, 'exited_at'>, on: number): Promise<void>
  sell(investment: Id<'investment'>, multiple: string, on: number): Promise<void>
}

export const march = (day: number) => `2026-03-${String(day).padStart(2, '0')}T00:00:00.000000Z`

export async function openPortfolioStage(): Promise<PortfolioStage> {
  const stage = await openProfileStage((deps) => [...portfolioRoutes(deps), ...syndicatePortfolioRoutes(deps)])
  const { arrange } = stage
  return {
    ...stage,
    offering: (terms) => arrange((tx) => makeOffering(tx, terms)),
    stake: ({ user, offering, units = 1_000, on = 1, shares, entity, earlyBird = false }) =>
      arrange(async (tx) => {
        const made = { offering, investor: user, amount_cents: (units * 100) as Cents, at: march(on) }
        const id = await makeInvestment(tx, made)
        const contracts = [{ name: 'SAFE', override_amount_cents: null, early_bird: earlyBird }]
        const details = { contracts, entity_name: entity ?? null, shares: shares ?? null }
        await changeDetails(tx, { id, ...details }, occasionAt(march(on)))
        await executeInvestment(tx, { id }, occasionAt(march(28)))
        return id
      }),
    value: (valuation, on) => arrange((tx) => valueOffering(tx, valuation, occasionAt(march(on)))),
    exit: (exit, on) => arrange((tx) => exitOffering(tx, exit, occasionAt(march(on)))),
    sell: (investment, multiple, on) =>
      arrange((tx) => sellInvestment(tx, { investment, multiple }, occasionAt(march(on)))),
  }
}
