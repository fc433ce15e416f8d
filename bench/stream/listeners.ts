import type pg from 'pg'
import { newClientId, newId } from '../../server/src/kernel/ids.ts'
import { digestOf, newSecret } from '../../server/src/system/crypto/secret.ts'
import { makeCompany } from '../webhooks/partners.ts'

/** The maximum number of open streams per app. */
const PER_APP = 50

/** Apps that are installed on one company. Each event of the company has one stream entry for each app. */
export type Listeners = { readonly company: string; readonly keyOf: (at: number) => string }

/** Inserts the apps by SQL and not by the use cases, because creating apps is not measured. */
export async function makeListeners(client: pg.Client, streams: number): Promise<Listeners> {
  const company = await makeCompany(client)
  const keys: string[] = []
  for (let at = 0; at < streams; at += PER_APP) keys.push(await makeKey(client, company))
  return { company, keyOf: (at) => keys[Math.floor(at / PER_APP)] ?? '' }
}

/** Creates an app that may read events, installs it on the company, and returns its `Authorization` header for HTTP Basic. */
async function makeKey(client: pg.Client, company: string): Promise<string> {
  const [organization, account, app] = [newId('organization'), newId('account'), newId('app')]
  await client.query(`insert into platform.organizations (id, name) values ($1, 'Bench')`, [organization])
  await client.query(`insert into platform.accounts (id, email, name) values ($1, $2, 'Bench')`, [
    account,
    `${account}@example.com`,
  ])
  await client.query(
    `insert into platform.apps (id, organization_id, name, api_version, scopes, conditions_version, conditions_accepted_by)
     values ($1, $2, 'Bench', '2026-11-01', '{read:webhooks,read:companies}', '2026-01-01', $3)`,
    [app, organization, account],
  )
  await client.query(
    `insert into test.installations (id, app_id, target_type, company_id, tier, scopes, installed_by_role)
     values ($1, $2, 'company', $3, 'founder', '{read:companies}', 'founder')`,
    [newId('installation'), app, company],
  )
  const [id, secret] = [newClientId('test'), newSecret('sk', 'test')]
  await client.query(
    `insert into platform.app_keys (id, app_id, world, name, client_type, redirect_uris, scopes, api_version, state)
     select $1, id, 'test', 'Bench', 'confidential', '{}', scopes, api_version, state from platform.apps where id = $2`,
    [id, app],
  )
  await client.query('insert into platform.app_secrets (key_id, hash) values ($1, $2)', [id, digestOf(secret)])
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
}
