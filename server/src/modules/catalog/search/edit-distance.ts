/**
 * How many letters one must change, add, leave out or swap with their neighbour to make of what was typed the word, or the
 * beginning of it: who has typed half a word has not left out the other half. More than `most` is told as `most + 1`.
 * (Optimal string alignment: no piece is edited twice.)
 */
export function mistakesTyping(typed: string, word: string, most: number): number {
  // A longer beginning of the word would need more letters added than are tolerated.
  const letters = Math.min(word.length, typed.length + most)
  if (letters < typed.length - most) return most + 1
  let [before, last, row]: [number[], number[], number[]] = [[], ascending(letters), []]
  let leastBefore = 0
  for (let i = 1; i <= typed.length; i++) {
    const least = fill({ typed, word, i, letters, most, before, last, row })
    // What follows grows from these two rows.
    if (least > most && leastBefore > most) return most + 1
    leastBefore = least
    ;[before, last, row] = [last, row, before]
  }
  return Math.min(leastBefore, most + 1)
}

function ascending(to: number): number[] {
  const row: number[] = []
  for (let at = 0; at <= to; at++) row.push(at)
  return row
}

type Row = {
  readonly typed: string
  readonly word: string
  readonly i: number
  readonly letters: number
  readonly most: number
  readonly before: readonly number[]
  readonly last: readonly number[]
  readonly row: number[]
}

/** Writes the row for one more typed letter, as far as it can matter, and gives its least. */
function fill({ typed, word, i, letters, most, before, last, row }: Row): number {
  const [letter, previous] = [typed.charCodeAt(i - 1), typed.charCodeAt(i - 2)]
  const [from, to] = [Math.max(1, i - most), Math.min(letters, i + most)]
  // Beside the band there is nothing better than too much.
  row[from - 1] = from === 1 ? i : most + 1
  row[to + 1] = most + 1
  let least = row[from - 1] ?? i
  for (let j = from; j <= to; j++) {
    const other = word.charCodeAt(j - 1)
    let cost = (last[j - 1] ?? 0) + (letter === other ? 0 : 1)
    cost = Math.min(cost, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
    if (i > 1 && j > 1 && letter === word.charCodeAt(j - 2) && previous === other)
      cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
    row[j] = cost
    if (cost < least) least = cost
  }
  return least
}
