import type { FiscalYear } from './disclosures.ts'

export type Ratios = {
  readonly net_margin_percent: string | null
  readonly gross_margin_percent: string | null
  readonly return_on_assets_percent: string | null
  readonly debt_to_assets_percent: string | null
  readonly cash_to_assets_percent: string | null
  readonly revenue_per_employee_cents: number | null
}

type Figure = number | null | undefined

/**
 * "NI/rev·100; (rev−COGS)/rev·100; NI/assets·100; (ST+LT debt)/assets·100; cash/assets·100; revenue per employee", of the most
 * recent fiscal year. Null where a figure was not reported or the divisor is zero. Percents have two decimals.
 */
export function ratiosOf(year: FiscalYear, employees: number | null): Ratios {
  const { revenue_cents: revenue, total_assets_cents: assets, net_income_cents: income } = year
  const gross = combined(revenue, year.cost_of_goods_sold_cents, -1n)
  const debt = combined(year.short_term_debt_cents, year.long_term_debt_cents, 1n)
  const perEmployee = quotient(bigOf(revenue), bigOf(employees), 1n)
  return {
    net_margin_percent: percent(bigOf(income), bigOf(revenue)),
    gross_margin_percent: percent(gross, bigOf(revenue)),
    return_on_assets_percent: percent(bigOf(income), bigOf(assets)),
    debt_to_assets_percent: percent(debt, bigOf(assets)),
    cash_to_assets_percent: percent(bigOf(year.cash_and_equivalents_cents), bigOf(assets)),
    revenue_per_employee_cents: perEmployee === null ? null : Number(perEmployee),
  }
}

function bigOf(figure: Figure): bigint | null {
  return figure === null || figure === undefined ? null : BigInt(figure)
}

function combined(a: Figure, b: Figure, sign: bigint): bigint | null {
  const [first, second] = [bigOf(a), bigOf(b)]
  return first === null || second === null ? null : first + sign * second
}

/** Rounded half away from zero. */
function quotient(part: bigint | null, whole: bigint | null, scale: bigint): bigint | null {
  if (part === null || whole === null || whole === 0n) return null
  const [above, below] = [part * scale, whole]
  const negative = above < 0n !== below < 0n
  const [a, b] = [above < 0n ? -above : above, below < 0n ? -below : below]
  const rounded = (2n * a + b) / (2n * b)
  return negative ? -rounded : rounded
}

/** In hundredths of a percent, then as a decimal. */
function percent(part: bigint | null, whole: bigint | null): string | null {
  const hundredths = quotient(part, whole, 10_000n)
  if (hundredths === null) return null
  const digits = (hundredths < 0n ? -hundredths : hundredths).toString().padStart(3, '0')
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
