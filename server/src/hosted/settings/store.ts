import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, WorldQueries } from '#system/postgres/database.ts'
import { platformStatement, statement } from '#system/postgres/statement.ts'

/**
 * The part of a table that is about one person and goes into the export. PLATFORM_TABLES and WORLD_TABLES must contain every
 * table, and every column of a table with personal data. personal-data.test.ts compares them with the schema, so the test fails
 * for a new table or column until we have decided whether it is exported.
 */
type PersonalTable = {
  /** An SQL condition for the person's rows. $1 is their account or user; $2 are their addresses, in lower case. */
  readonly mine: string
  readonly columns: readonly string[]
  /** SQL expressions for columns that are only partly exported, by their name in the export. */
  readonly made: Readonly<Record<string, string>>
  /** Columns that are not exported, with the reason. */
  readonly withheld: Readonly<Record<string, string>>
}

export type Classified = PersonalTable | { readonly none: string }

const SECRET = 'a secret, or the digest of one'
const INTERNAL = 'how the service works, and nothing about the person'
const OTHERS = 'about another person, or another party’s'

type Reasons = Readonly<Record<string, string>>

/** `withheld`: for each reason, the columns that are not exported. */
function personal(mine: string, columns: string, withheld: Reasons = {}, made: Reasons = {}): PersonalTable {
  const reasons = Object.entries(withheld).flatMap(([reason, names]) => names.split(' ').map((name) => [name, reason]))
  return { mine, columns: columns.split(' '), made, withheld: Object.fromEntries(reasons) }
}

/** Tables without personal data, with the reason. */
function impersonal(reason: string, tables: string): Readonly<Record<string, Classified>> {
  return Object.fromEntries(tables.split(' ').map((table) => [table, { none: reason }]))
}

/** The most rows of one table that are exported. The export names the tables that have more. */
export const ROWS_MAX = 10_000

/** The database converts the rows to JSON, so that JavaScript changes no value. */
function exportText(table: string, { mine, columns, made }: PersonalTable): string {
  // PostgreSQL needs a type for every parameter, even if `mine` uses only $2.
  const found = mine.includes('$1') ? mine : `$1::text is not null and ${mine}`
  const expressions = Object.entries(made).map(([name, sql]) => `${sql} as ${name}`)
  return `select to_jsonb(mine)::text as entry
    from (select ${[...columns, ...expressions].join(', ')} from ${table} where ${found} order by 1 limit ${ROWS_MAX + 1}) mine`
}

const APP = `organization_id description website_url setup_url api_version scopes suspended_at suspended_reason
  disabled_at state revision approved_at first_approved_at pii_requested_at pii_approved_at first_live_token_at
  first_installed_at created_at deleted_at legacy_id approval_requested_at approval_declined_at`

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
  sign_in_sessions: personal(
    'account_id = $1',
    'created_at account_id kind seen_at expires_at proven_at factor_at staff_seen_at device',
    {
      [SECRET]: 'hash code_challenge',
      [INTERNAL]: 'id',
    },
  ),
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
  earlier_acceptances: personal('account_id = $1', 'app_id version account_id accepted_at'),
  usage_conditions: personal('published_by = $1', 'version published_at published_by', {
    'public, at /conditions': 'text',
  }),
  // The subject of an entry may be another person's account; such a subject is not exported. The details may name another account
  // too, so no details are exported.
  audit_entries: personal(
    'actor = $1 or subject = $1',
    'id at action',
    {
      [OTHERS]: 'actor subject details reason reason_salt reason_digest',
      [INTERNAL]: 'by_operator request_id',
    },
    { subject: "case when subject = $1 or left(subject, 5) <> 'acct_' then subject end" },
  ),
  mails: personal(
    'lower(recipient) = any($2)',
    'created_at recipient due_at attempts failed_at',
    { 'it may contain a link that signs its reader in': 'letter', [INTERNAL]: 'id key last_error' },
    { subject: "letter->>'subject'" },
  ),
  ...impersonal(
    'belongs to an organization, whose team sees it in the portal',
    'app_keys app_logos app_programs app_secrets delivery_counts limit_use notices request_counts request_log webhook_endpoints',
  ),
  ...impersonal(
    'keyed digests without a name, deleted within a day',
    'openid_states_used sign_in_attempts sign_in_tickets_used',
  ),
  ...impersonal(
    'how the service works: the caller’s id, and the sealed response to a request, deleted within a day',
    'idempotency_keys',
  ),
  ...impersonal('how the service works', 'audit_digests job_runs migrations operator_keys waiting_counts'),
}

const PLATFORM_EXPORTS = Object.entries(PLATFORM_TABLES).flatMap(([table, rule]) =>
  'none' in rule
    ? []
    : [
        [
          table,
          platformStatement<{ entry: string }>(`settings.export_${table}`, exportText(`platform.${table}`, rule)),
        ] as const,
      ],
)

type AccountHolder = { readonly account: Id<'account'>; readonly addresses: readonly string[] }

