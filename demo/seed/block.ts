/**
 * What is seeded comes in blocks that have nothing to do with each other: 20,000 investments of 1,000 people in 10
 * companies, of which the first has four tenths. One block is one transaction, so that a killed seed goes on where it
 * stopped, and totals are sums within a block.
 */
const BLOCK = { investments: 20_000, users: 1_000, companies: 10, offerings: 20 } as const

export type Range = { readonly from: number; readonly to: number }

/** The parts of a block that hold the investments from one number to another, both counted from 1 and included. */
export type Part = {
  readonly investments: Range
  readonly users: Range
  readonly companies: Range
  readonly offerings: Range
}

/** What is still to be seeded after `done` investments, until there are `wanted`. */
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
