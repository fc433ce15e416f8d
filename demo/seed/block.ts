/**
 * Seeded data comes in independent blocks: 20,000 investments of 1,000 people in 10 companies, of which the first has four
 * tenths. One block is one transaction, so that a killed seed continues where it stopped, and totals are sums within a block.
 */
const BLOCK = { investments: 20_000, users: 1_000, companies: 10, offerings: 20 } as const

export type Range = { readonly from: number; readonly to: number }

/** The part of a block with the investments from one number to another, counted from 1, both included. */
export type Part = {
  readonly investments: Range
  readonly users: Range
  readonly companies: Range
  readonly offerings: Range
}

/** The parts still to be seeded after `done` investments, until there are `wanted`. */
export function* partsBetween(done: number, wanted: number): Generator<Part> {
  let from = done + 1
  while (from <= wanted) {
    const block = Math.floor((from - 1) / BLOCK.investments)
    const to = Math.min(wanted, (block + 1) * BLOCK.investments)
    yield {
      investments: { from, to },
      users: within(block, BLOCK.users),
      companies: within(block, BLOCK.companies),
      offerings: within(block, BLOCK.offerings),
    }
    from = to + 1
  }
}

function within(block: number, size: number): Range {
  return { from: block * size, to: (block + 1) * size - 1 }
}
