import { newId } from '#kernel/ids.ts'
import type { TestDatabase } from '#test/database.ts'

/** The columns of a head or a departure by which the statements for pages select rows. */
export type Head = {
  readonly investment_id: string
  readonly company_id: string
  readonly offering_id: string
  readonly investor_id: string
  readonly position: number
  readonly company_position: number | null
  readonly company_offering_id: string | null
  /** Lower than the company's position if the last change concerned only the identity. */
  readonly open_position: number | null
  readonly status: string
  readonly visible: boolean
}
export type Departure = Omit<
  Head,
  'status' | 'visible' | 'company_position' | 'company_offering_id' | 'open_position'
> & {
  readonly own: boolean
}
export type RandomLedger = {
  readonly users: readonly string[]
  readonly companies: readonly string[]
  /** Each offering with its company. */
  readonly offerings: ReadonlyMap<string, string>
  /** Which companies each user edits. */
  readonly edits: ReadonlyMap<string, ReadonlySet<string>>
  readonly heads: readonly Head[]
  readonly departures: readonly Departure[]
  readonly head: number
}

type Sizes = { readonly users: number; readonly companies: number; readonly heads: number }
export type Chance = (below: number) => number

const pick = <T>(chance: Chance, all: readonly T[]): T => {
  const one = all[chance(all.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}

/** Fills the ledger with every kind of head in random proportions, which a real publisher would hardly produce. */
export async function fillLedger(db: TestDatabase, chance: Chance, sizes: Sizes): Promise<RandomLedger> {
  const many = (count: number, make: () => string) => Array.from({ length: count }, make)
  const users = many(sizes.users, () => newId('user'))
  const companies = many(sizes.companies, () => newId('company'))
  const offerings = new Map(companies.flatMap((company) => many(2, () => newId('offering')).map((id) => [id, company])))
  await db.sql(
    `insert into test.users (id, name, email) select id, 'Sam Person', id || '@example.org' from unnest($1::text[]) id`,
    [users],
  )
  await db.sql(
    `insert into test.companies (id, name, page_url) select id, 'Company', '/' || id from unnest($1::text[]) id`,
    [companies],
  )
  await db.sql(
    `insert into test.raises (id, company_id, currency) select replace(id, 'co_', 'rse_'), id, 'usd' from unnest($1::text[]) id`,
    [companies],
  )
  await db.sql(
    `insert into test.offerings (id, company_id, raise_id, currency, exemption, security_type, security_terms)
     select o.id, o.company, replace(o.company, 'co_', 'rse_'), 'usd', 'reg_cf', 'safe', '{}'
       from unnest($1::text[], $2::text[]) o (id, company)`,
    [[...offerings.keys()], [...offerings.values()]],
  )
  const edits = await fillRoles(db, chance, { users, companies })
  const places = many(sizes.heads * 4, () => '').map((_, at) => at + 1)
  const heads = Array.from({ length: sizes.heads }, () => randomHead(chance, { users, offerings, places }))
  const departures = heads
    .filter(() => chance(5) === 0)
    .flatMap((head) => departuresOf(chance, head, { offerings, places }))
  await insertHeads(db, heads)
  await insertDepartures(db, departures)
  const head = sizes.heads * 4 + 5
  await db.sql('update test.ledger set position = $1', [head])
  return { users, companies, offerings, edits, heads, departures, head }
}

type People = { readonly users: readonly string[]; readonly companies: readonly string[] }

async function fillRoles(db: TestDatabase, chance: Chance, { users, companies }: People) {
  const edits = new Map<string, Set<string>>()
  for (const user of users) {
    const roles = Array.from(
      { length: chance(8) },
      () => [pick(chance, companies), pick(chance, ['founder', 'admin', 'editor', 'employee']), chance(4) > 0] as const,
    )
    for (const [company, role, held] of new Map(roles.map((one) => [one.slice(0, 2).join(), one])).values()) {
      await db.sql(
        `insert into test.company_people (company_id, user_id, role, started_at, ended_at)
         values ($1, $2, $3, '2026-01-01', case when not $4::boolean then '2026-02-01'::timestamptz end)`,
        [company, user, role, held],
      )
      if (held && role !== 'employee') edits.set(user, (edits.get(user) ?? new Set()).add(company))
    }
  }
  return edits
}

type Around = { readonly offerings: ReadonlyMap<string, string>; readonly places: number[] }

function place(chance: Chance, places: number[]): number {
  return places.splice(chance(places.length), 1)[0] ?? 0
}

function randomHead(
  chance: Chance,
  { users, offerings, places }: Around & { readonly users: readonly string[] },
): Head {
  const [offering_id, company_id] = pick(chance, [...offerings])
  const visible = chance(3) > 0
  const position = place(chance, places)
  const before = place(chance, places)
  const earlier = chance(2) === 0 && before < position ? before : null
  return {
    ...{
      investment_id: newId('investment'),
      company_id,
      offering_id,
      investor_id: pick(chance, users),
      visible,
      position,
    },
    company_position: visible ? position : earlier,
    company_offering_id: visible
      ? offering_id
      : earlier === null
        ? null
        : pick(chance, ofCompany(offerings, company_id)),
    open_position: visible ? (earlier ?? position) : earlier,
    status: pick(chance, visible ? ['active', 'reserved', 'executed'] : ['active', 'canceled', 'converted']),
  }
}

function ofCompany(offerings: Around['offerings'], wanted: string): string[] {
  return [...offerings].filter(([, company]) => company === wanted).map(([id]) => id)
}

/** Departures from offerings where the company or the investor, or both, no longer see the record. */
function departuresOf(chance: Chance, head: Head, { offerings, places }: Around): Departure[] {
  const { investment_id, company_id, investor_id } = head
  const all = ofCompany(offerings, company_id)
  const sides = [true, false].filter(() => chance(3) > 0)
  return sides.map((own) => {
    const here = own ? head.offering_id : head.company_offering_id
    const offering_id = pick(
      chance,
      all.filter((id) => id !== here),
    )
    return { investment_id, company_id, investor_id, offering_id, own, position: place(chance, places) }
  })
}

/** The texts contain only what tests check. */
export const TEXTS = `
  '{"id":"' || h.investment_id || '","visible":' || h.visible || ',"observed_at":"2026-03-01T00:00:00.000000Z","status":"'
    || h.status || '","investor":{"id":"' || h.investor_id || '"', ',"name":"Sam Person"},"message":null'`

async function insertHeads(db: TestDatabase, heads: readonly Head[]): Promise<void> {
  await db.sql(
    `insert into test.ledger_heads (investment_id, company_id, offering_id, investor_id, position, company_position,
       company_offering_id, status, visible, deactivated, reason, company_reason, observed_at, company_observed_at, committed_cents, raised_cents, body, identity,
       open_position, identity_position, open_reason, open_observed_at)
     select h.investment_id, h.company_id, h.offering_id, h.investor_id, h.position, h.company_position,
       h.company_offering_id, h.status, h.visible,
       false, 'changed', case when h.company_position is not null then 'changed' end, '2026-03-01',
       case when h.company_position is not null then '2026-03-01'::timestamptz end, 100, 0, ${TEXTS},
       h.open_position, case when h.open_position < h.company_position then h.company_position end,
       case when h.open_position < h.company_position then 'recomputed' end,
       case when h.open_position < h.company_position then '2026-02-01'::timestamptz end
       from json_to_recordset($1) h (investment_id text, company_id text, offering_id text, investor_id text,
         position bigint, company_position bigint, company_offering_id text, open_position bigint, status text,
         visible boolean)`,
    [JSON.stringify(heads)],
  )
}

async function insertDepartures(db: TestDatabase, departures: readonly Departure[]): Promise<void> {
  await db.sql(
    `insert into test.ledger_departures (offering_id, investment_id, position, company_id, investor_id, own, reason, observed_at)
     select d.offering_id, d.investment_id, d.position, d.company_id, d.investor_id, d.own, 'changed', '2026-03-01'
       from json_to_recordset($1) d (offering_id text, investment_id text, position bigint, company_id text,
         investor_id text, own boolean)`,
    [JSON.stringify(departures)],
  )
}
