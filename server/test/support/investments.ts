import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { type NewInvestment, recordInvestment } from '#market/investments/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { nextId } from '#test/later-ids.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'

type Overrides = Partial<NewInvestment> & { readonly at?: string }

/**
 * Creates a commitment of 250 units by a new investor to a new offering, unless these are given. It is a reservation if
 * the offering tests the waters. `at` is when the investor applied.
 */
export async function makeInvestment(
  tx: Tx,
  { at = '2026-02-01T00:00:00.000000Z', ...overrides }: Overrides = {},
): Promise<Id<'investment'>> {
  const offering = overrides.offering ?? (await makeOffering(tx))
  const investor = overrides.investor ?? (await makeUser(tx))
  const input = { id: nextId('investment'), amount_cents: 25_000 as Cents, ...overrides, offering, investor }
  return recordInvestment(tx, input, occasionAt(at))
}
