import type { Occasion } from '#events/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { confirmInvestment, readInvestment, recordInvestment } from '#market/investments/index.ts'
import { notice } from '#pages/blocks.ts'
import { actions, button, form } from '#pages/elements.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { creditInvestment, type ReferralSettings } from '#referrals/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { checkoutWords, type OfferingSummary } from './checkout.ts'

export type TestButton = { readonly value: string; readonly label: string }

type Parts = {
  readonly action: string
  readonly csrf: string
  readonly offeringSummary: OfferingSummary
  /** Fields before the first button, such as an amount. */
  readonly asked: HtmlValue
  readonly others: readonly TestButton[]
}

const SAID =
  'There is no checkout in the sandbox. These buttons play what it would have come to; no money moves and nothing is real.'

/** Replaces the host's checkout in the sandbox; clearly marked as a test. */
export function testButtons({ action, csrf, offeringSummary, asked, others }: Parts): Html {
  const first = button({
    label: `Test: complete the ${checkoutWords(offeringSummary).noun}`,
    name: 'do',
    value: 'succeed',
  })
  const rest = others.map(({ value, label }) =>
    button({ label: `Test: ${label}`, kind: 'secondary', name: 'do', value }),
  )
  return html`<section class="stack"><h2>Test buttons</h2>${notice(SAID, 'warning')}
${form({ action, csrf, content: html`<div class="stack">${asked}${actions(first, rest)}</div>` })}</section>`
}

type Played = { readonly offering: Id<'offering'>; readonly investor: Id<'user'>; readonly amount_cents: Cents }
type PlayedAt = { readonly occasion: Occasion; readonly crediting: ReferralSettings }

/**
 * Plays the host's checkout in the test world: creates and confirms an investment.
 * "Investing is human-only": a live transaction is rejected.
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
