import type pg from 'pg'
import { onDatabase } from '../database.ts'

export const offeringId = (number: number) => `ofr_${String(number).padStart(24, '0')}`

/** Parts of names. With them, some searches match few names, and other searches match many. */
const FIRST = [
  'Solar',
  'Tidal',
  'Harbor',
  'Northern',
  'Granite',
  'Cedar',
  'Copper',
  'Velvet',
  'Amber',
  'Quiet',
  'Bright',
]
const SECOND = ['Kitchen', 'Robotics', 'Foods', 'Mobility', 'Health', 'Brewery', 'Analytics', 'Studios', 'Farms']
const LAST = ['Works', 'Labs', 'Collective', 'Systems', 'Company', 'Guild', 'Partners']

const wordOf = (list: readonly string[], number: number) => list[number % list.length] ?? ''

export function companyName(number: number): string {
  const own = number.toString(36).padStart(3, 'k')
  return `${wordOf(FIRST, number)} ${wordOf(SECOND, Math.floor(number / 11))} ${own} ${wordOf(LAST, Math.floor(number / 99))}`
}

/**
 * Inserts this many companies with one open, listed offering each into the live world. The rows bypass the use cases, because
 * filling is not measured.
 */
export async function fillCatalog(url: string, count: number): Promise<void> {
  await onDatabase(url, async (client) => {
    await client.query('set search_path = live')
    const names = Array.from({ length: count }, (_, at) => companyName(at + 1))
    await client.query(
      `insert into companies (id, name, slug, tagline, page_url, logo_url, industries, business_models)
       select 'co_' || lpad(n::text, 24, '0'), name, 'bench-' || n, 'Makes things that last, for everybody who needs them.',
              '/c/bench-' || n, '/assets/logos/co_' || lpad(n::text, 24, '0') || '.svg',
              array['energy', 'hardware'], array['b2b']
         from unnest($1::text[]) with ordinality as given (name, n)`,
      [names],
    )
    await client.query(
      `insert into raises (id, company_id, currency) select replace(id, 'co_', 'rse_'), id, 'usd' from companies`,
    )
    await client.query(
      `insert into offerings (id, company_id, raise_id, currency, status, exemption, security_type, security_terms,
                              funding_target_cents, min_investment_cents, opens_at, closes_at, listed)
       select replace(id, 'co_', 'ofr_'), id, replace(id, 'co_', 'rse_'), 'usd', 'open', 'reg_cf', 'safe',
              '{"valuation_cap": "10000000", "discount_percent": "20", "most_favored_nation": false, "pro_rata": false,
                "uncapped": false}', 100000000, 10000, now() - interval '10 days', now() + interval '60 days', true
         from companies`,
    )
    await raiseSomething(client)
    // Does at once what autovacuum would do later.
    for (const table of ['companies', 'offerings', 'catalog_entries', 'company_names', 'company_grams']) {
      await client.query(`vacuum analyze ${table}`)
    }
  })
}

/** Writes the figures that the offerings would have if people had invested. */
async function raiseSomething(client: pg.Client): Promise<void> {
  await client.query(
    `update catalog_entries
        set raised_cents = substr(offering_id, 5)::bigint * 7919 % 100000 * 100, investor_count = substr(offering_id, 5)::bigint % 977`,
  )
}
