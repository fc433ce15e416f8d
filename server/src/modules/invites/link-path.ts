import type { World } from '#kernel/world.ts'
import type { PageLinks } from '#system/crypto/page-link.ts'

/** Where a link's page is, on this server: "…/i/{token}". */
export function linkPath(links: PageLinks, world: World, id: string): string {
  return `/i/${links.make(world, id)}`
}
