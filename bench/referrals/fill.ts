import type pg from 'pg'
import { onDatabase } from '../database.ts'

export type Filling = {
  /** How many codes there are. Without `oneCode`, each has credits in the last week, which is not published yet. */
  readonly codes: number
  readonly investments: number
  /** How many of the codes also have credits in each of the 52 weeks before the last week. */
  readonly withYear: number
  /** Whether all investments of the last week belong to one code and company. */
  readonly oneCode: boolean
}

const COMPANIES = 200
export const YEAR_WEEKS = 52
/**
 * Each of the `withYear` codes has, in each of the 52 weeks, `people` people at each of `companies` companies: enough
 * to publish ranges.
 */
const YEAR = { companies: 3, people: 12 }
const COMPANIES_OF_CODE = 4

export const codeId = (number: number) => `rc_${String(number).padStart(24, '0')}`

/** The start of this week. `at time zone` makes it independent of the session's time zone. */
const MONDAY = `(date_trunc('week', now() at time zone 'UTC') at time zone 'UTC')`

/** Inserts rows into the live world without use cases, because only publishing is measured. No week is due before `makeDue`. */
export async function fillReferrals(url: string, { codes, investments, withYear, oneCode }: Filling): Promise<void> {
  await onDatabase(url, async (client) => {
    await client.query('set search_path = live')
    await fillCompanies(client)
    await client.query(
      `insert into referral_codes (id, app_id, code, name, created_at, updated_at)
       select 'rc_' || lpad(n::text, 24, '0'), 'app_' || lpad(n::text, 24, '0'), 'bench-' || n, 'Bench ' || n, at, at
         from generate_series(1, $1::int) n, (select ${MONDAY} - interval '53 weeks' as at) began`,
      [codes],
    )
    await client.query('insert into referral_code_spans (code_id, began_at) select id, created_at from referral_codes')
    const each = Math.ceil(investments / codes)
    const inYear = withYear * YEAR_WEEKS * YEAR.companies * YEAR.people
    const all = codes * each + inYear
    await client.query(
      `insert into users (id, name, email)
       select 'usr_' || lpad(n::text, 24, '0'), 'Investor ' || n, 'investor-' || n || '@example.org'
         from generate_series(1, $1::int) n`,
      [all],
    )
    await fillInvestments(client, {
      from: 1,
      to: codes * each,
      code: oneCode ? '1' : `(n - 1) / ${each} + 1`,
      company: oneCode ? '1' : `((n - 1) / ${each} + n % ${COMPANIES_OF_CODE}) % ${COMPANIES} + 1`,
      week: '1',
    })
    const perWeek = YEAR.companies * YEAR.people
    await fillInvestments(client, {
      from: codes * each + 1,
      to: all,
      code: `n % ${withYear} + 1`,
      company: `n / ${withYear} % ${YEAR.companies} + 1`,
      week: `2 + n / ${withYear * perWeek} % ${YEAR_WEEKS}`,
    })
    const tables = [
      'users',
      'investments',
      'referral_credits',
      'referral_codes',
      'referral_code_spans',
      'referral_changes',
    ]
    for (const table of tables) await client.query(`vacuum analyze ${table}`)
  })
}

async function fillCompanies(client: pg.Client): Promise<void> {
  await client.query(
    `insert into companies (id, name, slug, page_url)
     select 'co_' || lpad(n::text, 24, '0'), 'Company ' || n, 'bench-' || n, '/c/bench-' || n
       from generate_series(1, $1::int) n`,
    [COMPANIES],
  )
  await client.query(
    `insert into raises (id, company_id, currency) select replace(id, 'co_', 'rse_'), id, 'usd' from companies`,
  )
  await client.query(
    `insert into offerings (id, company_id, raise_id, currency, status, exemption, security_type, security_terms,
                            opens_at, listed)
     select replace(id, 'co_', 'ofr_'), id, replace(id, 'co_', 'rse_'), 'usd', 'open', 'reg_cf', 'safe', '{}',
            now() - interval '400 days', true
       from companies`,
  )
}

/** SQL expressions over `n`: the code, the company, and how many weeks before the present week. */
type Investments = {
  readonly from: number
  readonly to: number
  readonly code: string
  readonly company: string
  readonly week: string
}

async function fillInvestments(client: pg.Client, { from, to, code, company, week }: Investments): Promise<void> {
  const numbered = `
    select lpad(n::text, 24, '0') as body, lpad((${code})::text, 24, '0') as code,
           lpad((${company})::text, 24, '0') as company,
           ${MONDAY} - make_interval(weeks => ${week}) + make_interval(secs => n % 600000) as at, n
      from generate_series($1::int, $2::int) n`
  await client.query(
    `insert into investments (id, company_id, offering_id, currency, investor_id, status, amount_cents,
                              last_amount_cents, applied_at)
     select 'inv_' || body, 'co_' || company, 'ofr_' || company, 'usd', 'usr_' || body, 'active', cents, cents, at
       from (${numbered}) given, lateral (select (n % 30 + 1)::bigint * 50000 as cents) amount`,
    [from, to],
  )
  await client.query(
    `insert into referral_credits (investment_id, code_id, app_id, company_id, investor_id, clicked_at, applied_at,
                                   credited_at, time_to_invest)
     select 'inv_' || body, 'rc_' || code, 'app_' || code, 'co_' || company, 'usr_' || body, at, at, at,
            (array['direct', 'assisted', 'delayed'])[n % 3 + 1]
       from (${numbered}) given`,
    [from, to],
  )
}

/** Makes the weeks of a year and the last week due. The workers begin at once, with the oldest week. */
export async function makeDue(client: pg.Client): Promise<void> {
  await client.query(`update live.referral_calendar set next_begins_at = ${MONDAY} - make_interval(weeks => $1::int)`, [
    YEAR_WEEKS + 1,
  ])
}
