/** SQL fragments that the statements about a directory share. In each of them $1 is the syndicate. */

/**
 * "Selected deals (one per company)": for each company, the deal that opened last. Upcoming and canceled deals are not
 * selected, nor are deals that test the waters, which have no investments. Sums are in the currency of most selected deals,
 * because amounts in euros and dollars cannot be added.
 */
export const SELECTED = `
  selected as materialized (
    select distinct on (o.company_id) o.id, o.currency
      from syndicate_deals d
      cross join lateral (
        select id, company_id, currency, status, testing_the_waters, opens_at
          from offerings where id = d.offering_id offset 0) o
     where d.syndicate_id = $1 and o.status in ('open', 'closing', 'closed') and not o.testing_the_waters
     order by o.company_id, o.opens_at desc, o.id desc),
  main as materialized (
    select currency from selected group by currency order by count(*) desc, currency limit 1)`

/** Whether an investment `v` counts: it is active or executed, and not hidden from the company. */
export const INVESTED = `not v.hidden and v.status in ('active', 'executed')`

/** What a person has invested in selected deals. Uses the index by investor, because a person has few investments. */
export const investedBy = (user: string) => `
  select coalesce(sum(v.amount_cents) filter (where v.currency = (select currency from main)), 0) as cents,
         count(distinct v.offering_id)::int as deals
    from investments v
   where v.investor_id = ${user} and ${INVESTED} and v.offering_id in (select id from selected)`

/** Whether the person of membership `m` is a manager. There are few managers, so they are read once for all rows. */
const runs = `m.user_id in (select g.user_id from syndicate_managers g where g.syndicate_id = $1)`

/**
 * The role of membership `m`. A hidden member is `exiled`, whatever their status; only a current member can be creator or
 * manager.
 */
export const ROLE = `
  case when m.directory_hidden then 'exiled'
       when m.status = 'pending' then 'applicant'
       when m.status = 'left' then 'resigned'
       when m.status <> 'member' or not ${runs} then m.status
       when m.user_id = (select created_by from syndicates where id = $1) then 'creator'
       else 'manager' end`

/**
 * The members that the directory lists without the filter `role`: current members, applicants, approved people, and people
 * whose payment failed.
 */
const CURRENT = `
  not m.directory_hidden and m.status in ('member', 'pending', 'approved', 'payment_failed')`

/** Whether the text contains the search text; case and accents do not matter. */
const contains = (text: string, wanted: string) => `position((select search_fold(${wanted})) in ${text}) > 0`

/**
 * The filters are the parameters $2 to $8; a filter that was not given is null. PostgreSQL would estimate that each
 * filter leaves hardly any rows, and would sort those rows. Inside a `case` PostgreSQL estimates half of the rows, and
 * uses the index that has the order of the list. The filter by investments ($5) reads a value and does not use
 * `exists`, which PostgreSQL would compute for all members at once.
 */
export const MEMBER_FITS = `
  case when case when $2::text is null then ${CURRENT} else ${ROLE} = $2 end
        and ($3::text is null or m.user_id in (
              select g.user_id from syndicate_managers g where g.syndicate_id = $1 and g.permission = $3))
        and ($4::text is null or ${contains('m.directory_key', '$4')})
        and ($5::boolean is null or $5 = coalesce((
              select true from investments v
               where v.investor_id = m.user_id and ${INVESTED} and v.offering_id in (select id from selected)
               limit 1), false))
        and ($6::boolean is null or $6 = m.accredited)
        and ($7::text is null or ${contains('m.directory_tags', '$7')})
        and ($8::text is null or ${contains('m.directory_place', '$8')})
       then true else false end`

/**
 * The directory shows nothing about an invited person that the filters $5 to $8 compare, so each of these four excludes
 * invitations. The filter `permission` ($3) is for managers; only together with the role `invitee` does it compare the permission
 * that an invitation names.
 */
export const INVITEE_FITS = `
  case when ($2::text is null or $2 = 'invitee')
        and ($3::text is null or ($2 = 'invitee' and i.permission = $3))
        and ($4::text is null or ${contains('i.directory_key', '$4')})
        and $5::boolean is null and $6::boolean is null and $7::text is null and $8::text is null
       then true else false end`

/** The role of a directory row: "creator, manager, member, invitee, applicant, exiled, resigned, …". */
export const MEMBER_ROLES = [
  'creator',
  'manager',
  'member',
  'invitee',
  'applicant',
  'approved',
  'payment_failed',
  'exiled',
  'resigned',
  'removed',
  'declined',
  'withdrawn',
] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** The first value is the order that managers set. It is also used for an unknown value. */
export const MEMBER_SORTS = [
  'directory',
  'newest',
  'oldest',
  'alphabetical',
  'last_activity',
  'investment_amount',
] as const
export type MemberSort = (typeof MEMBER_SORTS)[number]

/** "Unknown value → default, no error." */
export function sortOf(wanted: string | undefined): MemberSort {
  return MEMBER_SORTS.find((sort) => sort === wanted) ?? 'directory'
}

/** One of the lists from which the directory is merged. The list is sorted by the SQL in `place`, a constant if `same` is set. */
export type Part = {
  readonly place: string
  readonly same?: true
  readonly join?: string
  readonly only?: string
}

/** One sort order of the directory. `members` and `invitees` compute the place of a membership `m` and an invitation `i` in it. */
export type Order = {
  readonly type: string
  readonly direction: 'asc' | 'desc'
  readonly members: readonly Part[]
  readonly invitees: Part
  /** A common table expression that the lists of members read. */
  readonly given?: string
  /** A place before every row: the start of the first page. */
  readonly first: { readonly key: string; readonly id: string }
}

/** Two texts: one sorts before every id, the other after every id. */
export const [LOW, HIGH] = ['', '~'] as const
const UNPLACED = '2147483647'

/**
 * Only few members have invested. Their sums are computed and sorted; the members without investments follow in the order of their
 * index, with the sum 0.
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
    // Lower than every place, because places can be below zero.
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
    // Sorts after every time.
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