/** Yields the rows table by table, so that the rows of at most one table are in memory. */
export async function* platformRows(queries: PlatformQueries, { account, addresses }: AccountHolder) {
  for (const [table, statement] of PLATFORM_EXPORTS) {
    const values = statement.text.includes('$2') ? [account, addresses] : [account]
    yield { table, rows: (await queries.many(statement, values)).map(({ entry }) => entry) }
  }
}

const CONNECTIONS = '(select id from installations where user_id = $1)'
const DERIVED = 'made from other columns, for sorting'

/** The tables of a world: `$1` is the user, `$2` every address that they have or had. */
export const WORLD_TABLES: Readonly<Record<string, Classified>> = {
  users: personal(
    'id = $1',
    'id name first_name legal_name email username bio avatar_url city state country location_hidden address accreditation certified_at created_at deactivated_at',
  ),
  former_addresses: personal('user_id = $1', 'address user_id'),
  company_people: personal('user_id = $1', 'company_id user_id role started_at ended_at', {
    [INTERNAL]: 'changed_position',
  }),
  follows: personal('user_id = $1', 'company_id user_id followed_at'),
  comments: personal(
    'author_id = $1',
    'id company_id parent_id author_id body disclosure_key highlighted likes_count posted_at removed_at',
    { [DERIVED]: 'question_id' },
  ),
  company_updates: personal(
    'author_id = $1',
    'id company_id author_id kind title content visibility pinned url likes_count comments_count published_at removed_at',
  ),
  offering_invitations: personal('user_id = $1', 'offering_id user_id invited_at'),
  investments: personal(
    'investor_id = $1',
    'id company_id offering_id currency investor_id status amount_cents last_amount_cents applied_at confirmed_at executed_at canceled_at status_before_cancel converted_at converted_to payment_state in_escrow_cents identity_state accreditation_state signature_state review_state hidden entity_name message external_username contracts shares average_share_price',
  ),
  investor_totals: personal('investor_id = $1', 'raise_id investor_id active_count total_cents latest_applied_at', {
    [INTERNAL]: 'last_occurred_at',
  }),
  secondary_sales: personal(
    'investment_id in (select id from investments where investor_id = $1)',
    'investment_id sold_at multiple',
  ),
  syndicate_managers: personal('user_id = $1', 'syndicate_id user_id permission started_at'),
  memberships: personal(
    'user_id = $1',
    'id syndicate_id user_id status invited_email joined_at created_at updated_at title directory_hidden public_on_syndicate_profile carry_percentage_override carry_discount_percentage management_fee_discount_percentage profile private_tags accredited',
    {
      [OTHERS]: 'approved_by',
      [DERIVED]: 'sort_order directory_key directory_place directory_tags',
      [INTERNAL]: 'last_occurred_at',
    },
  ),
  syndicate_invitations: personal(
    'user_id = $1 or email_key = any($2)',
    'id syndicate_id email name user_id permission invited_at last_invited_at times open withdrawn_at mailed_at mail_declined_at',
    { [OTHERS]: 'invited_by', [DERIVED]: 'email_key directory_key' },
  ),
  join_sessions: personal(
    'user_id = $1',
    'id syndicate_id status ineligible_reason user_id membership_id app_id metadata created_at expires_at applied',
    {
      [OTHERS]: 'success_url return_url frame_origins appearance theme_id theme_version theme_override_fingerprint',
      [INTERNAL]: 'installation_id last_occurred_at',
    },
  ),
  investment_sessions: personal(
    'user_id = $1 or lower(email) = any($2)',
    'id offering_id status email user_id allocation_cents metadata app_id kyc_status funding_status investment_id created_at started_at ended_at expires_at',
    { [OTHERS]: 'success_url', [INTERNAL]: 'installation_id' },
  ),
  invite_links: personal(
    'user_id = $1 or lower(email) = any($2)',
    'id offering_id per_person email user_id first_name last_name message allocation_cents max_uses opened_at declined_at canceled_at created_at mailed_at',
    {
      [OTHERS]: 'opened_by_user_id',
      [INTERNAL]: 'installation_id mail_due_at mail_attempts mail_failed_at mail_origin mail_kind',
    },
  ),
  intents: personal(
    'user_id = $1',
    'id app_id user_id installation_id action syndicate_id company_id params requested_by_agent impact_summary state decided_at rejection_reason execution_result failure executed_at expires_at created_at updated_at',
    {
      [OTHERS]: 'about_user_id decided_by',
      [INTERNAL]: 'content_digest repeat_key shown approved_digest attempts recorded_at',
    },
  ),
  referral_visits: personal('user_id = $1', 'company_id user_id clicked_at kept_until', { [OTHERS]: 'code_id' }),
  referral_credits: personal(
    'investor_id = $1',
    'investment_id app_id company_id investor_id clicked_at applied_at credited_at time_to_invest',
    { [OTHERS]: 'code_id', [INTERNAL]: 'standing_id' },
  ),
  activity_entries: personal(
    'user_id = $1',
    'id user_id app_id actor action resource_id changed_fields status error_type intent_id request_id occurred_at recorded_at',
  ),
  installations: personal(
    'user_id = $1 or installed_by_user_id = $1',
    'id app_id target_type company_id syndicate_id tier scopes by_default state installed_at installed_by_role installed_by_user_id revoked_at revoked_by_role superseded',
    { [OTHERS]: 'user_id', [INTERNAL]: 'pii_by recorded_at taken_scopes' },
  ),
  installation_uses: personal(`installation_id in ${CONNECTIONS}`, 'installation_id used_at'),
  access_tokens: personal(
    `installation_id in ${CONNECTIONS}`,
    'created_at kind app_id user_id installation_id scopes expires_at revoked_at',
    { [SECRET]: 'hash minted_with', [INTERNAL]: 'key_id family_id by_default generation echo_public' },
  ),
  refresh_families: personal(
    `installation_id in ${CONNECTIONS}`,
    'created_at app_id user_id installation_id scopes rotated_at expires_at revoked_at',
    {
      [SECRET]: 'name_hash head_hash previous_hash answer',
      [INTERNAL]: 'id key_id by_default generation echo_public',
    },
  ),
  authorization_codes: personal(
    `installation_id in ${CONNECTIONS}`,
    'created_at app_id user_id installation_id scopes expires_at consumed_at revoked_at',
    { [SECRET]: 'hash code_challenge', [INTERNAL]: 'key_id redirect_uri by_default generation family_id echo_public' },
  ),
  events: personal(
    'user_id = $1 and identity is not null',
    'id name occurred_at company_id syndicate_id user_id offering_id investment_id membership_id join_session_id investment_session_id installation_id app_id',
    {
      'what apps received: the tables above contain the data about the person, and the rest is about others':
        'data identity',
      [INTERNAL]: 'recorded_at fact_id clock_ahead trace',
    },
  ),
  // The text of a fact and its error may name other people too.
  refused_facts: personal(
    'subjects && (array[$1]::text[] || $2::text[])',
    'refused_at fact_id type times dismissed_at',
    {
      [OTHERS]: 'subjects body error',
      [INTERNAL]: 'id key',
    },
  ),
  ...impersonal(
    'about companies, offerings and syndicates; people are in other tables',
    'companies company_grams company_names company_pitches exits fund_holdings offering_disclosures offering_perks offering_stats offerings past_rounds raises syndicate_deals syndicates valuations',
  ),
  ...impersonal(
    'made from tables that are exported',
    'catalog_changes catalog_entries catalog_raise_investors catalog_revision investment_changes ledger ledger_batches ledger_departures ledger_epochs ledger_heads',
  ),
  ...impersonal(
    'data of an app about codes and weeks, without a person’s id',
    'referral_calendar referral_changes referral_code_counts referral_code_spans referral_codes referral_cohorts referral_rows referral_rows_shown referral_tellings referral_token_keys referral_weeks',
  ),
  ...impersonal(
    'data of an app: the states of its deliveries and links, without bodies',
    'deferred_events delivery_history delivery_parcels delivery_queue delivery_stops event_queue event_stream event_stream_queue event_stream_entries invite_link_events invite_link_uses join_themes webhook_lanes',
  ),
  ...impersonal(
    'how the service works; ids and fingerprints',
    'clock_moves disabled_holders facts idempotency_keys refused_fact_days refused_fact_erasures world_clock',
  ),
}

