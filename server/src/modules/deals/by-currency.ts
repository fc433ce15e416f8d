/** What the totals of nothing are in. */
export const USUAL_CURRENCY = 'usd'

type Amount = { readonly currency: string; readonly amount_cents: string }

/** "Totals never mix currencies": one sum for each, the currency with most rows first. */
export function sumsByCurrency(
  rows: readonly Amount[],
): readonly { readonly currency: string; readonly cents: bigint }[] {
  return [...Map.groupBy(rows, ({ currency }) => currency)]
    .toSorted(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1))
    .map(([currency, those]) => ({
      currency,
      cents: those.reduce((sum, { amount_cents }) => sum + BigInt(amount_cents), 0n),
    }))
}
