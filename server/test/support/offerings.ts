import type { Id } from '#kernel/ids.ts'
import {
  closeOffering,
  createOffering,
  type NewOffering,
  type OfferingState,
  openOffering,
  startClosing,
} from '#market/offerings/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { nextId } from '#test/later-ids.ts'

const DAYS = ['2026-01-02', '2026-01-03', '2026-01-04'].map((day) => `${day}T00:00:00.000000Z`)

type Overrides = Partial<NewOffering> & { readonly status?: Exclude<OfferingState, 'canceled'> }

/**
 * Creates an open offering of a SAFE under Reg CF. `status` sets another status. The company is new, unless one is
 * given.
 */
export async function makeOffering(tx: Tx, { status = 'open', ...overrides }: Overrides = {}): Promise<Id<'offering'>> {
  const id = overrides.id ?? nextId('offering')
  const company = overrides.company ?? (await makeCompany(tx))
  const undecided = overrides.testing_the_waters === true
  const terms = {
    currency: 'usd',
    exemption: 'reg_cf' as const,
    security: undecided ? null : { type: 'safe' as const, terms: { valuation_cap: '8000000' } },
  }
  await createOffering(tx, { ...terms, ...overrides, id, company }, occasionAt('2026-01-01T00:00:00.000000Z'))
  const moves = [openOffering, startClosing, closeOffering].slice(
    0,
    ['upcoming', 'open', 'closing', 'closed'].indexOf(status),
  )
  for (const [at, move] of moves.entries()) await move(tx, { id }, occasionAt(DAYS[at]))
  return id
}
