import { DatabaseError } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  for (const world of ['test', 'live']) for (const table in WORLD) await insert(`${world}.${table}`)
  for (const table in PLATFORM) await insert(`platform.${table}`)
  for (const [table, change] of MORE_ROWS) await insert(`${schemaOf(table)}.${table}`, change)
})
afterAll(() => db.close())

type Row = Record<string, unknown>

const id = (prefix: string, number: number) => `${prefix}_${String(number).padStart(24, '0')}`
let count = 100
const fresh = (prefix: string) => id(prefix, count++)

const [USER, OTHER_USER, NOBODY] = [id('usr', 1), id('usr', 2), id('usr', 9)]
const [COMPANY, OTHER_COMPANY] = [id('co', 1), id('co', 2)]
const [RAISE, OTHER_RAISE, EURO_RAISE] = [id('rse', 1), id('rse', 2), id('rse', 3)]
const [OFFERING, SISTER, FOREIGN, EURO] = [id('ofr', 1), id('ofr', 2), id('ofr', 3), id('ofr', 4)]
const [INVESTMENT, COMMENT, SYNDICATE, MEMBERSHIP] = [id('inv', 1), id('cmt', 1), id('syn', 1), id('mem', 1)]
const UPDATE = id('upd', 1)
const [EVENT, ACCOUNT, OTHER_ACCOUNT, ORGANIZATION] = [id('evt', 1), id('acct', 1), id('acct', 2), id('org', 1)]
const [NOW, LATER] = ['2026-11-15T08:30:00.000001Z', '2026-12-15T08:30:00Z']
const HASH = Buffer.alloc(32, 1)
const BEYOND_JSON = '9007199254741000'

/**
 * Valid rows of the tables that this file tests. The first row of a table has the id to which other rows refer. Later
 * rows have other ids.
 */
const WORLD: Record<string, (first: boolean) => Row> = {
  users: (first) => ({ id: first ? USER : fresh('usr'), name: 'Ada', email: `ada${count++}@example.org` }),
  companies: (first) => ({ id: first ? COMPANY : fresh('co'), name: 'Acme', page_url: '/acme' }),
  company_people: () => ({ company_id: COMPANY, user_id: USER, role: 'founder', started_at: NOW }),
  past_rounds: () => ({ company_id: COMPANY, ordinal: 1, exemption: 'other' }),
  follows: () => ({ user_id: USER, company_id: COMPANY }),
  comments: (first) => ({ id: first ? COMMENT : fresh('cmt'), company_id: COMPANY, author_id: USER, body: 'Why now?' }),
  raises: (first) => ({ id: first ? RAISE : fresh('rse'), company_id: COMPANY, currency: 'usd' }),
  offerings: (first) => ({
    id: first ? OFFERING : fresh('ofr'),
    company_id: COMPANY,
    raise_id: RAISE,
    currency: 'usd',
    exemption: 'reg_cf',
    security_type: 'safe',
    security_terms: '{}',
  }),
  offering_invitations: () => ({ offering_id: OFFERING, user_id: USER }),
  company_pitches: () => ({
    company_id: COMPANY,
    authored_by: 'company',
    blocks: '[]',
    inline_images_omitted: 0,
    published_at: NOW,
  }),
  offering_perks: () => ({ offering_id: OFFERING, tiers: '[]' }),
  offering_disclosures: () => ({ offering_id: OFFERING, sections: '{}', hidden: [], filed_at: NOW }),
  company_updates: (first) => ({
    id: first ? UPDATE : fresh('upd'),
    company_id: COMPANY,
    kind: 'update',
    content: 'News',
    visibility: 'public',
    pinned: false,
    likes_count: 0,
    comments_count: 0,
    published_at: NOW,
  }),
  investments: (first) => ({
    id: first ? INVESTMENT : fresh('inv'),
    company_id: COMPANY,
    offering_id: OFFERING,
    currency: 'usd',
    investor_id: USER,
    status: 'active',
    amount_cents: 25_000,
    last_amount_cents: 25_000,
    applied_at: NOW,
  }),
  investor_totals: () => ({ raise_id: RAISE, investor_id: USER, last_occurred_at: NOW }),
  investment_changes: () => ({ kind: 'investment', id: INVESTMENT }),
  valuations: () => ({ offering_id: OFFERING, valued_at: NOW, multiple: '1.5' }),
  exits: () => ({ offering_id: OFFERING, status: 'exited', exited_at: NOW }),
  secondary_sales: () => ({ investment_id: INVESTMENT, sold_at: NOW, multiple: '2' }),
  syndicates: (first) => ({ id: first ? SYNDICATE : fresh('syn'), name: 'Angels', slug: `angels-${count++}` }),
  syndicate_managers: () => ({ syndicate_id: SYNDICATE, user_id: USER, permission: 'full_access' }),
  syndicate_deals: () => ({ syndicate_id: SYNDICATE, offering_id: OFFERING }),
  memberships: (first) => ({
    id: first ? MEMBERSHIP : fresh('mem'),
    syndicate_id: SYNDICATE,
    user_id: first ? USER : OTHER_USER,
    status: 'pending',
    last_occurred_at: NOW,
  }),
  syndicate_invitations: () => ({
    syndicate_id: SYNDICATE,
    email: 'Eve@example.org',
    invited_by: USER,
    invited_at: NOW,
    last_invited_at: NOW,
  }),
  join_sessions: () => ({ id: fresh('js'), syndicate_id: SYNDICATE, created_at: NOW, expires_at: LATER }),
  investment_sessions: () => ({
    id: fresh('is'),
    offering_id: OFFERING,
    email: 'eve@example.org',
    created_at: NOW,
    expires_at: LATER,
  }),
  facts: () => ({
    id: `fact-${count++}`,
    type: 'investment.created',
    occurred_at: NOW,
    fingerprint: HASH,
  }),
  events: (first) => ({ id: first ? EVENT : fresh('evt'), name: 'investment.created', occurred_at: NOW, data: '{}' }),
  event_queue: () => ({ event_id: EVENT }),
}

