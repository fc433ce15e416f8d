import type { PageKind, Parameter, Value } from './page-kind.ts'
import { listRecord, syncRecord } from './record-sql-store.ts'
import { hits } from './rows-sql-store.ts'

/**
 * A page of the ledger as one statement: the rows, where the ledger stands, and what has changed about the caller's
 * access, all of one moment. Read apart, a change published in between would lie below the cursor that is given out, and
 * never be sent.
 */
export type PageText = { readonly text: string; readonly parameters: readonly Parameter[] }

const TYPES: Readonly<Record<Parameter, string>> = {
  company: 'text',
  offering: 'text',
  investor: 'text',
  status: 'text',
  user: 'text',
  after: '',
  limit: 'bigint',
  pii: 'boolean',
  republished: 'text',
}

export function pageText(kind: PageKind): PageText {
  const parameters: Parameter[] = []
  const text = writePage(kind, (name) => {
    if (!parameters.includes(name)) parameters.push(name)
    const type = name === 'after' ? (kind.mode === 'sync' ? 'bigint' : 'text') : TYPES[name]
    return `$${parameters.indexOf(name) + 1}::${type}`
  })
  return { text, parameters }
}

function writePage(kind: PageKind, value: Value): string {
  const isUnion = kind.audience === 'union'
  const { given, rows, order } = hits(kind, value)
  const before = [...(isUnion ? [edited(kind, value)] : []), ...given]
  return `${before.length === 0 ? '' : 'with '}${before.join(',\n')}
  select l.position::text as head, l.epoch::text as epoch, l.published_at,
         (extract(epoch from clock_timestamp() + c.ahead) * 1000)::bigint::text as now,
         ${isUnion ? accessOf(kind, value) : 'null::text as changed, null::text as "changedHere", true as edits'},
         rows.places, rows.texts
    from ledger l cross join world_clock c
    cross join (
      select string_agg(t.at::text, ',' order by ${order}) as places,
             convert_to(string_agg(${kind.mode === 'sync' ? syncRecord(kind, value) : listRecord(value)}, e',\\n' order by ${order}),
                        'UTF8') as texts
        from ${rows}) rows`
}

const EDITING = `ended_at is null and role in ('founder', 'admin', 'editor')`

/** The companies the user edits, each once, whatever roles they have there. */
function edited({ filters }: PageKind, value: Value): string {
  const only = filters.includes('company') ? `and company_id = ${value('company')}` : ''
  return `edited as materialized (
    select distinct company_id from company_people where user_id = ${value('user')} and ${EDITING} ${only})`
}

function accessOf({ filters }: PageKind, value: Value): string {
  const changes = `select max(changed_position)::text from company_people where user_id = ${value('user')}`
  const here = filters.includes('company') ? `(${changes} and company_id = ${value('company')})` : 'null::text'
  return `(${changes}) as changed, ${here} as "changedHere", exists (select from edited) as edits`
}
