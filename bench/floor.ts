import pg from 'pg'

export type Floor = { readonly transactions: number; readonly ms: number }

export type FloorOptions = {
  readonly url: string
  readonly connections: number
  readonly transactions: number
  readonly flushEvery: number
}

/**
 * Measures how fast this machine's PostgreSQL runs transactions of one row each: begin, insert, commit, like pgbench. As in the
 * fact feed, a commit does not wait for the disk, and after every batch a flush waits for it.
 */
export async function measureFloor({ url, connections, transactions, flushEvery }: FloorOptions): Promise<Floor> {
  const clients = await Promise.all(Array.from({ length: connections }, () => connect(url)))
  const [first] = clients
  try {
    await first?.query(TABLE)
    const startedAt = performance.now()
    const each = Math.ceil(transactions / connections)
    await Promise.all(clients.map((client, at) => insertRows(client, at * each, { count: each, flushEvery })))
    return { transactions: each * connections, ms: performance.now() - startedAt }
  } finally {
    await first?.query('drop table if exists public.bench_floor')
    await Promise.all(clients.map((client) => client.end()))
  }
}

const TABLE = `
  drop table if exists public.bench_floor;
  create table public.bench_floor (id bigint primary key, type text not null, at timestamptz not null, data jsonb not null)`

const INSERT = {
  name: 'floor.insert',
  text: `insert into public.bench_floor (id, type, at, data) values ($1, 'floor', clock_timestamp(), $2)
         returning set_config('synchronous_commit', 'off', true)`,
}

async function insertRows(
  client: pg.Client,
  from: number,
  { count, flushEvery }: { readonly count: number; readonly flushEvery: number },
): Promise<void> {
  for (let at = 1; at <= count; at++) {
    await client.query('begin')
    await client.query({ ...INSERT, values: [from + at, '{"amount_cents": 25000}'] })
    await client.query('commit')
    if (at % flushEvery === 0 || at === count) await client.query(`select pg_logical_emit_message(true, 'bench', '')`)
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}
