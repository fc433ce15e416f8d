import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import { type Classified, exportText, INTERNAL, impersonal, OTHERS, personal, SECRET } from './personal-tables-store.ts'

const APP = `organization_id description website_url setup_url api_version scopes suspended_at suspended_reason
  disabled_at state revision approved_at first_approved_at pii_requested_at pii_approved_at first_live_token_at
  first_installed_at created_at deleted_at legacy_id`

/** The tables of the platform: `$1` is the account, `$2` its address. */
export const PLATFORM_TABLES: Readonly<Record<string, Classified>> = {
  accounts: personal('id = $1', 'id email name created_at disabled_at email_verified_at staff_role', {
    [SECRET]: 'password_hash',
    [INTERNAL]: 'deleted_at',
  }),
  account_users: personal('account_id = $1', 'account_id world user_id created_at', {
    [INTERNAL]: 'test_user_id live_user_id',
  }),
  account_identities: personal('account_id = $1', 'issuer subject account_id created_at'),
  account_links: personal('account_id = $1', 'purpose account_id created_at expires_at new_email', {
    [SECRET]: 'hash',
  }),
  sign_in_sessions: personal('account_id = $1', 'created_at account_id seen_at expires_at proven_at device', {
    [SECRET]: 'hash',
    [INTERNAL]: 'id',
  }),
  account_totp: personal('account_id = $1', 'created_at account_id', { [SECRET]: 'secret', [INTERNAL]: 'last_step' }),
  account_recovery_codes: personal('account_id = $1', 'created_at account_id', { [SECRET]: 'hash' }),
  account_passkeys: personal('account_id = $1', 'created_at account_id name synced backed_up transports last_used_at', {
    [SECRET]: 'credential_id public_key',
    [INTERNAL]: 'id counter',
  }),
  sign_in_devices: personal('account_id = $1', 'created_at account_id failures expires_at', { [SECRET]: 'hash' }),
  sign_ups: personal('lower(email) = any($2)', 'purpose email name created_at expires_at', {
    [SECRET]: 'hash password_hash browser_hash',
    [INTERNAL]: 'staff_role return_to',
    [OTHERS]: 'invited_by',
  }),
  organization_members: personal('account_id = $1', 'organization_id account_id role created_at'),
  organizations: personal(
    'id in (select organization_id from platform.organization_members where account_id = $1)',
    'id name state created_at ended_at',
  ),
  organization_invitations: personal(
    'invited_by = $1 or email = any($2)',
    'id organization_id role created_at expires_at',
    { [OTHERS]: 'email invited_by', [SECRET]: 'link_hash' },
  ),
  apps: personal(
    'conditions_accepted_by = $1',
    'id name conditions_version conditions_accepted_by conditions_accepted_at',
    {
      'the organization’s, which its team sees in the portal': APP.replaceAll(/\s+/g, ' '),
    },
  ),
  // What an act was done to may be another person's account, and its details may name one.
  audit_entries: personal(
    'actor = $1 or subject = $1',
    'id at action',
    { [OTHERS]: 'actor subject details' },
    { subject: "case when subject = $1 or left(subject, 5) <> 'acct_' then subject end" },
  ),
  mails: personal(
    'lower(recipient) = any($2)',
    'created_at recipient due_at attempts failed_at',
    { 'it may hold a link that lets its reader in': 'letter', [INTERNAL]: 'id key last_error' },
    { subject: "letter->>'subject'" },
  ),
  ...impersonal(
    'belongs to an organization, whose team sees it in the portal',
    'app_keys app_logos app_programs app_secrets notices webhook_endpoints',
  ),
  ...impersonal(
    'keyed digests without a name, gone within a day',
    'idempotency_keys openid_states_used sign_in_attempts sign_in_tickets_used',
  ),
  ...impersonal('how the service works', 'migrations operator_keys'),
}

const EXPORTS = Object.entries(PLATFORM_TABLES).flatMap(([table, rule]) =>
  'none' in rule
    ? []
    : [
        [
          table,
          platformStatement<{ entry: string }>(`settings.export_${table}`, exportText(`platform.${table}`, rule)),
        ] as const,
      ],
)

type Person = { readonly account: Id<'account'>; readonly addresses: readonly string[] }

/** Table by table, so that no more than one is held at a time. */
export async function* platformRows(queries: PlatformQueries, { account, addresses }: Person) {
  for (const [table, statement] of EXPORTS) {
    const values = statement.text.includes('$2') ? [account, addresses] : [account]
    yield { table, rows: (await queries.many(statement, values)).map(({ entry }) => entry) }
  }
}
