import { type Static, Type } from 'typebox'
import type { Id, IdKind } from '#kernel/ids.ts'
import { IdOf, Line, Nullable } from './fields.ts'

/** What facts about people and companies are made of. */

/** An id that is one to the compiler too. */
export const Ref = <K extends IdKind>(kind: K) => Type.Unsafe<Id<K>>(IdOf(kind))

/** One of a list of words. */
export const Word = <const W extends string>(words: readonly W[]) =>
  Type.Unsafe<W>(Type.Enum([...words], { type: 'string' }))

/** The address of a page or picture: elsewhere, or a path of our own. Nothing invisible (`\p{C}`) in it. */
export const Link = Type.String({ maxLength: 2000, pattern: '^(https?://|/(?!/))[^\\s\\p{C}]+$' })

const PLACE_CHARS_MAX = 100
const Place = Type.Optional(Nullable(Line(PLACE_CHARS_MAX)))

/** Told as a whole, because a new city beside an old state is nowhere: what is left out is unknown from then on. */
export const Location = Nullable(
  Type.Object({ city: Place, state: Place, country: Place }, { additionalProperties: false }),
)

type Places = { readonly city: string | null; readonly state: string | null; readonly country: string | null }

/** A location, if one was told, in its three columns. */
export function placesOf(location: Static<typeof Location> | undefined): Partial<Places> {
  if (location === undefined) return {}
  return { city: location?.city ?? null, state: location?.state ?? null, country: location?.country ?? null }
}
