import MiniSearch, { type Options } from 'minisearch'

/** The build, `npm run docs:questions` and the dialog in the browser all use this file, so that they rank results in the same way. */
export const KINDS = [
  'guide',
  'operation',
  'event',
  'error',
  'scope',
  'convention',
  'version',
  'schema',
  'field',
] as const
export type Kind = (typeof KINDS)[number]

export type SearchDocument = {
  readonly id: number
  readonly kind: Kind
  readonly title: string
  /** Where the reader finds the document: a method and path, or the pages that lead to it. */
  readonly place: string
  /**
   * The names of the document besides the title, one in a line. A query that is exactly one of the names lists this
   * document first.
   */
  readonly names: string
  /** Words that readers search for but that the text of the document does not contain. */
  readonly also: string
  readonly text: string
  readonly address: string
  readonly weight: number
}

export type Result = Pick<SearchDocument, 'kind' | 'title' | 'place' | 'text' | 'address'> & {
  readonly score: number
  /** The words of the document that matched. */
  readonly terms: readonly string[]
}

const STORED = ['kind', 'title', 'place', 'text', 'address', 'names', 'weight'] as const

const OPTIONS: Options<SearchDocument> = {
  fields: ['title', 'names', 'also', 'text'],
  storeFields: [...STORED],
  tokenize,
  processTerm,
}

export type Index = MiniSearch<SearchDocument>

export function buildIndex(documents: readonly SearchDocument[]): Index {
  const index = new MiniSearch(OPTIONS)
  index.addAll(documents)
  return index
}

export function loadIndex(json: string): Index {
  return MiniSearch.loadJSON(json, OPTIONS)
}

/** Names such as `read:investors:pii`, `investment.executed`, `/companies/{id}` and `createToken` are indexed as a whole and in parts. */
function tokenize(text: string): string[] {
  return text.split(/[\s"“”‘()[\],;!?<>`*|]+/).flatMap((chunk) => {
    const word = chunk.replace(/^[^\p{L}\p{N}/{]+|[^\p{L}\p{N}}]+$/gu, '')
    const parts = word.split(/[^\p{L}\p{N}]+|(?<=[a-z])(?=[A-Z])/u).filter((part) => part.length > 1)
    return parts.length === 1 && parts[0] === word ? [word] : [word, ...parts].filter((part) => part !== '')
  })
}

/** Words of a question that do not name its subject. */
const STOP_WORDS = new Set(
  'a an and any are as at be by can do does for from get has have how i if in is it its many me mean means my of on only or per so than that the their them there this to was what when where which who why will with without you your'.split(
    ' ',
  ),
)

