/**
 * A part of a statement that a table's owner writes for statements of other modules, where a write of its table has to
 * happen in the same round trip. `scripts/check-sql-owners.ts` judges each fragment as a statement of its owner, and takes
 * its text out of the statements that contain it.
 */
export type SqlFragment = { readonly name: string; readonly text: string }

const fragments = new Map<string, SqlFragment>()

/**
 * Returns the text, which begins with the fragment's name as a comment: the same SQL written by hand is not the owner's. The
 * first word of the name is one that only statements of the owner begin with.
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

/** A name of a table expression or a column that a fragment is made for. */
export function sqlName(name: string): string {
  if (!IDENTIFIER.test(name)) throw new TypeError(`not a name in SQL: ${name}`)
  return name
}