const PLATFORM: typeof WORLD = {
  accounts: (first) => ({ id: first ? ACCOUNT : fresh('acct'), email: `dev${count++}@example.org`, name: 'Dev' }),
  account_users: () => ({ account_id: ACCOUNT, world: 'test', user_id: USER }),
  organizations: (first) => ({ id: first ? ORGANIZATION : fresh('org'), name: 'Partner' }),
  organization_members: () => ({ organization_id: ORGANIZATION, account_id: ACCOUNT, role: 'owner' }),
  organization_invitations: () => ({
    id: fresh('oi'),
    organization_id: ORGANIZATION,
    email: `guest${count++}@example.org`,
    role: 'developer',
    invited_by: ACCOUNT,
  }),
  operator_keys: () => ({ id: fresh('opk'), world: 'test', name: 'feed', secret_hash: HASH }),
  audit_entries: () => ({ actor: 'system', action: 'app.created', subject: ORGANIZATION }),
}
const schemaOf = (table: string) => (table in PLATFORM ? 'platform' : 'test')

const MORE_ROWS: [string, Row][] = [
  ['users', { id: OTHER_USER, email: 'Taken@example.org', username: 'Ada' }],
  ['companies', { id: OTHER_COMPANY, kind: 'fund', slug: 'fund' }],
  ['fund_holdings', { fund_id: OTHER_COMPANY, company_id: COMPANY }],
  ['raises', { id: OTHER_RAISE, company_id: OTHER_COMPANY }],
  ['raises', { id: EURO_RAISE, currency: 'eur' }],
  ['offerings', { id: SISTER }],
  ['offerings', { id: FOREIGN, company_id: OTHER_COMPANY, raise_id: OTHER_RAISE }],
  ['offerings', { id: EURO, raise_id: EURO_RAISE, currency: 'eur' }],
  ['accounts', { id: OTHER_ACCOUNT }],
]

async function insert(table: string, change: Row | null = null): Promise<void> {
  const name = table.replace(/^\w+\./, '')
  const row = { ...(WORLD[name] ?? PLATFORM[name])?.(change === null), ...change }
  const columns = Object.keys(row)
  const places = columns.map((_, index) => `$${index + 1}`)
  await db.sql(`insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`, Object.values(row))
}

