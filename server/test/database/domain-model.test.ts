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
const [EVENT, ACCOUNT, OTHER_ACCOUNT, ORGANIZATION] = [id('evt', 1), id('acct', 1), id('acct', 2), id('org', 1)]
const [NOW, LATER] = ['2026-11-15T08:30:00.000001Z', '2026-12-15T08:30:00Z']
const HASH = Buffer.alloc(32, 1)
const BEYOND_JSON = '9007199254741000'

/** A valid row of every table. The first one has the id others point to; every later one is another row. */
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
    outcome: 'applied',
  }),
  import_progress: () => ({ file_fingerprint: HASH, file_name: 'facts.ndjson' }),
  events: (first) => ({ id: first ? EVENT : fresh('evt'), name: 'investment.created', occurred_at: NOW, data: '{}' }),
  event_queue: () => ({ event_id: EVENT }),
}

const PLATFORM: typeof WORLD = {
  accounts: (first) => ({ id: first ? ACCOUNT : fresh('acct'), email: `dev${count++}@example.org`, name: 'Dev' }),
  account_users: () => ({ account_id: ACCOUNT, world: 'test', user_id: USER }),
  organizations: (first) => ({ id: first ? ORGANIZATION : fresh('org'), name: 'Partner' }),
  organization_members: () => ({ organization_id: ORGANIZATION, account_id: ACCOUNT, role: 'owner' }),
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

/** The name of the constraint, or of the trigger that stands in for one, which refuses the work. */
async function refusal(work: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await work.then(
    () => new Error('nothing refused it'),
    (error) => error,
  )
  if (!(error instanceof DatabaseError) || error.constraint === undefined) throw error
  return error.constraint
}

const CANCELED = { status: 'canceled', canceled_at: NOW, status_before_cancel: 'active' }

/** What is wrong with the row, and after which constraint's name (the table's own name left out) it is refused. */
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
    ['status_known', { status: 'pending' }],
    ['amount_null_only_canceled', { amount_cents: null }],
    ['amount_null_only_canceled', { amount_cents: 100 }],
    ['amount_whole_units', { amount_cents: 0, last_amount_cents: 0 }],
    ['amount_whole_units', { amount_cents: -100, last_amount_cents: -100 }],
    ['amount_whole_units', { amount_cents: 25_001, last_amount_cents: 25_001 }],
    ['amount_whole_units', { amount_cents: BEYOND_JSON, last_amount_cents: BEYOND_JSON }],
    ['canceled_dated', { ...CANCELED, canceled_at: null }],
    ['canceled_returnable', { ...CANCELED, status_before_cancel: null }],
    ['status_before_cancel_known', { ...CANCELED, status_before_cancel: 'executed' }],
    ['executed_dated', { status: 'executed' }],
    ['converted_dated', { status: 'converted' }],
    ['successor_only_converted', { converted_to: INVESTMENT }],
    ['successor_other', { id: id('inv', 8), status: 'converted', converted_at: NOW, converted_to: id('inv', 8) }],
    ['converted_to_fkey', { status: 'converted', converted_at: NOW, converted_to: id('inv', 9) }],
    ['payment_state_known', { payment_state: 'lost' }],
    ['in_escrow_whole_units', { in_escrow_cents: -100 }],
    ['identity_state_known', { identity_state: 'maybe' }],
    ['contracts_array', { contracts: '{}' }],
    ['shares_priced', { shares: '12.5' }],
    ['shares_range', { shares: 'NaN', average_share_price: '1' }],
  ],
  investor_totals: [
    ['zero_when_none_active', { total_cents: 100 }],
    ['zero_when_none_active', { active_count: 1 }],
    ['raise_fkey', { raise_id: id('rse', 9) }],
  ],
  investment_changes: [
    ['kind_known', { kind: 'weather', id: USER }],
    ['id_form', { id: USER }],
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
  syndicate_invitations: [['pkey', { email: 'eVE@example.org' }]],
  join_sessions: [
    ['status_known', { status: 'completed' }],
    ['ineligible_reasoned', { status: 'ineligible' }],
    ['ineligible_reasoned', { ineligible_reason: 'blocked' }],
    ['ineligible_reason_known', { status: 'ineligible', ineligible_reason: 'mood' }],
    ['finished_by_somebody', { status: 'joined' }],
    ['theme_whole', { theme_id: 'dark' }],
    ['theme_override_form', { theme_override_fingerprint: 'abc' }],
    ['expires_after_creation', { expires_at: NOW }],
  ],
  investment_sessions: [
    ['status_known', { status: 'open' }],
    ['has_recipient', { email: null }],
    ['allocation_whole_units', { allocation_cents: 50 }],
    ['completed_by_investment', { status: 'completed', ended_at: NOW }],
    ['ended_dated', { status: 'expired' }],
    ['success_url_form', { success_url: 'javascript:alert(1)' }],
  ],
  facts: [
    ['id_form', { id: 'two words' }],
    ['id_form', { id: 'x'.repeat(101) }],
    ['fingerprint_length', { fingerprint: Buffer.alloc(31) }],
    ['refusal_said', { outcome: 'refused' }],
    ['refused_caused_nothing', { outcome: 'refused', refusal: '{}', event_ids: [EVENT] }],
  ],
  import_progress: [['counts_not_negative', { lines_done: -1 }]],
  events: [
    ['name_form', { name: 'created' }],
    ['data_object', { data: '[]' }],
    ['identity_object', { identity: 'null' }],
    ['investment_form', { investment_id: OFFERING }],
  ],
  event_queue: [
    ['event_key', {}],
    ['event_fkey', { event_id: id('evt', 9) }],
  ],
  accounts: [['password_hash_form', { password_hash: 'hunter2' }]],
  account_users: [
    ['pkey', { user_id: OTHER_USER }],
    ['test_user_fkey', { account_id: OTHER_ACCOUNT, user_id: NOBODY }],
    ['live_user_fkey', { world: 'live', user_id: OTHER_USER }],
  ],
  organizations: [['ended_dated', { state: 'ended' }]],
  organization_members: [['role_known', { role: 'guest' }]],
  operator_keys: [
    ['secret_hash_key', {}],
    ['secret_hash_length', { secret_hash: Buffer.alloc(16) }],
  ],
  audit_entries: [['details_object', { details: '[]' }]],
}

