/**
 * A part of a statement that a table's owner writes for other modules' statements, if its table must be written in the same
 * round trip. `scripts/check-sql-owners.ts` checks each fragment as a statement of its owner, and removes its text from the
 * statements that contain it.
 */
export type SqlFragment = { readonly name: string; readonly text: string }

const fragments = new Map<string, SqlFragment>()

/**
 * Returns the text, which begins with the fragment's name as a comment: the same SQL without the comment does not count as the
 * owner's. The first word of the name is one that only the owner's statements begin with.
 */
export function sqlFragment(name: string, sql: string): string {
  const text = `/* ${name} */ ${sql}`
  fragments.set(text, { name, text })
  return text
}

export function allFragments(): readonly SqlFragment[] {
  return [...fragments.values()]
}

const IDENTIFIER = /^[a-z_][a-z0-9_]*$/

/** The name of a table expression or column that a fragment is made for. */
export function sqlName(name: string): string {
  if (!IDENTIFIER.test(name)) throw new TypeError(`not an SQL name: ${name}`)
  return name
}
