import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { Occasion } from '#modules/events/index.ts'
import { confirmInvestment, readInvestment, recordInvestment } from '#modules/investments/index.ts'
import { creditInvestment, type ReferralSettings } from '#modules/referrals/index.ts'
import type { Tx } from '#system/postgres/database.ts'

type Played = { readonly offering: Id<'offering'>; readonly investor: Id<'user'>; readonly amount_cents: Cents }
type PlayedAt = { readonly occasion: Occasion; readonly crediting: ReferralSettings }

/**
 * What the person would have done at the host's checkout, done in the test world: an investment, made and confirmed.
 * "Investing is human-only": outside the sandbox nothing here makes one, so a live transaction is refused.
 */
export async function playInvestment(
  tx: Tx,
  played: Played,
  { occasion, crediting }: PlayedAt,
): Promise<Id<'investment'>> {
  if (tx.world !== 'test') throw new Error('investments are played in the test world alone')
  const id = newId('investment')
  await recordInvestment(tx, { id, ...played }, occasion)
  await creditInvestment(tx, { id }, { occasion, settings: crediting })
  // A reservation is not binding: there is nothing to confirm.
  if ((await readInvestment(tx, id))?.status === 'active') await confirmInvestment(tx, { id }, occasion)
  return id
}
