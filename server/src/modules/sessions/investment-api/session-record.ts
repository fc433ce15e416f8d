import type { InstallationCaller } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import { parseCents } from '#kernel/money.ts'
import type { World } from '#kernel/world.ts'
import type { PageLinks } from '#system/crypto/page-link.ts'
import type { SessionRow } from './session-sql-store.ts'

export type Addresses = { readonly links: PageLinks; readonly origin: () => string }

/** Where a session's hosted page is, on this server. */
function sessionPath(links: PageLinks, world: World, id: string): string {
  return `/invest/session/${links.make(world, id)}`
}

/** Through which installation a session is read, and whether the token reads investors' identities. */
export type Reader = { readonly installation: Id<'installation'>; readonly pii: boolean }

export function readerOf({ installationId: installation, scopes }: InstallationCaller): Reader {
  return { installation, pii: scopes.has('read:investors:pii') }
}

type Shown = { readonly world: World; readonly reader: Reader; readonly addresses: Addresses }

export function sessionRecord(session: SessionRow, { world, reader, addresses: { links, origin } }: Shown) {
  const { id, created_by, email, ...row } = session
  return {
    id,
    type: 'investment_session' as const,
    attributes: {
      ...row,
      // "Through the one that did not create it, email only with read:investors:pii."
      email: created_by === reader.installation || reader.pii ? email : null,
      url: origin() + sessionPath(links, world, id),
      allocation_cents: parseCents(row.allocation_cents),
      metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    },
  }
}
