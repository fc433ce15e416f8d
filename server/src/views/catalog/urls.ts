import type { World } from '#kernel/world.ts'

/** Pages and pictures on this server are stored as a path; API clients need the absolute URL. */
export function absoluteUrl(origin: string, address: string): string {
  return address.startsWith('/') ? origin + address : address
}

export function absoluteUrlOrNull(origin: string, address: string | null): string | null {
  return address === null ? null : absoluteUrl(origin, address)
}

const PLACES: Readonly<Record<World, string>> = { live: '/c/', test: '/sandbox/c/' }

/** Where a company's page is on this server. */
export function companyPagePath(world: World, slug: string): string {
  return PLACES[world] + slug
}
