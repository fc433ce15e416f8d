import { onDatabase } from '../database.ts'
import { makeOurClients } from './our-client.ts'

const KEYS = 10_000

/** The text of the n-th token. All of them are valid. */
export const tokenText = (number: number) => `at_live_${String(number).padStart(43, '0')}`

/** Inserts this many client-credentials tokens of ten thousand apps into the live world. */
export async function makeManyTokens(connectionString: string, count: number): Promise<void> {
  const [first] = await makeOurClients(connectionString, 1)
  const app = first?.app
  await onDatabase(connectionString, async (client) => {
    await client.query(
      `insert into platform.apps (id, organization_id, name, api_version, conditions_version, conditions_accepted_by)
       select 'app_' || lpad(n::text, 24, '0'), organization_id, 'Bench ' || n, api_version, conditions_version,
              conditions_accepted_by
         from platform.apps cross join generate_series(1, $2::int) n where id = $1`,
      [app, KEYS],
    )
    await client.query(
      `insert into platform.app_keys (id, app_id, world, name, client_type, api_version)
       select 'pk_live_' || substr(id, 5), id, 'live', name, 'confidential', api_version
         from platform.apps where id <> $1`,
      [app],
    )
    await client.query(
      `insert into live.access_tokens (hash, kind, key_id, app_id, scopes, generation, expires_at)
       select sha256(convert_to('at_live_' || lpad(n::text, 43, '0'), 'UTF8')), 'client', 'pk_live_' || body,
              'app_' || body, '{read:public}', 1, now() + interval '1 day'
         from generate_series(1, $1::int) n, lateral (select lpad((n % $2::int + 1)::text, 24, '0') as body) app`,
      [count, KEYS],
    )
    // Does at once what autovacuum would do later.
    await client.query('vacuum analyze live.access_tokens')
    await client.query('vacuum analyze platform.app_keys')
    await client.query('vacuum analyze live.world_clock')
  })
}
