import type { PostgresServer } from '../support/postgres-server.ts'

const CHUNK = 100_000

/** Inserts ended deliveries into the live world. Their table grows fastest; the values satisfy its checks and domains. */
export async function fillDeliveryHistory(server: PostgresServer, rows: number): Promise<void> {
  for (let from = 0; from < rows; from += CHUNK) {
    const to = Math.min(from + CHUNK, rows) - 1
    await server.sql(
      `insert into live.delivery_history (id, endpoint_id, event_id, api_version, state, created_at, ended_at, attempts)
       select 'dlv_' || lpad(n::text, 24, '0'), 'whe_' || lpad((n % 100)::text, 24, '0'), 'evt_' || lpad(n::text, 24, '0'),
              '2026-11-01', case when n % 50 = 0 then 'exhausted' else 'delivered' end, now(), now(),
              '[{"at": "2026-11-18T12:00:00Z", "status": 200, "duration_ms": 31, "response": ""}]'
         from generate_series(${from}, ${to}) n`,
      'portico',
    )
  }
  await server.sql('vacuum analyze live.delivery_history', 'portico')
}