/** Returns the name of the constraint that rejects the work, or of the trigger that acts as a constraint. */
async function refusal(work: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await work.then(
    () => new Error('no constraint rejected the row'),
    (error) => error,
  )
  if (!(error instanceof DatabaseError) || error.constraint === undefined) throw error
  return error.constraint
}

const COPIED_TO_GRANTS = ['key_id', 'app_id', 'user_id', 'scopes']
const SUBJECTS_OF_TOKENS = ['key_id', 'app_id', 'scopes']
const SUBJECTS_OF_EVENTS = [
  'company_id',
  'syndicate_id',
  'user_id',
  'offering_id',
  'investment_id',
  'membership_id',
  'join_session_id',
  'investment_session_id',
  'installation_id',
  'app_id',
]

const CANCELED = { status: 'canceled', canceled_at: NOW, status_before_cancel: 'active' }

/** For each table: a fault of the row, and the constraint (without the table's name) that rejects the row. */
const REFUSED: Record<string, [string, Row][]> = {
  users: [
    ['id_form', { id: 'usr_short' }],
    ['id_form', { id: `${USER}\n` }],
    ['name_length', { name: 'x'.repeat(201) }],
    ['email_form', { email: 'nobody' }],
    ['email_key', { email: 'tAKEN@example.org' }],
    ['username_key', { username: 'aDA' }],
    ['avatar_url_form', { avatar_url: '//elsewhere.example/x.png' }],
    ['address_object', { address: '"here"' }],
    ['accreditation_known', { accreditation: 'rich' }],
    ['named_while_active', { email: null }],
    ['erased_when_deactivated', { deactivated_at: NOW }],
    ['erased_when_deactivated', { deactivated_at: NOW, name: null }],
  ],
  companies: [
    ['slug_key', { slug: 'fund' }],
    ['kind_known', { kind: 'club' }],
    ['page_url_form', { page_url: 'javascript:alert(1)' }],
    ['industries_known', { industries: ['robotics', 'alchemy'] }],
    ['industries_known', { industries: [null] }],
    ['business_models_known', { business_models: ['b2z'] }],
  ],
  company_people: [
    ['role_known', { role: 'owner' }],
    ['pkey', {}],
    ['user_fkey', { user_id: NOBODY }],
    ['ended_after_start', { role: 'editor', started_at: LATER, ended_at: NOW }],
  ],
  past_rounds: [
    ['exemption_known', { exemption: 'reg_x' }],
    ['amount_whole_units', { amount_raised_cents: 150, currency: 'usd' }],
    ['amount_has_currency', { amount_raised_cents: 100 }],
  ],
  follows: [['company_fkey', { company_id: id('co', 9) }]],
  comments: [
    ['parent_fkey', { parent_id: COMMENT, company_id: OTHER_COMPANY }],
    ['body_length', { body: '' }],
    ['disclosure_key_known', { disclosure_key: 'friend' }],
  ],
  company_pitches: [
    ['pkey', {}],
    ['author_known', { authored_by: 'somebody' }],
    ['disclaimer_of_platform', { disclaimer: 'Not ours' }],
    ['disclaimer_of_platform', { authored_by: 'platform' }],
    ['blocks_list', { blocks: '{}' }],
  ],
  offering_perks: [['tiers_list', { tiers: '{}' }]],
  offering_disclosures: [
    ['sections_object', { sections: '[]' }],
    ['hidden_known', { hidden: ['secrets'] }],
  ],
  company_updates: [
    ['pkey', { id: UPDATE }],
    ['id_form', { id: 'upd_1' }],
    ['kind_form', { kind: 'Big News' }],
    ['visibility_known', { visibility: 'friends' }],
    ['url_form', { url: 'javascript:alert(1)' }],
    ['likes_not_negative', { likes_count: -1 }],
    ['author_fkey', { author_id: NOBODY }],
  ],
  raises: [['currency_form', { currency: 'USD' }]],
  offerings: [
    ['raise_fkey', { raise_id: OTHER_RAISE }],
    ['raise_fkey', { currency: 'eur' }],
    ['status_known', { status: 'paused', opens_at: NOW }],
    ['exemption_known', { exemption: 'reg_d' }],
    ['506b_never_listed', { exemption: 'reg_d_506b', listed: true }],
    ['506c_accredited_only', { exemption: 'reg_d_506c' }],
    ['security_type_known', { security_type: 'token' }],
    ['security_terms_object', { security_terms: '[]' }],
    ['security_whole', { security_terms: null }],
    ['security_undecided_only_testing', { security_type: null, security_terms: null }],
    ['intended_security_only_testing', { intended_security_type: 'safe' }],
    ['intended_security_type_known', { intended_security_type: 'other', testing_the_waters: true }],
    ['funding_target_whole_units', { funding_target_cents: BEYOND_JSON }],
    ['min_investment_whole_units', { min_investment_cents: 150 }],
    ['max_not_below_min', { min_investment_cents: 200, max_investment_cents: 100 }],
    ['opens_before_closing', { opens_at: LATER, closes_at: NOW }],
    ['opened_dated', { status: 'open' }],
    ['closed_dated', { status: 'closed', opens_at: NOW }],
    ['canceled_dated', { canceled_at: NOW }],
  ],
  investments: [
    ['offering_fkey', { offering_id: FOREIGN }],
    ['offering_fkey', { currency: 'eur' }],
    ['investor_fkey', { investor_id: NOBODY }],
    ['amount_null_only_canceled', { amount_cents: null }],
    ['amount_null_only_canceled', { amount_cents: 100 }],
    ['state_dated', { ...CANCELED, canceled_at: null }],
    ['state_dated', { canceled_at: NOW }],
    ['canceled_returnable', { ...CANCELED, status_before_cancel: null }],
    ['state_dated', { status: 'executed' }],
    ['state_dated', { executed_at: NOW }],
    ['state_dated', { status: 'converted' }],
    ['state_dated', { converted_at: NOW }],
    ['successor_only_converted', { converted_to: INVESTMENT }],
    [
      'successor_only_converted',
      { id: id('inv', 8), status: 'converted', converted_at: NOW, converted_to: id('inv', 8) },
    ],
    ['converted_to_fkey', { status: 'converted', converted_at: NOW, converted_to: id('inv', 9) }],
    ['shares_priced', { shares: '12.5' }],
  ],
  investor_totals: [
    ['zero_when_none_active', { total_cents: 100 }],
    ['zero_when_none_active', { active_count: 1 }],
    ['zero_when_none_active', { active_count: -1, total_cents: 100 }],
    ['raise_fkey', { raise_id: id('rse', 9) }],
  ],
  investment_changes: [
    ['id_of_kind', { id: USER }],
    ['id_of_kind', { kind: 'offering', id: INVESTMENT }],
    ['id_of_kind', { kind: 'company', id: INVESTMENT }],
    ['id_of_kind', { kind: 'access', id: INVESTMENT, company_id: COMPANY }],
    ['company_of_access', { kind: 'access', id: USER }],
    ['company_of_access', { company_id: COMPANY }],
  ],
  valuations: [['one_basis', { share_price: '1' }]],
  exits: [
    ['reason_known', { reason: 'boredom' }],
    ['status_known', { status: 'sold' }],
  ],
  secondary_sales: [['multiple_range', { multiple: '-1' }]],
  fund_holdings: [['not_itself', { fund_id: COMPANY, company_id: COMPANY }]],
  syndicates: [
    ['type_known', { syndicate_type: 'club', fund_terms: '{}' }],
    ['fund_whole', { syndicate_type: 'traditional_fund' }],
    ['primary_fund_company_fkey', { primary_fund_company_id: id('co', 9) }],
    ['member_countries_bounded', { member_countries: ['usa'] }],
  ],
  syndicate_managers: [['permission_known', { permission: 'member' }]],
  memberships: [
    ['syndicate_user_key', { user_id: USER }],
    ['status_known', { status: 'invited' }],
    ['pending_unapproved', { approved_by: USER }],
    ['approved_by_somebody', { status: 'approved' }],
    ['member_joined', { status: 'member' }],
    ['carry_percentage_override_range', { carry_percentage_override: 101 }],
    ['profile_object', { profile: '[]' }],
  ],
  syndicate_invitations: [
    ['pkey', { email: 'eVE@example.org' }],
    ['id_form', { email: 'other@example.org', id: 'inv_1' }],
  ],
  join_sessions: [
    ['status_known', { status: 'completed' }],
    ['ineligible_reasoned', { status: 'ineligible' }],
    ['ineligible_reasoned', { ineligible_reason: 'blocked' }],
    ['ineligible_reason_known', { status: 'ineligible', ineligible_reason: 'mood' }],
    ['finished_by_somebody', { status: 'joined' }],
    ['theme_whole', { theme_id: 'dark' }],
    ['theme_override_form', { theme_override_fingerprint: 'abc' }],
    ['expires_after_creation', { expires_at: NOW }],
    ['return_url_form', { return_url: 'javascript:alert(1)' }],
    ['frame_origins_bounded', { frame_origins: [] }],
    ['appearance_framed', { appearance: '{}' }],
    ['app_fkey', { app_id: 'app_000000000000000000000000' }],
  ],
  investment_sessions: [
    ['status_known', { status: 'open' }],
    ['has_recipient', { email: null }],
    ['allocation_whole_units', { allocation_cents: 50 }],
    ['completed_by_investment', { status: 'completed', ended_at: NOW }],
    ['ended_dated', { status: 'expired' }],
    ['success_url_form', { success_url: 'javascript:alert(1)' }],
  ],
  event_queue: [['event_key', {}]],
  accounts: [['password_hash_form', { password_hash: 'hunter2' }]],
  account_users: [
    ['pkey', { user_id: OTHER_USER }],
    ['test_user_fkey', { account_id: OTHER_ACCOUNT, user_id: NOBODY }],
    ['live_user_fkey', { world: 'live', user_id: OTHER_USER }],
  ],
  organizations: [['ended_dated', { state: 'ended' }]],
  organization_members: [['role_known', { role: 'guest' }]],
  organization_invitations: [
    ['id_form', { id: ORGANIZATION }],
    ['email_form', { email: 'Eve@example.org' }],
    ['email_form', { email: 'nobody' }],
    ['role_known', { role: 'guest' }],
    ['expires_later', { expires_at: '2020-01-01T00:00:00Z' }],
    ['organization_fkey', { organization_id: id('org', 9) }],
    ['invited_by_fkey', { invited_by: id('acct', 9) }],
  ],
  operator_keys: [
    ['secret_hash_key', {}],
    ['secret_hash_length', { secret_hash: Buffer.alloc(16) }],
  ],
  audit_entries: [['details_object', { details: '[]' }]],
}

