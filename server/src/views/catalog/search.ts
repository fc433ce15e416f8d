import { Type } from 'typebox'
import { comparePlaces, listOf, pageQuery } from '#http/pagination.ts'
import { exactly, idOf, nullableType } from '#http/schema-fields.ts'
import type { CursorValue } from '#kernel/cursor.ts'
import { Count, Text, Url } from './schemas.ts'

export const QUERY_CHARS_MAX = 200
export const QUERY_BYTES_MAX = 500
export const RESULTS_DEFAULT = 8
export const RESULTS_MAX = 20
/** The result of a search is limited to the best 200. */
export const BEST_RESULTS = 200

export const SearchQuery = Type.Object({
  q: Type.String({
    description: `A name or the start of one; a few typing errors are tolerated. At most ${QUERY_CHARS_MAX} characters and ${QUERY_BYTES_MAX} bytes.`,
    examples: ['solar'],
  }),
  // Declared as text, because the newest version ignores every value of this parameter.
  limit: Type.Optional(
    Type.String({
      description: `Only in versions before 2026-11-01, instead of per_page: 1 to ${RESULTS_MAX}, ${RESULTS_DEFAULT} by default.`,
      examples: [String(RESULTS_DEFAULT)],
    }),
  ),
  ...pageQuery(),
})

const SearchResult = exactly(
  {
    id: idOf('company'),
    type: Type.Literal('company'),
    attributes: exactly({
      name: Text,
      tagline: nullableType(Text),
      url: Url,
      logo_url: nullableType(Url),
      raising: Type.Boolean({
        description: 'Whether a round that the viewer sees accepts investments or reservations.',
      }),
      profile_available: Type.Boolean({
        description: 'Whether this viewer can read the company with GET /companies/{id}.',
      }),
    }),
  },
  'CompanySearchResult',
)

export const SearchResults = listOf(SearchResult, { query: Text, count: Count })

type Named = {
  readonly id: string
  readonly words: readonly string[]
  readonly typed: readonly string[]
  readonly raising: boolean
  readonly raised_cents: string
}

/** How well a name matches: the kind of match (lower is better), then the number of typing errors. */
type Fit = { readonly kind: number; readonly mistakes: number }

/**
 * "Match quality, then the site's tie-breaks." The order: the name itself, names that start with the text, names in which every
 * typed word starts a word, names that contain the text, and last names within a few typing errors. Of names that match equally
 * well, a company that is raising comes first, then the company that raised more, then the shorter name.
 */
export function ranked<C extends Named>(candidates: readonly C[]): Ranked<C>[] {
  const fitting = candidates.flatMap((company) => {
    const fit = fitOf(company)
    return fit === null ? [] : [{ company, place: placeOf(company, fit) }]
  })
  return fitting.toSorted((a, b) => comparePlaces(a.place, b.place))
}

/** `place`: the values that the ranking compares. A cursor contains it. */
type Ranked<C> = { readonly company: C; readonly place: readonly CursorValue[] }

function placeOf({ id, words, raising, raised_cents }: Named, { kind, mistakes }: Fit): readonly CursorValue[] {
  return [kind, mistakes, raising ? 0 : 1, -Number(raised_cents), words.join(' ').length, id]
}

function fitOf({ words, typed }: Named): Fit | null {
  const [name, sought] = [words.join(''), typed.join('')]
  if (sought === '') return null
  if (name === sought) return { kind: 0, mistakes: 0 }
  if (name.startsWith(sought)) return { kind: 1, mistakes: 0 }
  if (typed.every((word) => words.some((each) => each.startsWith(word)))) return { kind: 2, mistakes: 0 }
  // A text of one or two letters is part of most names, so it counts only at the start of a word.
  if (sought.length >= 3 && name.includes(sought)) return { kind: 3, mistakes: 0 }
  return meant(words, typed)
}

/** Compares each complete or unfinished word, with a few typing errors. Also compares the whole text, for missing or extra spaces. */
function meant(words: readonly string[], typed: readonly string[]): Fit | null {
  const mistakes = typed.map((word) => Math.min(...words.map((each) => mistakesIn(word, each))))
  const total = mistakes.reduce((sum, each) => sum + each, 0)
  if (Number.isFinite(total)) return { kind: 4, mistakes: total }
  const whole = mistakesIn(typed.join(''), words.join(''))
  return Number.isFinite(whole) ? { kind: 5, mistakes: whole } : null
}

/** The number of typing errors; infinite if there are too many for the words to be the same. */
function mistakesIn(typed: string, word: string): number {
  if (word.startsWith(typed)) return 0
  const most = toleratedIn(typed)
  if (most === 0) return Number.POSITIVE_INFINITY
  const least = mistakesTyping(typed, word, most)
  return least > most ? Number.POSITIVE_INFINITY : least
}

/** With an error, a word of one or two letters would match too many other words; in a long word two errors are common. */
function toleratedIn({ length }: string): number {
  if (length < 3) return 0
  return length < 7 ? 1 : 2
}

/**
 * How many letters must be changed, added, removed or swapped with their neighbour to turn the typed text into the word or a prefix of
 * the word, because an unfinished word is not an error. Returns `most + 1` if there are more than `most`. The algorithm is optimal
 * string alignment, which edits no part twice.
 */
export function mistakesTyping(typed: string, word: string, most: number): number {
  // A longer prefix of the word would need more added letters than are tolerated.
  const letters = Math.min(word.length, typed.length + most)
  if (letters < typed.length - most) return most + 1
  let [before, last, row]: [number[], number[], number[]] = [[], ascending(letters), []]
  let leastBefore = 0
  for (let i = 1; i <= typed.length; i++) {
    const least = fill({ typed, word, i, letters, most, before, last, row })
    // Later rows depend only on the last two rows, so their values cannot become smaller.
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

/** Fills the row for one more typed letter, as far as it matters, and returns its minimum. */
function fill({ typed, word, i, letters, most, before, last, row }: Row): number {
  const [letter, previous] = [typed.charCodeAt(i - 1), typed.charCodeAt(i - 2)]
  const [from, to] = [Math.max(1, i - most), Math.min(letters, i + most)]
  // Cells further from the diagonal have values above the maximum, so only a band around it is computed.
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
