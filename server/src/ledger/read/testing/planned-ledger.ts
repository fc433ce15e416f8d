import type { TestDatabase } from '#test/database.ts'
import { nodesOf, type Plan, planOf } from '#test/plans.ts'
import type { PageKind, Parameter } from '../page-rows-store.ts'
import { pageText } from '../page-store.ts'
import { TEXTS } from './random-ledger.ts'

export const numbered = (prefix: string, n: number) => `${prefix}_${String(n).padStart(24, '0')}`
const id = (prefix: string, n: string) => `'${prefix}_' || lpad((${n})::text, 24, '0')`

type Shape = {
  readonly users: number
  /** How many companies, numbered from 0. Each company has two offerings, and its own admin. */
  readonly companies: number
  /** The number of a user who is a founder of the companies 1 to `edited`. */
  readonly founder: number
  readonly edited: number
  readonly investments: number
  /** SQL for the n-th investment: the numbers of its company and its investor. */
  readonly company: string
  readonly investor: string
}

/** Writes a ledger of this shape directly, with the planner's statistics of a ledger in use. */
export async function shapedLedger(db: TestDatabase, shape: Shape): Promise<void> {
  const last = shape.companies - 1
  await db.sql(`insert into test.users (id, name, email)
    select ${id('usr', 'n')}, 'User ' || n, n || '@example.org' from generate_series(1, ${shape.users}) n`)
  await db.sql(`insert into test.companies (id, name, page_url)
    select ${id('co', 'n')}, 'Company ' || n, '/c/' || n from generate_series(0, ${last}) n`)
  await db.sql(`insert into test.raises (id, company_id, currency)
    select ${id('rse', 'n')}, ${id('co', 'n')}, 'usd' from generate_series(0, ${last}) n`)
  await db.sql(`insert into test.offerings (id, company_id, raise_id, currency, exemption, security_type, security_terms)
    select ${id('ofr', 'n * 10 + m')}, ${id('co', 'n')}, ${id('rse', 'n')}, 'usd', 'reg_cf', 'safe', '{}'
      from generate_series(0, ${last}) n cross join generate_series(0, 1) m`)
  await db.sql(`insert into test.company_people (company_id, user_id, role, started_at, changed_position)
    select ${id('co', 'n')}, '${numbered('usr', shape.founder)}', 'founder', now(), 1 from generate_series(1, ${shape.edited}) n
    union all select ${id('co', 'n')}, ${id('usr', 'n + 1')}, 'admin', now(), 1 from generate_series(0, ${last}) n`)
  await db.sql(`insert into test.ledger_heads (investment_id, company_id, offering_id, investor_id, position,
      company_position, company_offering_id, status, visible, deactivated, reason, company_reason, observed_at, company_observed_at,
      committed_cents, raised_cents, body, identity)
    select h.investment_id, h.company_id, h.offering_id, h.investor_id, h.n, h.n, h.offering_id, h.status, h.visible, false, 'changed',
           'changed', now(), now(), 100, 0, ${TEXTS}
      from (select n, ${id('inv', 'n')} as investment_id, ${id('co', 'c')} as company_id,
                   ${id('ofr', 'c * 10 + (n % 100 > 0)::int')} as offering_id, ${id('usr', 'i')} as investor_id,
                   n % 7 > 0 as visible, case n % 7 when 0 then 'canceled' when 1 then 'reserved' else 'active' end as status
              from (select n, ${shape.company} as c, ${shape.investor} as i
                      from generate_series(1, ${shape.investments}) n) spread) h`)
  await db.sql('update test.ledger set position = $1', [shape.investments])
  await db.sql('vacuum analyze')
}

type Given = Readonly<Partial<Record<Parameter, string>>>

/** The plan of the statement for a page. The page starts at the beginning, unless `after` is given. */
export async function planOfPage(db: TestDatabase, kind: PageKind, given: Given): Promise<Plan> {
  const { text, parameters } = pageText(kind)
  const usual: Given = {
    after: kind.mode === 'sync' ? '0' : `''`,
    limit: '26',
    pii: 'true',
    republished: `'recomputed'`,
  }
  const values = parameters.map((name) => given[name] ?? usual[name] ?? 'null')
  return planOf(db, text, values)
}

/** How many rows of the ledger were read, including those that a filter removed. */
export function rowsRead(plan: Plan): number {
  const scans = [...nodesOf(plan)].filter((node) => String(node['Relation Name'] ?? '').startsWith('ledger_'))
  return scans.reduce((sum, node) => {
    const [rows, removed, loops] = ['Actual Rows', 'Rows Removed by Filter', 'Actual Loops'].map((name) =>
      Number(node[name] ?? 0),
    )
    return sum + ((rows ?? 0) + (removed ?? 0)) * (loops ?? 1)
  }, 0)
}
