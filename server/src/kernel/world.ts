/**
 * Two worlds, one server. `test` is the sandbox; `live` is the real platform. On the wire the same
 * distinction is called `mode`. A credential's prefix picks the world; data never crosses.
 */
export const WORLDS = ['test', 'live'] as const
export type World = (typeof WORLDS)[number]

/** One of something for each of the two. */
export function inEach<T>(make: (world: World) => T): Readonly<Record<World, T>> {
  return { test: make('test'), live: make('live') }
}