const amounts = (cents: unknown) => ({ amount_cents: cents, last_amount_cents: cents })
const shares = (number: string) => ({ shares: number, average_share_price: number })

/** Like `REFUSED`, for columns whose rule is a domain. The constraint is named after the domain. */
const REFUSED_BY_DOMAIN: typeof REFUSED = {
  investments: [
    ['investment_id_form', { id: 'inv_short' }],
    ['investment_id_form', { id: `${INVESTMENT}0` }],
    ['investment_id_form', { id: `${INVESTMENT.slice(0, -1)}-` }],
    ['investment_id_form', { id: `${INVESTMENT}\n` }],
    ['investment_status_known', { status: 'pending' }],
    ['positive_cents_whole_units', amounts(0)],
    ['positive_cents_whole_units', amounts(-100)],
    ['positive_cents_whole_units', amounts(25_001)],
    ['positive_cents_whole_units', amounts(BEYOND_JSON)],
    ['cancelable_status_known', { ...CANCELED, status_before_cancel: 'executed' }],
    ['payment_state_known', { payment_state: 'lost' }],
    ['cents_whole_units', { in_escrow_cents: -100 }],
    ['cents_whole_units', { in_escrow_cents: 150 }],
    ['cents_whole_units', { in_escrow_cents: BEYOND_JSON }],
    ['check_state_known', { identity_state: 'maybe' }],
    ['check_state_known', { accreditation_state: 'maybe' }],
    ['check_state_known', { signature_state: 'maybe' }],
    ['check_state_known', { review_state: 'maybe' }],
    ['text_200_length', { entity_name: 'x'.repeat(201) }],
    ['text_5000_length', { message: 'x'.repeat(5001) }],
    ['text_5000_length', { message: '' }],
    ['text_100_length', { external_username: 'x'.repeat(101) }],
    ['contract_list_array', { contracts: '{}' }],
    ['contract_list_array', { contracts: JSON.stringify(['x'.repeat(10_000)]) }],
    ['share_number_range', shares('NaN')],
    ['share_number_range', shares('0')],
    ['share_number_range', shares('1e18')],
    ['share_number_range', shares('0.12345678901')],
  ],
  investor_totals: [
    ['investor_total_whole_units', { active_count: 1, total_cents: 150 }],
    ['investor_total_whole_units', { active_count: 1, total_cents: -100 }],
    ['investor_total_whole_units', { active_count: 1, total_cents: BEYOND_JSON }],
  ],
  investment_changes: [
    ['change_kind_known', { kind: 'weather', id: USER }],
    ['changed_id_form', { id: 'inv_short' }],
    ['changed_id_form', { id: SYNDICATE }],
    ['changed_id_form', { kind: 'company', id: `${COMPANY}0` }],
    ['changed_id_form', { id: `${INVESTMENT.slice(0, -1)}_` }],
  ],
  facts: [
    ['fact_id_form', { id: 'two words' }],
    ['fact_id_form', { id: 'x'.repeat(101) }],
    ['fact_id_form', { id: '' }],
    ['fact_id_form', { id: 'line\n' }],
    ['fact_id_form', { id: 'ß' }],
    ['fact_type_form', { type: 'created' }],
    ['fact_type_form', { type: 'a.b.c.d' }],
    ['fact_type_form', { type: `a.b.${'c'.repeat(41)}` }],
    ['fact_type_form', { type: `a.${'b'.repeat(41)}` }],
    ['fact_type_form', { type: `${'a'.repeat(41)}.b` }],
    ['fact_fingerprint_length', { fingerprint: Buffer.alloc(31) }],
  ],
  events: [
    ['event_id_form', { id: INVESTMENT }],
    ['event_name_form', { name: 'created' }],
    ['event_name_form', { name: 'a.b.c' }],
    ['event_name_form', { name: `${'a'.repeat(41)}.b` }],
    ['event_name_form', { name: `a.${'b'.repeat(41)}` }],
    ['fact_id_form', { fact_id: 'two words' }],
    ['event_data_object', { data: '[]' }],
    ['event_data_object', { data: JSON.stringify({ much: 'x'.repeat(65_536) }) }],
    ['event_identity_object', { identity: 'null' }],
    ['event_identity_object', { identity: JSON.stringify({ much: 'x'.repeat(20_000) }) }],
  ],
}

