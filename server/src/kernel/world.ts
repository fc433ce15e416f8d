/**
 * One server has two worlds: `test` is the sandbox, `live` is the real platform. The API calls a world `mode`. A credential's
 * prefix picks the world (`worldOfSecret`), and no data crosses from one world to the other: each world has its own connections,
 * whose PostgreSQL role has no rights in the other world's schema (`worldRole`).
 */
export const WORLDS = ['test', 'live'] as const
export type World = (typeof WORLDS)[number]

/** Calls `make` once for each world. */
export function inEach<T>(make: (world: World) => T): Readonly<Record<World, T>> {
  return { test: make('test'), live: make('live') }
}
