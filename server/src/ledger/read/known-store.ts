import type { Id } from '#kernel/ids.ts'
import { mayEdit } from '#market/companies/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Audience } from './audience.ts'

/**
 * "A filter id is known when the caller edits that company (or the offering's company), or a record in the caller's
 * audience carries it, tombstones included. Anything else is 404." For this rule, an investor's record that left an
 * offering still carries that offering's id.
 */
const EDITED = `(select p.company_id from company_people p where p.user_id = $1 and ${mayEdit('p')})`
const OWN = 'h.investor_id = $1'

type Known = { known: boolean }
type Texts = Readonly<Record<'company' | 'offering' | 'investor', string>>

const heads = (where: string) => `exists (select from ledger_heads h where ${where})`
const departures = (where: string) => `exists (select from ledger_departures d where ${where})`

/** $1 is the user or the company of the audience, $2 the id. */
const TEXTS: Readonly<Record<Audience['kind'], Texts>> = {
  union: {
    company: `$2 in ${EDITED} or ${heads(`${OWN} and h.company_id = $2`)}`,
    offering: `exists (select from offerings where id = $2 and company_id in ${EDITED})
      or ${heads(`${OWN} and h.offering_id = $2`)} or ${departures('d.offering_id = $2 and d.investor_id = $1 and d.own')}`,
    investor: `$1 = $2 and ${heads(OWN)}
      or ${heads(`h.investor_id = $2 and h.company_position is not null and h.company_id in ${EDITED}`)}`,
  },
  company: {
    company: '$1 = $2',
    offering: 'exists (select from offerings where id = $2 and company_id = $1)',
    investor: heads('h.investor_id = $2 and h.company_position is not null and h.company_id = $1'),
  },
  own: {
    company: heads(`${OWN} and h.company_id = $2`),
    offering: `${heads(`${OWN} and h.offering_id = $2`)} or ${departures('d.offering_id = $2 and d.investor_id = $1 and d.own')}`,
    investor: `$1 = $2 and ${heads(OWN)}`,
  },
}

const statements = (audience: Audience['kind']) => ({
  company: knownStatement(audience, 'company'),
  offering: knownStatement(audience, 'offering'),
  investor: knownStatement(audience, 'investor'),
})

function knownStatement(audience: Audience['kind'], filter: keyof Texts) {
  const text = TEXTS[audience][filter].replaceAll('$1', '$1::text').replaceAll('$2', '$2::text')
  return statement<Known>(`ledger.known.${audience}.${filter}`, `select ${text} as known`)
}

const KNOWN = { union: statements('union'), company: statements('company'), own: statements('own') }

export type FilterIds = {
  readonly company?: Id<'company'>
  readonly offering?: Id<'offering'>
  readonly investor?: Id<'user'>
}

export async function allKnown(queries: WorldQueries, audience: Audience, filters: FilterIds): Promise<boolean> {
  const whose = audience.kind === 'company' ? audience.company : audience.user
  const lookups = (['company', 'offering', 'investor'] as const).map(async (name) => {
    const id = filters[name]
    return id === undefined || (await queries.one(KNOWN[audience.kind][name], [whose, id])).known
  })
  return (await Promise.all(lookups)).every(Boolean)
}

/**
 * "What the caller may know of (a public company or offering, …, a record in its own lists) but may not touch this way is
 * 403; everything else answers 404." $2 is the user, or null for a caller without a user.
 */
const PUBLIC = `listed and status in ('open', 'closing', 'closed') and not accredited_only`
const CONCERNED = (company: string) => `
     exists (select from company_people where company_id = ${company} and user_id = $2)
  or exists (select from investments where company_id = ${company} and investor_id = $2)`

const COMPANY_KNOWN = statement<Known>(
  'ledger.company_known_of',
  `select exists (select from offerings where company_id = $1 and ${PUBLIC}) or ${CONCERNED('$1')} as known`,
)

export async function mayKnowCompany(
  queries: WorldQueries,
  audience: Audience,
  company: Id<'company'>,
): Promise<boolean> {
  return (await queries.one(COMPANY_KNOWN, [company, userOf(audience)])).known
}

const OFFERING_KNOWN = statement<Known>(
  'ledger.offering_known_of',
  `select ${PUBLIC} or ${CONCERNED('o.company_id')} as known from offerings o where o.id = $1`,
)

export async function mayKnowOffering(
  queries: WorldQueries,
  audience: Audience,
  offering: Id<'offering'>,
): Promise<boolean> {
  return (await queries.maybeOne(OFFERING_KNOWN, [offering, userOf(audience)]))?.known ?? false
}

const userOf = (audience: Audience) => (audience.kind === 'company' ? null : audience.user)
