/** How many to suggest, and from how far away. */
const SUGGESTED_MAX = 5
const EDITS_MAX = 4

/** The known names that an unknown one may have meant, nearest first; others of its noun if none is near. */
export function nearTypes(unknown: string, known: Iterable<string>): readonly string[] {
  const names = [...known]
  const near = names
    .map((name) => ({ name, edits: editDistance(unknown, name) }))
    .filter(({ edits }) => edits <= EDITS_MAX)
    .toSorted((a, b) => a.edits - b.edits)
    .map(({ name }) => name)
  const noun = unknown.split('.', 1)[0] ?? ''
  const related = names.filter((name) => name.startsWith(`${noun}.`) && !near.includes(name))
  return [...near, ...related].slice(0, SUGGESTED_MAX)
}

/** Levenshtein's, one row at a time. Both texts are short: the frame has bounded them. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
