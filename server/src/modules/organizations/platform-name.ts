import { validationError } from '#kernel/errors.ts'

/** The names of this platform: the wire brand and the name that people see. Null where the platform itself gives the name. */
export type PlatformNames = string | readonly string[]
export type Naming = { readonly brand: PlatformNames | null }

/**
 * "Wefunder Support" asking for access would be believed to be the platform. So no app and no organization bears its
 * name: not at the beginning, and not taken apart by spaces, marks, letters of another width, or Cyrillic and Greek
 * letters of the same shape. What only resembles it ("Wefumder") is for the people who review an app before approving it.
 */
export function refusePlatformName({ brand }: Naming, name: string): void {
  const reserved = [brand ?? []].flat().map(folded)
  if (!reserved.some((start) => start !== '' && folded(name).startsWith(start))) return
  const message = 'must not begin with the platform’s own name'
  throw validationError([{ field: 'name', code: 'reserved', message }])
}

function folded(text: string): string {
  return [...text.normalize('NFKC').toLowerCase()]
    .map((letter) => LATIN_SHAPE.get(letter) ?? letter)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** Lower-case letters that are drawn like Latin ones, as small or as capital letters (Н is an H, в its small form). */
const LATIN_SHAPE: ReadonlyMap<string, string> = new Map(
  [
    ['авсԁеһніјкӏморԛѕтѵԝху', 'abcdehhijklmopqstvwxy'],
    ['αβεζηικμνορτυχ', 'abezhikmnoptyx'],
    ['ıſ', 'is'],
  ].flatMap(([letters = '', latin = '']) => [...letters].map((letter, at) => [letter, latin[at] ?? letter] as const)),
)
