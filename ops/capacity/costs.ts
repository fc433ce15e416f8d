/** A measured cost, and the line of docs/performance.md or bench/README.md that it was read from. */
type Cost = { readonly value: number; readonly from: string }

/** Times are microseconds of processor time on the cores of docs/performance.md, sizes are bytes on disk with indexes. */
export const COSTS = {
  // 2,049 facts a second on two cores, which the load generator used too: so the costs are upper limits. PostgreSQL used about
  // half of the cores.
  factInNode: { value: 490, from: 'bench facts: 2 cores / 2,049 facts/s, half of it' },
  factInPostgres: { value: 490, from: 'bench facts: 2 cores / 2,049 facts/s, half of it' },
  changeInPostgres: { value: 110, from: 'publishing: processor time of PostgreSQL for a change' },
  /** Real time, not processor time, on the one connection that publishes a world. From the slowest of the published runs. */
  changeOnPublisher: { value: 1e6 / 4_349, from: 'publishing: 4,349 changes/s by one publisher' },
  deliveryInNode: { value: 180, from: 'sender: every event to one endpoint, with undici' },
  deliveryInPostgres: { value: 130, from: 'webhooks: every event to one endpoint' },
  pageInNode: { value: 289, from: 'ledger --libraries: a sync page, ours' },
  pageInPostgres: { value: 276, from: 'ledger --libraries: a sync page, ours' },
} as const satisfies Readonly<Record<string, Cost>>

/** Bytes of a row with its share of the indexes, estimated from the columns and indexes (docs/capacity.md). */
export const BYTES = {
  investment: 900,
  ledgerHead: 2_400,
  event: 1_500,
  delivery: 420,
} as const
