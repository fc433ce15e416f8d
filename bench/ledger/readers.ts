import { newId } from '../../server/src/kernel/ids.ts'
import { onDatabase } from '../database.ts'

const API_VERSION = '2026-11-01'

export const tokenText = (number: number) => `at_test_${String(number).padStart(43, '0')}`
export const companyId = (number: number) => `co_0Seed${String(number).padStart(19, '0')}`
/** The company that fact-mix.ts creates for the bench's own facts. */
export const FACT_COMPANY = `co_0Bench0${'1'.padStart(17, '0')}`

const SCOPES = ['read:investments', 'read:investors:pii']

/**
 * Inserts an app with an installation and a token on each of these companies. The rows bypass the use cases, because
 * inserting is not measured. The token of the n-th company is `tokenText(n)`.
 */
export async function installOn(url: string, companies: readonly string[]): Promise<void> {
  const [organization, account, app] = [newId('organization'), newId('account'), newId('app')]
  const key = `pk_test_${'0'.repeat(24)}`
  await onDatabase(url, async (client) => {
    await client.query(`insert into platform.organizations (id, name) values ($1, 'Bench')`, [organization])
    await client.query(`insert into platform.accounts (id, email, name) values ($1, 'b@example.com', 'Bench')`, [
      account,
    ])
    await client.query(
      `insert into platform.apps (id, organization_id, name, api_version, scopes, conditions_version, conditions_accepted_by)
       values ($1, $2, 'Bench', $3, $4, '2026-01-01', $5)`,
      [app, organization, API_VERSION, SCOPES, account],
    )
    await client.query(
      `insert into platform.app_keys (id, app_id, world, name, client_type, scopes, api_version)
       values ($1, $2, 'test', 'Bench', 'confidential', $3, $4)`,
      [key, app, SCOPES, API_VERSION],
    )
    const installations = companies.map(() => newId('installation'))
    await client.query(
      `insert into test.installations (id, app_id, target_type, company_id, tier, scopes, pii_by, installed_by_role)
       select id, $3, 'company', company, 'founder', $4, 'approval', 'founder'
         from unnest($1::text[], $2::text[]) made (id, company)`,
      [installations, companies, app, SCOPES],
    )
    await client.query(
      `insert into test.access_tokens (hash, kind, key_id, app_id, installation_id, scopes, generation)
       select sha256(convert_to(token, 'UTF8')), 'installation', $3, $4, id, $5, 1
         from unnest($1::text[], $2::text[]) made (id, token)`,
      [installations, companies.map((_, at) => tokenText(at)), key, app, SCOPES],
    )
  })
}
