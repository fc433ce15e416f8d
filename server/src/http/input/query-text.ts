/** A query string taken apart: every value a name was given, in order. */
export type RawQuery = {
  readonly values: ReadonlyMap<string, readonly string[]>
  /** Some part was not percent-encoded UTF-8. Each route says in its own words what that means. */
  readonly malformed: boolean
}

const NOTHING: RawQuery = { values: new Map(), malformed: false }

export function parseQueryText(text: string): RawQuery {
  if (text === '') return NOTHING
  const values = new Map<string, string[]>()
  let malformed = false
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals === -1 ? pair : pair.slice(0, equals))
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1))
    if (name === null || value === null) {
      malformed = true
      continue
    }
    const earlier = values.get(name)
    if (earlier === undefined) values.set(name, [value])
    else earlier.push(value)
  }
  return { values, malformed }
}

const ENCODED = /[%+]/

function decode(text: string): string | null {
  if (!ENCODED.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    // decodeURIComponent says "malformed" in no other way.
    return null
  }
}
