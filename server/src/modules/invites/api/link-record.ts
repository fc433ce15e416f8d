import type { Behaviour } from '#http/versions.ts'
import type { World } from '#kernel/world.ts'
import type { PageLinks } from '#system/crypto/page-link.ts'
import { type InviteLink, isUsedUp, statusOf } from '../link.ts'
import { linkPath } from '../link-path.ts'
import type { NotedEvent } from '../store.ts'

export type Addresses = { readonly links: PageLinks; readonly origin: () => string }

/** "Per-person adds …": a link for many has none of these keys. */
export function linkRecord(
  link: InviteLink,
  world: World,
  { links, origin, behaviour }: Addresses & { readonly behaviour: Behaviour },
) {
  const usedUp = behaviour.usedUpLinks === 'inactive' && isUsedUp(link)
  return {
    id: link.id,
    type: 'invite_link' as const,
    attributes: {
      url: origin() + linkPath(links, world, link.id),
      currency: link.currency,
      allocation_cents: link.allocation,
      max_uses: link.maxUses,
      uses_count: link.uses,
      active: link.canceledAt === null && !usedUp,
      created_at: link.createdAt,
      ...(link.perPerson ? personal(link) : {}),
    },
  }
}

/** "Never returns that account's email": what is shown of a person is what the partner named them by. */
function personal(link: InviteLink) {
  return {
    email: link.email,
    platform_user_id: link.userId,
    status: statusOf(link),
    opened_at: link.openedAt,
    invested_at: link.investedAt,
    investment_id: link.investment,
  }
}

export function eventRecord({ event, created_at }: NotedEvent) {
  return { event, city: null, country_code: null, created_at }
}
