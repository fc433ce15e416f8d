import { Type } from 'typebox'
import { comparePlaces, listOf, pageQuery } from '#http/pagination.ts'
import { exactly, idOf, nullableType } from '#http/schema-fields.ts'
import type { CursorValue } from '#kernel/cursor.ts'
import { Count, Text, Url } from './schemas.ts'

export const QUERY_CHARS_MAX = 200
export const QUERY_BYTES_MAX = 500
export const RESULTS_DEFAULT = 8
export const RESULTS_MAX = 20
/** The result of a search is defined as the best 200. */
export const BEST_RESULTS = 200

export const SearchQuery = Type.Object({
  q: Type.String({
    description: `A name or the beginning of one; a few wrong letters do no harm. At most ${QUERY_CHARS_MAX} characters and ${QUERY_BYTES_MAX} bytes.`,
    examples: ['solar'],
  }),
  // Text, because the newest version ignores it whatever it holds.
  limit: Type.Optional(
    Type.String({
      description: `Versions before 2026-11-01 only, in place of per_page: 1 to ${RESULTS_MAX}, ${RESULTS_DEFAULT} by default.`,
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
      raising: Type.Boolean({ description: 'Whether a round that the viewer sees takes investments or reservations.' }),
      profile_available: Type.Boolean({ description: 'Whether GET /companies/{id} serves it to this viewer.' }),
    }),
  },
  'CompanySearchResult',
)

export const SearchResults = listOf(SearchResult, { query: Text, count: Count })

type Named = {
  readonly id: string
  readonly words: readonly string[]
  readonly asked: readonly string[]
  readonly raising: boolean
  readonly raised_cents: string
}

/** How well a name fits: the kind of match (less is better), then how many letters are wrong. */
type Fit = { readonly kind: number; readonly mistakes: number }

/**
 * "Match quality, then the site's tie-breaks." In the order people expect: the name itself, names that begin so, names
 * with words that begin so, names that hold it somewhere, and last what was meant if letters are wrong. Among equals who
 * is raising comes first, then who raised more, then the shorter name.
 */
export function ranked<C extends Named>(candidates: readonly C[]): Ranked<C>[] {
  const fitting = candidates.flatMap((company) => {
    const fit = fitOf(company)
    return fit === null ? [] : [{ company, place: placeOf(company, fit) }]
  })
  return fitting.toSorted((a, b) => comparePlaces(a.place, b.place))
}

/** `place`: what the ranking compares, value by value. A cursor holds it. */
type Ranked<C> = { readonly company: C; readonly place: readonly CursorValue[] }

function placeOf({ id, words, raising, raised_cents }: Named, { kind, mistakes }: Fit): readonly CursorValue[] {
  return [kind, mistakes, raising ? 0 : 1, -Number(raised_cents), words.join(' ').length, id]
}

function fitOf({ words, asked }: Named): Fit | null {
  const [name, sought] = [words.join(''), asked.join('')]
  if (sought === '') return null
  if (name === sought) return { kind: 0, mistakes: 0 }
  if (name.startsWith(sought)) return { kind: 1, mistakes: 0 }
  if (asked.every((word) => words.some((each) => each.startsWith(word)))) return { kind: 2, mistakes: 0 }
  // One or two letters stand somewhere in most names.
  if (sought.length >= 3 && name.includes(sought)) return { kind: 3, mistakes: 0 }
  return meant(words, asked)
}

/** Each word with a few letters wrong, finished or not; or all of it, for spaces that are missing or too many. */
function meant(words: readonly string[], asked: readonly string[]): Fit | null {
  const mistakes = asked.map((word) => Math.min(...words.map((each) => mistakesIn(word, each))))
  const total = mistakes.reduce((sum, each) => sum + each, 0)
  if (Number.isFinite(total)) return { kind: 4, mistakes: total }
  const whole = mistakesIn(asked.join(''), words.join(''))
  return Number.isFinite(whole) ? { kind: 5, mistakes: whole } : null
}

/** Infinite where too much is wrong for the two to be the same word. */
function mistakesIn(typed: string, word: string): number {
  if (word.startsWith(typed)) return 0
  const most = toleratedIn(typed)
  if (most === 0) return Number.POSITIVE_INFINITY
  const least = mistakesTyping(typed, word, most)
  return least > most ? Number.POSITIVE_INFINITY : least
}

/** Nobody mistypes a word of two letters; in a long word two slips are common. */
function toleratedIn({ length }: string): number {
  if (length < 3) return 0
  return length < 7 ? 1 : 2
}

/**
 * How many letters one must change, add, leave out or swap with their neighbour to make of what was typed the word, or the
 * beginning of it: who has typed half a word has not left out the other half. More than `most` is reported as `most + 1`.
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
