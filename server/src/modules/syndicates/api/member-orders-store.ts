import { INVESTED } from './directory-sql-store.ts'
import type { MemberSort } from './member-words.ts'

/** One list that goes into the directory's. `place` is what its index is of, or for all the same. */
export type Part = {
  readonly place: string
  readonly same?: true
  readonly join?: string
  readonly only?: string
}

/** An order of the directory: where a membership `m` and an invitation `i` stand in it. */
export type Order = {
  readonly type: string
  readonly direction: 'asc' | 'desc'
  readonly members: readonly Part[]
  readonly invitees: Part
  /** What is worked out beforehand. */
  readonly given?: string
  /** Before everybody. */
  readonly first: { readonly key: string; readonly id: string }
}

/** Before and after every id. */
export const [LOW, HIGH] = ['', '~'] as const
const UNPLACED = '2147483647'

/**
 * Those who have invested are few beside those who have not: they are added up and sorted, and the others follow along
 * their index, at nothing.
 */
const INVESTORS = `,
  investors as materialized (
    select v.investor_id, sum(v.amount_cents)::bigint as cents
      from selected s
      join investments v on v.offering_id = s.id
     where ${INVESTED} and v.currency = (select currency from main)
     group by v.investor_id)`

export const ORDERS: Readonly<Record<MemberSort, Order>> = {
  directory: {
    type: 'integer',
    direction: 'asc',
    members: [{ place: `coalesce(m.sort_order, ${UNPLACED})` }],
    invitees: { place: UNPLACED, same: true },
    // Below every place: whoever is put first again and again has one below zero.
    first: { key: '-2147483648', id: LOW },
  },
  newest: byTime('desc'),
  oldest: byTime('asc'),
  alphabetical: {
    type: 'text collate "C"',
    direction: 'asc',
    members: [{ place: 'm.directory_key' }],
    invitees: { place: 'i.directory_key' },
    first: { key: '', id: LOW },
  },
  last_activity: {
    type: 'text collate "C"',
    direction: 'desc',
    members: [{ place: `(coalesce(m.profile ->> 'last_activity_at', '') collate "C")` }],
    invitees: { place: `(''::text collate "C")`, same: true },
    // After every time.
    first: { key: HIGH, id: HIGH },
  },
  investment_amount: {
    type: 'bigint',
    direction: 'desc',
    given: INVESTORS,
    members: [
      { place: 'v.cents', join: 'join investors v on v.investor_id = m.user_id' },
      {
        place: '0::bigint',
        same: true,
        only: 'not exists (select from investors v where v.investor_id = m.user_id)',
      },
    ],
    invitees: { place: '0::bigint', same: true },
    first: { key: '9223372036854775807', id: HIGH },
  },
}

function byTime(direction: 'asc' | 'desc'): Order {
  return {
    type: 'timestamptz',
    direction,
    members: [{ place: 'm.created_at' }],
    invitees: { place: 'i.invited_at' },
    first: direction === 'asc' ? { key: '-infinity', id: LOW } : { key: 'infinity', id: HIGH },
  }
}
