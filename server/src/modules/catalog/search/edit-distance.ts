/**
 * How many letters one must change, add, leave out or swap with their neighbour to make one word of the other; more than
 * `most` is told as `most + 1`. (Optimal string alignment: no piece is edited twice.)
 */
export function editDistance(from: string, to: string, most: number): number {
  const [a, b] = [[...from], [...to]]
  if (Math.abs(a.length - b.length) > most) return most + 1
  let [before, last]: [number[], number[]] = [[], b.map((_, at) => at)]
  last.push(b.length)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) row.push(cell({ a, b, i, j, row, last, before }))
    if (Math.min(...row) > most) return most + 1
    ;[before, last] = [last, row]
  }
  return Math.min(last[b.length] ?? 0, most + 1)
}

type At = {
  readonly a: readonly string[]
  readonly b: readonly string[]
  readonly i: number
  readonly j: number
  readonly row: readonly number[]
  readonly last: readonly number[]
  readonly before: readonly number[]
}

function cell({ a, b, i, j, row, last, before }: At): number {
  const same = a[i - 1] === b[j - 1]
  const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
  return Math.min(
    (last[j] ?? 0) + 1,
    (row[j - 1] ?? 0) + 1,
    (last[j - 1] ?? 0) + (same ? 0 : 1),
    swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
  )
}
