import type { World } from '#kernel/world.ts'

const PLACES: Readonly<Record<World, string>> = { live: '/c/', test: '/sandbox/c/' }

/** Where a company's page is on this server. */
export function companyPagePath(world: World, slug: string): string {
  return PLACES[world] + slug
}
