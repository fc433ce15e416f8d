import { parseCents } from '#kernel/money.ts'
import type { World } from '#kernel/world.ts'
import type { PageLinks } from '#system/crypto/page-link.ts'
import type { SessionRow } from './session-sql-store.ts'

export type Addresses = { readonly links: PageLinks; readonly origin: () => string }

/** Where a session's hosted page is, on this server. */
function sessionPath(links: PageLinks, world: World, id: string): string {
  return `/invest/session/${links.make(world, id)}`
}

export function sessionRecord({ id, ...row }: SessionRow, world: World, { links, origin }: Addresses) {
  return {
    id,
    type: 'investment_session' as const,
    attributes: {
      ...row,
      url: origin() + sessionPath(links, world, id),
      allocation_cents: parseCents(row.allocation_cents),
      metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    },
  }
}
