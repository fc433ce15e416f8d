import { ROW_CURSOR_CHARS } from './cursors.ts'
import type { PageKind, Value } from './page-kind.ts'

const inUtc = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const OBSERVED_AT = '"observed_at":"'
const TIME_CHARS = '2026-11-15T08:30:00.123456Z'.length

/**
 * The record without who the investor is. Where only the identity changed since, it was observed when the rest was: the
 * time of such a change is not for those who may not see it.
 */
const WITHOUT_IDENTITY = `case when h.open_observed_at is null then h.body
      else overlay(h.body placing ${inUtc('h.open_observed_at')}
                   from strpos(h.body, '${OBSERVED_AT}') + ${OBSERVED_AT.length} for ${TIME_CHARS}) end || '}'`

const openRecord = (named: string) =>
  `case when t.own or ${named} then h.body || h.identity else ${WITHOUT_IDENTITY} end`

export function listRecord(value: Value): string {
  return `${openRecord(value('pii'))} || '}'`
}

/** Its cursor is left blank: it is sealed by us, and written there. */
export function syncRecord({ audience, filters, named }: PageKind, value: Value): string {
  const moves = filters.includes('offering')
  const tombstone = (at: string) =>
    `'{"id":"' || h.investment_id || '","visible":false,"observed_at":"' || ${inUtc(at)} || '"'`
  const record = `case
      ${moves ? `when t.gone is not null then ${tombstone('t.gone_at')}` : ''}
      when ${audience === 'own' ? 'true' : 't.own or h.visible'} then ${openRecord(String(named))}
      else ${tombstone('h.company_observed_at')} end`
  const told = named ? 'h.company_reason' : 'coalesce(h.open_reason, h.company_reason)'
  const reason = `${moves ? 'coalesce(t.gone, ' : ''}case when t.own then h.reason else ${told} end${moves ? ')' : ''}`
  return `${record} || ',"reason":"'
      || case ${reason} when 'recomputed' then ${value('republished')} else ${reason} end
      || '","cursor":"${' '.repeat(ROW_CURSOR_CHARS)}"}'`
}
