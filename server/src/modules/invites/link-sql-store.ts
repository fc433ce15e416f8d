import { addCents, parseCents } from '#kernel/money.ts'
import type { InviteLink } from './link.ts'

/** bigint and sums arrive as text. */
export type LinkRow = Omit<InviteLink, 'allocation' | 'claimed'> & {
  readonly allocation: string | null
  readonly claimed: string
}

/** Reservations stand as investments do; canceled and converted ones do not. */
const STANDING = `i.status in ('active', 'executed', 'reserved')`

/** Of `invite_links l`, with what came of it. */
export const LINK = `select l.id, l.offering_id as offering, l.installation_id as installation, l.per_person as "perPerson",
          l.email, l.user_id as "userId", l.first_name as "firstName", l.message, l.allocation_cents as allocation,
          l.max_uses as "maxUses", l.opened_at as "openedAt", l.opened_by_user_id as "openedBy",
          l.declined_at as "declinedAt", l.canceled_at as "canceledAt", l.created_at as "createdAt",
          used.uses, used.claimed, used.investment, used."investedAt"
     from invite_links l
     cross join lateral (
       select count(*)::integer as uses, coalesce(sum(i.amount_cents), 0)::text as claimed, min(u.used_at) as "investedAt",
              (array_agg(u.investment_id order by u.used_at, u.investment_id))[1] as investment
         from invite_link_uses u join investments i on i.id = u.investment_id
        where u.invite_link_id = l.id and ${STANDING}) used`

export function linkOf(row: LinkRow): InviteLink {
  return { ...row, allocation: parseCents(row.allocation), claimed: parseCents(row.claimed) ?? addCents([]) }
}