describe.each(Object.entries(REFUSED_BY_DOMAIN))('%s', (table, cases) => {
  test.each(cases)('domain constraint %s rejects %o', async (constraint, change) => {
    expect(await refusal(insert(`test.${table}`, change))).toBe(constraint)
  })
})

describe.each(Object.entries(REFUSED))('%s', (table, cases) => {
  test.each(cases)('%s rejects %j', async (constraint, change) => {
    expect(await refusal(insert(`${schemaOf(table)}.${table}`, change))).toBe(`${table}_${constraint}`)
  })
})

describe('columns that never change', () => {
  const update = (text: string) => refusal(db.sql(`update ${text}`))

  test.each([
    ['investments_investor_immutable', `test.investments set investor_id = '${OTHER_USER}'`],
    ['investments_company_immutable', `test.investments set company_id = '${OTHER_COMPANY}'`],
    ['offerings_company_immutable', `test.offerings set company_id = '${OTHER_COMPANY}' where id = '${SISTER}'`],
    ['offerings_raise_immutable', `test.offerings set raise_id = '${EURO_RAISE}' where id = '${SISTER}'`],
    ['memberships_person_immutable', `test.memberships set user_id = '${OTHER_USER}'`],
    ['audit_entries_append_only', `platform.audit_entries set action = 'nothing'`],
  ])('%s', async (name, text) => {
    expect(await update(text)).toBe(name)
  })

  test('an audit entry is not deleted either', async () => {
    expect(await refusal(db.sql('delete from platform.audit_entries'))).toBe('audit_entries_append_only')
  })

  test('an investment moves only within its company and currency', async () => {
    const move = (offering: string) => `test.investments set offering_id = '${offering}' where id = '${INVESTMENT}'`
    expect(await update(move(FOREIGN))).toBe('investments_offering_fkey')
    expect(await update(move(EURO))).toBe('investments_offering_fkey')
    await db.sql(`update ${move(SISTER)}`)
    await db.sql(`update ${move(OFFERING)}`)
  })
})

