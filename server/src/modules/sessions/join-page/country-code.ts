/**
 * "Jurisdiction": a syndicate names countries by their ISO 3166 code, and an address is written by people. Null for what
 * names no country we know: then it is not known where they live.
 */
export function countryCode(written: string | null): string | null {
  if (written === null) return null
  const word = plain(written)
  return CODE_OF_NAME.get(word) ?? (/^[a-z]{2}$/.test(word) ? knownCode(word.toUpperCase()) : null)
}

const ENGLISH = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Codes that the tables of names have beside those of countries. */
const NO_COUNTRY: ReadonlySet<string> = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'])

/** The code in use today: UK is GB. */
function knownCode(code: string): string | null {
  const region = new Intl.Locale(`und-${code}`).region ?? code
  return NO_COUNTRY.has(region) || ENGLISH.of(region) === undefined ? null : region
}

/** How else the names of some countries are written, in English. */
const ALSO: readonly (readonly [code: string, names: readonly string[]])[] = [
  ['US', ['USA', 'U.S.', 'U.S.A.', 'United States of America', 'America']],
  ['GB', ['U.K.', 'GBR', 'Great Britain', 'Britain', 'England', 'Scotland', 'Wales', 'Northern Ireland']],
  ['CI', ['Ivory Coast']],
  ['CZ', ['Czech Republic']],
  ['DE', ['DEU', 'Deutschland']],
  ['HK', ['Hong Kong']],
  ['IE', ['Republic of Ireland']],
  ['KR', ['Korea', 'Republic of Korea']],
  ['MK', ['Macedonia']],
  ['MM', ['Myanmar', 'Burma']],
  ['NL', ['Holland', 'The Netherlands']],
  ['RU', ['Russian Federation']],
  ['TR', ['Turkey']],
  ['VN', ['Viet Nam']],
]

const CODE_OF_NAME: ReadonlyMap<string, string> = new Map([...ownNames(), ...otherNames()])

function* ownNames(): Iterable<[string, string]> {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = knownCode(code) === code ? ENGLISH.of(code) : undefined
    if (name !== undefined) yield [plain(name), code]
  }
}

function* otherNames(): Iterable<[string, string]> {
  for (const [code, names] of ALSO) for (const name of names) yield [plain(name), code]
}

/** Without accents, points, capitals and needless blanks. */
function plain(text: string): string {
  const letters = text.normalize('NFKD').replaceAll(/[\p{Mark}.]/gu, '')
  return letters
    .replaceAll(/[^\p{Letter}]+/gu, ' ')
    .trim()
    .toLowerCase()
    .replace(/^the /, '')
}
