/**
 * Compares the sample below a block of a guide with the output of the block. Ids, times, numbers and secrets differ
 * from run to run. So JSON is compared by its keys and types. Other text is compared after these values have been
 * replaced. `…` in a sample matches anything.
 */
export function differenceOf(sample: string, language: string, printed: string): string | null {
  if (language === 'json' || language === 'json5') return jsonDifference(parseValues(sample), printed)
  const wanted = `^${plainText(sample).split('…').map(escaped).join('.*')}$`
  return new RegExp(wanted, 's').test(plainText(printed)) ? null : `it printed:\n${printed}`
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Removes white space, because a sample may break a long line. */
function plainText(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, '#')
    .replace(/\b([a-z]+(?:_test|_live)?_)[0-9A-Za-z]{12,}(?:\.[\w-]+)?/g, '$1#')
    .replace(/\b(?=[0-9a-z]*\d)[0-9a-z]{8,}\b/gi, '#')
    .replace(/localhost:\d+|127\.0\.0\.1:\d+/g, 'HOST')
    .replace(/(?:#|\d)+(?:[.,]\d+)*/g, '#')
    .replace(/\s+/g, '')
}

const ANYTHING = '…'

function jsonDifference(samples: readonly unknown[], printed: string): string | null {
  let real: readonly unknown[]
  try {
    real = parseValues(printed)
  } catch {
    return `it printed no JSON:\n${printed}`
  }
  if (real.length < samples.length)
    return `it printed ${real.length} values, the sample has ${samples.length}:\n${printed}`
  const found = samples.flatMap((sample, i) => shapeDifferences(sample, real[i], 'the value'))
  return found.length === 0 ? null : `${found.join('\n')}\nit printed:\n${printed}`
}

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeOf(value) === 'object'

function shapeDifferences(sample: unknown, real: unknown, at: string): readonly string[] {
  if (sample === ANYTHING) return []
  if (typeOf(sample) !== typeOf(real)) return [`${at} is ${typeOf(real)}, in the sample ${typeOf(sample)}`]
  if (Array.isArray(sample) && Array.isArray(real)) {
    const rows = sample.filter((row) => row !== ANYTHING)
    if (rows.length > real.length) return [`${at} has ${real.length} elements, in the sample ${rows.length}`]
    return rows.flatMap((row, i) => shapeDifferences(row, real[i], `${at}[${i}]`))
  }
  if (!isObject(sample) || !isObject(real)) return []
  const unknown = Object.keys(sample).filter((key) => key !== ANYTHING && !Object.hasOwn(real, key))
  const missing = ANYTHING in sample ? [] : Object.keys(real).filter((key) => !Object.hasOwn(sample, key))
  return [
    ...unknown.map((key) => `${at} has no ${key}`),
    ...missing.map((key) => `the sample lacks ${key} of ${at}`),
    ...Object.keys(sample)
      .filter((key) => Object.hasOwn(real, key))
      .flatMap((key) => shapeDifferences(sample[key], real[key], `${at}.${key}`)),
  ]
}

const TOKEN = /\s+|\/\/[^\n]*|("(?:[^"\\]|\\.)*"|[{}[\]:,]|…|[^\s{}[\]:,"…]+)/gy

/** Parses a series of JSON values with comments, and with `…` in place of keys, elements and values. */
function parseValues(text: string): readonly unknown[] {
  const tokens = [...text.matchAll(TOKEN)].flatMap(([, token]) => (token === undefined ? [] : [token])).reverse()
  const values: unknown[] = []
  while (tokens.length > 0) values.push(parseValue(tokens))
  return values
}

/** Takes the tokens of a value from the end of the list. */
function parseValue(tokens: string[]): unknown {
  const token = tokens.pop() ?? ''
  if (token === ANYTHING) return ANYTHING
  if (token === '[') return membersUntil(']', tokens, () => parseValue(tokens))
  if (token === '{') return Object.fromEntries(membersUntil('}', tokens, () => parseField(tokens)))
  return JSON.parse(token)
}

function parseField(tokens: string[]): readonly [string, unknown] {
  const name = String(parseValue(tokens))
  if (name === ANYTHING) return [ANYTHING, ANYTHING]
  if (tokens.pop() !== ':') throw new Error(`${name} has no value`)
  return [name, parseValue(tokens)]
}

function membersUntil<T>(end: string, tokens: string[], parse: () => T): readonly T[] {
  const members: T[] = []
  while (tokens.at(-1) !== end) {
    members.push(parse())
    if (tokens.at(-1) === ',') tokens.pop()
    else if (tokens.at(-1) !== end) throw new Error(`${end} is missing`)
  }
  tokens.pop()
  return members
}