describe('valid rows', () => {
  test('an investment canceled by an edit to zero has no amount, and stores the last amount for reinstatement', async () => {
    await expect(insert('test.investments', { ...CANCELED, amount_cents: null })).resolves.not.toThrow()
  })

  test('an investment has one successor, which succeeds no other investment', async () => {
    const converted = { status: 'converted', converted_at: NOW, converted_to: INVESTMENT }
    await insert('test.investments', converted)
    expect(await refusal(insert('test.investments', converted))).toBe('investments_converted_to_key')
    await insert('test.investments', { ...converted, converted_to: null })
  })

  test('a deactivated user has no data about the person', async () => {
    const user = { name: null, email: null, deactivated_at: NOW }
    await expect(insert('test.users', user)).resolves.not.toThrow()
  })

  test('an account has a user in each world, and two accounts never have the same user', async () => {
    await insert('platform.account_users', { world: 'live' })
    const sameUser = insert('platform.account_users', { account_id: OTHER_ACCOUNT })
    expect(await refusal(sameUser)).toBe('account_users_user_key')
  })
})

/** The query covers every table and the partitions of partitioned tables. */
const UNBOUNDED = `
  select a.attrelid::regclass || '.' || attname as found
    from pg_attribute a join pg_class c on c.oid = attrelid join pg_type t on t.oid = atttypid
   where relnamespace in ('test'::regnamespace, 'platform'::regnamespace) and relkind in ('r', 'p') and attnum > 0
     and coalesce(nullif(typbasetype, 0), atttypid) in ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype)
     and attgenerated = '' and relname <> 'migrations'
     and not exists (select from pg_constraint k where contypid = atttypid
       or (conrelid = attrelid and attnum = any (conkey) and contype in ('c', 'f')))
   order by a.attrelid::regclass::text, attnum`

