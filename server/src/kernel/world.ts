/**
 * Two worlds, one server. `test` is the sandbox; `live` is the real platform. On the wire the same
 * distinction is called `mode`. A credential's prefix picks the world; data never crosses.
 */
export const WORLDS = ['test', 'live'] as const
export type World = (typeof WORLDS)[number]