const WORLD_EXPORTS = Object.entries(WORLD_TABLES).flatMap(([table, rule]) =>
  'none' in rule
    ? []
    : [[table, statement<{ entry: string }>(`settings.export_world_${table}`, exportText(table, rule))] as const],
)

type WorldUser = { readonly user: Id<'user'>; readonly addresses: readonly string[] }

/** Yields the rows table by table, so that the rows of at most one table are in memory. */
export async function* worldRows(queries: WorldQueries, { user, addresses }: WorldUser) {
  for (const [table, rows] of WORLD_EXPORTS) {
    const values = rows.text.includes('$2') ? [user, addresses] : [user]
    yield { table, rows: (await queries.many(rows, values)).map(({ entry }) => entry) }
  }
}

const ADDRESSES = statement<{ address: string }>(
  'settings.addresses_of_user',
  `select lower(email) as address from users where id = $1 and email is not null
   union select lower(address) from former_addresses where user_id = $1`,
)

/** All current and former addresses of the person: records from before the person registered are found by address. */
export async function addressesOfUser(queries: WorldQueries, user: Id<'user'>): Promise<readonly string[]> {
  return (await queries.many(ADDRESSES, [user])).map(({ address }) => address)
}

/** A user of a world, as the user's own account shows it. A deactivated user has no name. */
export type OwnUser = { readonly id: Id<'user'>; readonly name: string | null; readonly deactivated: boolean }

const USER = statement<OwnUser>(
  'settings.user_of_account',
  `select u.id, u.name, u.deactivated_at is not null as deactivated
     from platform.account_users a join users u on u.id = a.user_id
    where a.account_id = $1 and a.world = $2`,
)

/** The account's user in the world of `queries`; null if it has none there. */
export async function ownUser(
  { queries, world }: { readonly queries: WorldQueries; readonly world: string },
  account: Id<'account'>,
): Promise<OwnUser | null> {
  return queries.maybeOne(USER, [account, world])
}