const UNBOUNDED_AMOUNTS = `
  select a.attrelid::regclass || '.' || attname as found
    from pg_attribute a join pg_class c on c.oid = attrelid
   where relnamespace = 'test'::regnamespace and relkind in ('r', 'p') and attname like '%\\_cents'
     and not exists (select from pg_constraint k,
       lateral (select pg_get_constraintdef(k.oid) as rule, case contypid when 0 then attname else 'VALUE' end as value) r
       where (contypid = atttypid or (conrelid = attrelid and attnum = any (conkey)))
         and strpos(rule, value || ' <= ''9007199254740991''') > 0 and strpos(rule, value || ' % (100)') > 0)
   order by 1`

/** A partition has the constraints of its table, with the same names. */
const MISNAMED = `
  select conname as found
    from pg_constraint k left join pg_class c on c.oid = conrelid left join pg_type t on t.oid = contypid
    left join pg_inherits part on part.inhrelid = c.oid left join pg_class whole on whole.oid = part.inhparent
   where connamespace in ('test'::regnamespace, 'platform'::regnamespace) and c.relname is distinct from 'migrations'
     and not starts_with(conname, coalesce(whole.relname, c.relname, typname) || '_')`

const findings = async (query: string) => (await db.sql<{ found: string }>(query)).map(({ found }) => found)