function processTerm(term: string): string | null {
  const word = term.toLowerCase().replace(/['’]s?$/, '')
  if (STOP_WORDS.has(word) || word === '') return null
  return stem(word)
}

/** "rotate", "rotated" and "rotating" have one root, and so have "delivery" and "deliveries". Names with signs in them stay as they are. */
function stem(word: string): string {
  if (word.length < 5 || /[^a-z]/.test(word)) return word
  const root = word
    .replace(/ies$/, 'y')
    .replace(/(?<=[^ius])s$/, '')
    .replace(/(?<=[a-z]{3})(?:ation|ing|ed|e)$/, '')
  return SYNONYMS[root] ?? root
}

/** Roots of words that readers use, each with the root of the word that the documentation uses. */
const SYNONYMS: Readonly<Record<string, string>> = {
  uninstall: 'revok',
  cancell: 'cancel',
  permission: 'scop',
  throttl: 'limit',
  subscrib: 'endpoint',
  resend: 'redeliver',
}

const BOOSTS = { title: 4, names: 4, also: 1.5, text: 1 }
const EXACT_BONUS = 1_000

/** Returns the best results first. Each address is listed once, but a schema's address once for each of its fields. */
export function search(index: Index, query: string, limit = 40): readonly Result[] {
  const queryNames = new Set(namesIn(query))
  const hits = index.search(query, {
    boost: BOOSTS,
    prefix: (term, i, terms) => i === terms.length - 1 && term.length > 2,
    fuzzy: (term) => (term.length > 5 && !/[^a-z]/.test(term) ? 0.2 : false),
    weights: { fuzzy: 0.2, prefix: 0.4 },
    boostDocument: (_id, _term, stored) => Number(stored?.['weight'] ?? 1),
  })
  const termCount = new Set(hits.flatMap(({ queryTerms }) => queryTerms)).size
  const results = hits.map(({ score, terms, queryTerms, id: _, match: __, names, weight, ...shown }): Result => {
    const { title } = shown
    const isNamed = [title, ...String(names).split('\n')].some((name) => queryNames.has(plainName(String(name))))
    const coverage = new Set(queryTerms).size / termCount
    const bonus = isNamed ? EXACT_BONUS * Number(weight) : 0
    return { ...(shown as unknown as Omit<Result, 'score' | 'terms'>), score: score * coverage ** 1.5 + bonus, terms }
  })
  const best = new Map<string, Result>()
  for (const result of results.sort((a, b) => b.score - a.score)) {
    const key = result.kind === 'field' ? `${result.address} ${result.title}` : result.address
    if (!best.has(key)) best.set(key, result)
  }
  return [...best.values()].slice(0, limit)
}

/** Readers name a path parameter as they like: `/companies/{company_id}`, `/companies/:id` and `/companies/{}` are the same path. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/\{[^}]*\}|(?<=\/):\w+/g, '{}')
    .replace(/\/$/, '')
}

/** The parts of a query that may be a name: the whole query, each word with a sign or a number, and a method with its path. */
function namesIn(query: string): readonly string[] {
  const words = query
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[?!,;]+$/, ''))
  const wordsWithSigns = words.filter((word) => /[._:/]|\d{3}/.test(word))
  const pairs = words.flatMap((word, i) => (words[i + 1]?.startsWith('/') ? [`${word} ${words[i + 1]}`] : []))
  return [query.trim(), ...wordsWithSigns, ...pairs].map(plainName)
}

export type Piece = { readonly text: string; readonly isMatch: boolean }

/** Splits the text into pieces, so that a page can mark those that match. */
export function piecesOf(text: string, terms: readonly string[]): readonly Piece[] {
  const matchingTerms = new Set(terms)
  return text
    .split(/([\p{L}\p{N}’']+)/u)
    .filter((piece) => piece !== '')
    .map((piece) => ({
      text: piece,
      isMatch: /[\p{L}\p{N}]/u.test(piece) && matchingTerms.has(processTerm(piece) ?? ''),
    }))
}

const EXCERPT_LENGTH = 160

/** The part of a text that has the most matches. It begins and ends between two words. */
export function excerpt(text: string, terms: readonly string[]): readonly Piece[] {
  const pieces = piecesOf(text, terms)
  if (text.length <= EXCERPT_LENGTH) return pieces
  const starts = pieces.flatMap(({ isMatch }, i) => (isMatch ? [i] : []))
  const windows = (starts.length === 0 ? [0] : starts).map((start) => windowFrom(pieces, Math.max(0, start - 8)))
  const [best = windowFrom(pieces, 0)] = windows.sort((a, b) => matchesIn(b.pieces) - matchesIn(a.pieces))
  const dots: Piece = { text: '…', isMatch: false }
  return [...(best.start > 0 ? [dots] : []), ...best.pieces, ...(best.end < pieces.length ? [dots] : [])]
}

function windowFrom(pieces: readonly Piece[], start: number) {
  let end = start
  for (let length = 0; end < pieces.length && length < EXCERPT_LENGTH; end++) length += pieces[end]?.text.length ?? 0
  return { start, end, pieces: pieces.slice(start, end) }
}

const matchesIn = (pieces: readonly Piece[]) => new Set(pieces.flatMap((one) => (one.isMatch ? [one.text] : []))).size
