/** The maximum depth of a JSON value. Checking a much deeper value by recursion could overflow the stack. */
const DEPTH_MAX = 32

export type TextProblem = {
  /** The path of keys from the top; empty for the value itself. */
  readonly path: readonly string[]
  readonly problem: 'unstorable_text' | 'reserved_name' | 'too_deep'
}

/**
 * Text that PostgreSQL can store and UTF-8 can encode: no NUL, no half of a surrogate pair. Both are legal in JSON and would
 * otherwise cause a database error or a silently changed character.
 */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/**
 * Looks for problems in a JSON value that a schema cannot detect. Returns the first problem, or null, and the number of values
 * that were read.
 */
export function inspect(value: unknown): { readonly problem: TextProblem | null; readonly values: number } {
  const counter = { values: 0 }
  return { problem: findProblem(value, 0, counter), values: counter.values }
}

type Counter = { values: number }

function findProblem(value: unknown, depth: number, counter: Counter): TextProblem | null {
  counter.values++
  if (typeof value === 'string') return isStorable(value) ? null : { path: [], problem: 'unstorable_text' }
  if (typeof value !== 'object' || value === null) return null
  if (depth >= DEPTH_MAX) return { path: [], problem: 'too_deep' }
  return Array.isArray(value) ? inList(value, depth, counter) : inFields(value, depth, counter)
}

/**
 * Loops over indexes, because a body can have half a million items, and a list of their entries would cost more than the rest of
 * the check.
 */
function inList(list: readonly unknown[], depth: number, counter: Counter): TextProblem | null {
  for (let at = 0; at < list.length; at++) {
    const found = findProblem(list[at], depth + 1, counter)
    if (found !== null) return within(String(at), found)
  }
  return null
}

function inFields(fields: object, depth: number, counter: Counter): TextProblem | null {
  for (const [name, inner] of Object.entries(fields)) {
    // Assigning this key would replace the object's prototype instead of setting a property.
    if (name === '__proto__') return { path: [], problem: 'reserved_name' }
    if (!isStorable(name)) return { path: [], problem: 'unstorable_text' }
    const found = findProblem(inner, depth + 1, counter)
    if (found !== null) return within(name, found)
  }
  return null
}

function within(name: string, found: TextProblem): TextProblem {
  return { ...found, path: [name, ...found.path] }
}
