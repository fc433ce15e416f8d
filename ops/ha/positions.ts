import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

/** Watches the ledger for a position that was assigned to two records within one epoch. */
export type Positions = {
  readonly count: number
  readonly epochs: number
  readonly faults: readonly string[]
  /** Adds to `faults` each position that the ledger shows twice. Call it after the watch has ended. */
  finish(): Promise<void>
}

type Row = {
  readonly epoch: string
  readonly start_position: string
  readonly position: string
  readonly investment_id: string
}

/** The newest records, with the epoch in which positions are assigned now. */
const NEWEST = `
  select l.epoch, e.start_position, h.position, h.investment_id
    from test.ledger l
    join test.ledger_epochs e using (epoch)
    join test.ledger_heads h on h.position > l.position - 2000`

const TWICE = `
  select 'position ' || position || ' belongs to ' || string_agg(investment_id, ', ') as fault
    from test.ledger_heads group by position having count(*) > 1
  union all
  select 'company position ' || company_position || ' belongs to ' || string_agg(investment_id, ', ')
    from test.ledger_heads where company_position is not null group by company_position having count(*) > 1
  union all
  select 'position ' || max(h.position) || ' is beyond the end of the ledger, ' || l.position
    from test.ledger_heads h, test.ledger l group by l.position having max(h.position) > l.position`

const POLL_MS = 700

export function watchPositions(url: string, isOver: () => boolean): Positions {
  const owners = new Map<string, string>()
  const epochs = new Set<string>()
  const faults: string[] = []

  /** A position beyond the epoch's start was assigned in this epoch. An earlier one belongs to an earlier epoch. */
  function record({ epoch, start_position, position, investment_id }: Row): void {
    epochs.add(epoch)
    if (Number(position) <= Number(start_position)) return
    const key = `${epoch}:${position}`
    const owner = owners.get(key)
    if (owner !== undefined && owner !== investment_id)
      faults.push(`position ${position} of epoch ${epoch} belonged to ${owner} and now belongs to ${investment_id}`)
    owners.set(key, investment_id)
  }

  async function readNewest(): Promise<void> {
    for (const row of await query<Row>(url, NEWEST)) record(row)
  }

  async function watching(): Promise<void> {
    while (!isOver()) {
      await readNewest().catch(() => {})
      await wait(POLL_MS)
    }
  }
  void watching()

  return {
    faults,
    get count() {
      return owners.size
    },
    get epochs() {
      return epochs.size
    },
    finish: async () => {
      await readNewest()
      for (const { fault } of await query<{ fault: string }>(url, TWICE)) faults.push(fault)
    },
  }
}

async function query<R extends pg.QueryResultRow>(connectionString: string, sql: string): Promise<readonly R[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 3_000, query_timeout: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<R>(sql)).rows
  } finally {
    await client.end().catch(() => {})
  }
}
