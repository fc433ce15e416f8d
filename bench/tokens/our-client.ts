import type pg from 'pg'
import { newClientId, newId } from '../../server/src/kernel/ids.ts'
import { digestOf, newSecret } from '../../server/src/system/crypto/secret.ts'
import { onDatabase } from '../database.ts'

export type OurClient = { readonly app: string; readonly id: string; readonly secret: string }

const WORLD = 'live'
const API_VERSION = '2026-11-01'

/** Inserts apps with one confidential key each. The rows bypass the use cases, because inserting is not measured. */
export async function makeOurClients(connectionString: string, count: number): Promise<readonly OurClient[]> {
  const [organization, account] = [newId('organization'), newId('account')]
  const clients = Array.from({ length: count }, () => ({
    app: newId('app'),
    id: newClientId(WORLD),
    secret: newSecret('sk', WORLD),
  }))
  await onDatabase(connectionString, async (connection) => {
    await connection.query('begin')
    await connection.query(`insert into platform.organizations (id, name) values ($1, 'Bench')`, [organization])
    await connection.query(
      `insert into platform.accounts (id, email, name) values ($1, 'bench@example.com', 'Bench')`,
      [account],
    )
    for (const client of clients) await insertClient(connection, client, { organization, account })
    await connection.query('commit')
  })
  return clients
}

async function insertClient(
  connection: pg.Client,
  { app, id, secret }: OurClient,
  { organization, account }: { readonly organization: string; readonly account: string },
): Promise<void> {
  await connection.query(
    `insert into platform.apps (id, organization_id, name, api_version, conditions_version, conditions_accepted_by)
     values ($1, $2, 'Bench', $3, '2026-01-01', $4)`,
    [app, organization, API_VERSION, account],
  )
  await connection.query(
    `insert into platform.app_keys (id, app_id, world, name, client_type, api_version)
     values ($1, $2, $3, 'Bench', 'confidential', $4)`,
    [id, app, WORLD, API_VERSION],
  )
  await connection.query('insert into platform.app_secrets (key_id, hash) values ($1, $2)', [id, digestOf(secret)])
}
