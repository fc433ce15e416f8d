import type { Adapter, Payload } from 'oidc-provider'
import type pg from 'pg'
import type { ServerSettings } from './server-process.ts'

/** The lifetime of our own tokens: a day. */
export const CLIENT_TOKEN_SECONDS = 86_400

/**
 * One row per record. Each statement is prepared once per connection and committed by itself. `payload` is the library's data;
 * the second index is for deleting expired rows, as in our own table.
 */
const TABLE = `
  create table things (
    model text collate "C" not null,
    id text collate "C" not null,
    payload jsonb not null,
    expires_at timestamptz not null,
    constraint things_pkey primary key (id, model)
  );
  create index things_expires_at on things (expires_at)`

const UPSERT = {
  name: 'upsert',
  text: `insert into things (model, id, payload, expires_at) values ($1, $2, $3, now() + $4 * interval '1 second')
         on conflict (id, model) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
}

const UPSERT_MANY = {
  name: 'upsert many',
  text: `insert into things (model, id, payload, expires_at)
         select $1, t.id, t.payload, now() + t.seconds * interval '1 second'
           from unnest($2::text[], $3::jsonb[], $4::int[]) t (id, payload, seconds)
         on conflict (id, model) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
}

const FIND = {
  name: 'find',
  text: 'select payload from things where id = $2 and model = $1 and expires_at > now()',
}

/** The client-credentials grant calls only `upsert` and `find`. */
async function notMeasured(): Promise<never> {
  throw new Error('the client-credentials grant must not call this method')
}

type Upsert = Adapter['upsert']

const oneByOne =
  (pool: pg.Pool, model: string): Upsert =>
  async (id, payload, expiresIn) => {
    await pool.query({ ...UPSERT, values: [model, id, JSON.stringify(payload), expiresIn] })
  }

const STATEMENTS_AT_ONCE = 2

/** Calls that are made while two statements are in flight join the next statement. */
function together(pool: pg.Pool, model: string): Upsert {
  type Waiting = { readonly row: readonly [string, string, number]; done(error?: unknown): void }
  let waiting: Waiting[] = []
  let underWay = 0
  const send = () => {
    if (waiting.length === 0 || underWay === STATEMENTS_AT_ONCE) return
    const batch = waiting
    waiting = []
    underWay++
    const column = (at: 0 | 1 | 2) => batch.map(({ row }) => row[at])
    const ended = (error?: unknown) => {
      underWay--
      for (const { done } of batch) done(error)
      send()
    }
    pool.query({ ...UPSERT_MANY, values: [model, column(0), column(1), column(2)] }).then(() => ended(), ended)
  }
  return (id, payload, expiresIn) =>
    new Promise((resolve, reject) => {
      const done = (error?: unknown) => (error === undefined ? resolve() : reject(error))
      waiting.push({ row: [id, JSON.stringify(payload), expiresIn], done })
      if (waiting.length === 1) setImmediate(send)
    })
}

export function peerAdapter(pool: pg.Pool, stores: ServerSettings['stores']): (model: string) => Adapter {
  return (model) => ({
    upsert: stores === 'together' ? together(pool, model) : oneByOne(pool, model),
    find: async (id) => (await pool.query<{ payload: Payload }>({ ...FIND, values: [model, id] })).rows[0]?.payload,
    findByUserCode: notMeasured,
    findByUid: notMeasured,
    consume: notMeasured,
    destroy: notMeasured,
    revokeByGrantId: notMeasured,
  })
}

/** Creates the table with the clients in it. A peer with `clientsIn: 'postgres'` reads them from there. */
export async function makePeerTable(
  connection: pg.Client,
  clients: readonly { readonly client_id: string }[],
): Promise<void> {
  await connection.query(TABLE)
  for (const client of clients) {
    const values = ['Client', client.client_id, JSON.stringify(client), CLIENT_TOKEN_SECONDS]
    await connection.query({ ...UPSERT, values })
  }
}
