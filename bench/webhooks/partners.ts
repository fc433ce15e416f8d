import { join } from 'node:path'
import type pg from 'pg'
import { newId } from '../../server/src/kernel/ids.ts'
import { embeddedSecret } from '../../server/src/main/database-server.ts'
import { keyring } from '../../server/src/system/crypto/keyring.ts'
import { sealedBox } from '../../server/src/system/crypto/sealed-box.ts'
import { newWebhookSecret, sealSecret } from '../../server/src/webhooks/signature.ts'

/**
 * An app with one endpoint and an installation on the company: every `investment.created` of the company causes one
 * delivery to the endpoint.
 */
export type Partner = { readonly company: string; readonly endpoint: string; readonly url: string }

const EVENTS = ['investment.created']

type Making = { readonly dataDirectory: string; readonly urls: readonly string[] }

/** Makes apps on one company, so that each `investment.created` of the company goes to every app. */
export async function makeOnOneCompany(
  client: pg.Client,
  { dataDirectory, urls }: Making,
): Promise<readonly Partner[]> {
  const company = await makeCompany(client)
  return makePartners(client, { dataDirectory, urls, company })
}

/**
 * Inserts apps, all on `company` or each on a new company. The rows bypass the use cases, because inserting is not
 * measured.
 */
export async function makePartners(
  client: pg.Client,
  { dataDirectory, urls, company }: Making & { readonly company?: string },
): Promise<readonly Partner[]> {
  const box = sealedBox(keyring(await embeddedSecret(join(dataDirectory)))('webhook-secrets'))
  const [organization, account] = [newId('organization'), newId('account')]
  await client.query('begin')
  await client.query(`insert into platform.organizations (id, name) values ($1, 'Bench')`, [organization])
  await client.query(`insert into platform.accounts (id, email, name) values ($1, $2, 'Bench')`, [
    account,
    `${account}@example.com`,
  ])
  const partners: Partner[] = []
  for (const url of urls) {
    const [app, endpoint] = [newId('app'), newId('webhookEndpoint')]
    const at = company ?? (await makeCompany(client))
    await client.query(
      `insert into platform.apps (id, organization_id, name, api_version, scopes, conditions_version, conditions_accepted_by)
       values ($1, $2, 'Bench', '2026-11-01', '{read:companies}', '2026-01-01', $3)`,
      [app, organization, account],
    )
    await client.query(
      `insert into test.installations (id, app_id, target_type, company_id, tier, scopes, installed_by_role)
       values ($1, $2, 'company', $3, 'founder', '{read:companies}', 'founder')`,
      [newId('installation'), app, at],
    )
    await client.query(
      `insert into platform.webhook_endpoints (id, app_id, world, url, events, subscribed_at, secret)
       values ($1, $2, 'test', $3, $4, array[clock_timestamp()], $5)`,
      [endpoint, app, url, EVENTS, sealSecret(box, endpoint, newWebhookSecret())],
    )
    await client.query('insert into test.webhook_lanes (endpoint_id) values ($1)', [endpoint])
    partners.push({ company: at, endpoint, url })
  }
  await client.query('commit')
  return partners
}

export async function makeCompany(client: pg.Client): Promise<string> {
  const id = newId('company')
  await client.query(`insert into test.companies (id, name, page_url, created_at) values ($1, 'Bench', $2, now())`, [
    id,
    `/${id}`,
  ])
  return id
}