describe.each(Object.entries(REFUSED))('%s', (table, cases) => {
  test.each(cases)('%s refuses %j', async (constraint, change) => {
    expect(await refusal(insert(`${schemaOf(table)}.${table}`, change))).toBe(`${table}_${constraint}`)
  })
})

describe('what never changes', () => {
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

  test('an investment moves within its company and currency, and nowhere else', async () => {
    const move = (offering: string) => `test.investments set offering_id = '${offering}' where id = '${INVESTMENT}'`
    expect(await update(move(FOREIGN))).toBe('investments_offering_fkey')
    expect(await update(move(EURO))).toBe('investments_offering_fkey')
    await db.sql(`update ${move(SISTER)}`)
    await db.sql(`update ${move(OFFERING)}`)
  })
})

describe('what the states allow', () => {
  test('a cancellation by an edit to zero: no amount, the last one kept for reinstatement', async () => {
    await insert('test.investments', { ...CANCELED, amount_cents: null })
  })

  test('one successor, of one investment only', async () => {
    const converted = { status: 'converted', converted_at: NOW, converted_to: INVESTMENT }
    await insert('test.investments', converted)
    expect(await refusal(insert('test.investments', converted))).toBe('investments_converted_to_key')
    await insert('test.investments', { ...converted, converted_to: null })
  })

  test('a deactivated user without a trace of the person', async () => {
    await insert('test.users', { name: null, email: null, deactivated_at: NOW })
  })

  test('an account with one user in each world, each of them its own', async () => {
    await insert('platform.account_users', { world: 'live' })
    const theft = insert('platform.account_users', { account_id: OTHER_ACCOUNT })
    expect(await refusal(theft)).toBe('account_users_user_key')
  })
})

describe('the catalogue', () => {
  test('bounds every text, array and json column by a check or a foreign key', async () => {
    const free = await db.sql<{ place: string }>(`
      select a.attrelid::regclass || '.' || attname as place
        from pg_attribute a join pg_class c on c.oid = attrelid
       where relnamespace in ('test'::regnamespace, 'platform'::regnamespace) and relkind = 'r' and attnum > 0
         and atttypid in ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype) and attgenerated = ''
         and relname <> 'migrations'
         and not exists (select from pg_constraint k where conrelid = attrelid and attnum = any (conkey) and contype in ('c', 'f'))`)
    expect(free).toEqual([{ place: 'platform.account_users.user_id' }])
  })

  test('keeps every amount to whole units that JSON can carry', async () => {
    const free = await db.sql<{ place: string }>(`
      select a.attrelid::regclass || '.' || attname as place
        from pg_attribute a join pg_class c on c.oid = attrelid
       where relnamespace = 'test'::regnamespace and relkind = 'r' and attname like '%\\_cents'
         and not exists (select from pg_constraint k where conrelid = attrelid and attnum = any (conkey)
           and strpos(pg_get_constraintdef(k.oid), attname || ' <= ''9007199254740991''') > 0
           and strpos(pg_get_constraintdef(k.oid), attname || ' % (100)') > 0)`)
    // Equal to last_amount_cents, which is.
    expect(free).toEqual([{ place: 'test.investments.amount_cents' }])
  })

  test('names every constraint after its table', async () => {
    const wrong = await db.sql<{ conname: string }>(`
      select conname from pg_constraint k join pg_class c on c.oid = conrelid
       where relnamespace in ('test'::regnamespace, 'platform'::regnamespace) and relname <> 'migrations'
         and not starts_with(conname, relname || '_')`)
    expect(wrong).toEqual([])
  })
})
