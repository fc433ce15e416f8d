import { addCents, parseCents } from '#kernel/money.ts'
import type { InviteLink } from './link.ts'

/** bigint and sums arrive as text. */
export type LinkRow = Omit<InviteLink, 'allocation' | 'claimed'> & {
  readonly allocation: string | null
  readonly claimed: string
}

/** Reservations stand as investments do; canceled ones do not. What was converted stands until its successor is told. */
const stands = (i: string) =>
  `(${i}.status in ('active', 'executed', 'reserved') or ${i}.status = 'converted' and ${i}.converted_to is null)`

/**
 * The investments that came of a link and stand, each once, with who made it. One that was converted goes on as its
 * successor: the place it took is not given back.
 */
export const standingUses = (link: string) => `(
       select distinct on (i.id) i.id, i.amount_cents, first.investor_id, u.used_at
         from invite_link_uses u
         join investments first on first.id = u.investment_id
         cross join lateral (
           select first.id, first.amount_cents where ${stands('first')}
           union all (
             with recursive onward as (
               select o.id, o.status, o.amount_cents, o.converted_to from investments o
                where first.status = 'converted' and o.id = first.converted_to
               union all
               select o.id, o.status, o.amount_cents, o.converted_to
                 from onward join investments o on onward.status = 'converted' and o.id = onward.converted_to)
             select onward.id, onward.amount_cents from onward where ${stands('onward')})) i
        where u.invite_link_id = ${link}
        order by i.id, u.used_at)`

/** Of `invite_links l`, with what came of it. */
export const LINK = `select l.id, l.offering_id as offering, l.installation_id as installation, l.per_person as "perPerson",
          l.email, l.user_id as "userId", l.first_name as "firstName", l.message, l.allocation_cents as allocation,
          (select o.currency from offerings o where o.id = l.offering_id) as currency,
          l.max_uses as "maxUses", l.opened_at as "openedAt", l.opened_by_user_id as "openedBy",
          l.declined_at as "declinedAt", l.canceled_at as "canceledAt", l.created_at as "createdAt",
          used.uses, used.claimed, used.investment, used."investedAt"
     from invite_links l
     cross join lateral (
       select count(*)::integer as uses, coalesce(sum(u.amount_cents), 0)::text as claimed, min(u.used_at) as "investedAt",
              (array_agg(u.id order by u.used_at, u.id))[1] as investment
         from ${standingUses('l.id')} u) used`

export function linkOf(row: LinkRow): InviteLink {
  return { ...row, allocation: parseCents(row.allocation), claimed: parseCents(row.claimed) ?? addCents([]) }
}