/** Returns what the query finds only after this change, which is then rolled back. */
async function foundAfter(query: string, change: string): Promise<string[]> {
  const before = await findings(query)
  await db.sql('begin')
  try {
    await db.sql(change)
    return (await findings(query)).filter((place) => !before.includes(place))
  } finally {
    await db.sql('rollback')
  }
}

describe('the database schema', () => {
  test('bounds every text, array and json column by a check, a domain or a foreign key', async () => {
    expect(await findings(UNBOUNDED)).toEqual([
      'platform.account_users.user_id',
      // These are copies of values that the same transaction checks at their source.
      ...SUBJECTS_OF_TOKENS.map((column) => `test.access_tokens.${column}`),
      ...COPIED_TO_GRANTS.map((column) => `test.authorization_codes.${column}`),
      // These are ids of users with a disabled account and of their connections, copied from other tables.
      'test.disabled_holders.holder_id',
      'test.event_queue.event_id',
      ...SUBJECTS_OF_EVENTS.map((column) => `test.events.${column}`),
      ...COPIED_TO_GRANTS.map((column) => `test.refresh_families.${column}`),
    ])
  })

  test.each([
    ['of a table', 'create table test.a (b text)', ['test.a.b']],
    ['of the platform', 'create table platform.a (b text[])', ['platform.a.b']],
    ['of a partitioned table', 'create table test.a (b jsonb, c int) partition by range (c)', ['test.a.b']],
    ['of a domain without a rule', 'create domain test.d as text; create table test.a (b test.d)', ['test.a.b']],
    [
      'of a partitioned table and its parts',
      'alter table test.delivery_history add d text',
      ['test.delivery_history.d', 'test.delivery_history_rest.d'],
    ],
  ])('an unbounded column %s is found', async (_, change, places) => {
    expect(await foundAfter(UNBOUNDED, change)).toEqual(expect.arrayContaining(places))
  })

  test('bounds every amount to integers that JSON can represent', async () => {
    expect(await findings(UNBOUNDED_AMOUNTS)).toEqual([
      // This column is null or equals last_amount_cents, which is bounded.
      'test.investments.amount_cents',
      // These are sums of bounded amounts. If the ledger rejected a sum, it would stop publishing.
      'test.offering_stats.committed_cents',
      'test.offering_stats.raised_cents',
    ])
  })

  test.each([
    'create table test.a (b_cents bigint)',
    'create table test.a (b_cents bigint, c int) partition by range (c)',
    'create table test.a (b_cents bigint constraint a_b check (b_cents % 100 = 0))',
  ])('an amount that is not checked for both whole units and a maximum is found: %s', async (change) => {
    expect(await foundAfter(UNBOUNDED_AMOUNTS, change)).toEqual(['test.a.b_cents'])
  })

  test('names every constraint after its table or its domain', async () => {
    expect(await findings(MISNAMED)).toEqual([])
  })

  test.each([
    ['of a table', 'create table test.a (b int constraint positive check (b > 0))'],
    ['of a partitioned table', 'create table test.a (b int constraint positive check (b > 0)) partition by range (b)'],
    [
      'that only a partition has',
      `alter table test.delivery_history_rest add constraint positive check (state <> 'lost')`,
    ],
    ['of a domain', 'create domain test.a as int constraint positive check (value > 0)'],
  ])('a constraint %s that is not named after its table or domain is found', async (_, change) => {
    expect(await foundAfter(MISNAMED, change)).toEqual(['positive'])
  })

  test('has no domain without a rule and no domain over another, because the tests above check only one level', async () => {
    const wrong = await db.sql<{ typname: string }>(`
      select t.typname from pg_type t join pg_type base on base.oid = t.typbasetype
       where t.typtype = 'd' and t.typnamespace in ('test'::regnamespace, 'platform'::regnamespace)
         and (base.typtype = 'd' or not exists (select from pg_constraint where contypid = t.oid and contype = 'c'))`)
    expect(wrong).toEqual([])
  })
})
