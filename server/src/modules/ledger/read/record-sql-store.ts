import { ROW_CURSOR_CHARS } from './cursors.ts'
import type { PageKind, Value } from './page-kind.ts'

const identityFor = (value: Value) => `case when t.own or ${value('pii')} then h.identity else '}' end`

export function listRecord(value: Value): string {
  return `h.body || ${identityFor(value)} || '}'`
}

const inUtc = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** Its cursor is left blank: it is sealed by us, and written there. */
export function syncRecord({ audience, filters }: PageKind, value: Value): string {
  const moves = filters.includes('offering')
  const tombstone = (at: string) =>
    `'{"id":"' || h.investment_id || '","visible":false,"observed_at":"' || ${inUtc(at)} || '"'`
  const record = `case
      ${moves ? `when t.gone is not null then ${tombstone('t.gone_at')}` : ''}
      when ${audience === 'own' ? 'true' : 't.own or h.visible'} then h.body || ${identityFor(value)}
      else ${tombstone('h.company_observed_at')} end`
  const reason = `${moves ? 'coalesce(t.gone, ' : ''}case when t.own then h.reason else h.company_reason end${moves ? ')' : ''}`
  return `${record} || ',"reason":"'
      || case ${reason} when 'recomputed' then ${value('republished')} else ${reason} end
      || '","cursor":"${' '.repeat(ROW_CURSOR_CHARS)}"}'`
}
