import MiniSearch, { type Options } from 'minisearch'

/** Used by the build, by `npm run docs:questions` and by the dialog in the browser, so that all three rank alike. */
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
  /** Where it is: method and path, or the way to it. */
  readonly place: string
  /** What it is called besides its title, one name in a line: a query that names it exactly finds it first. */
  readonly names: string
  /** Words that readers use for it, but that its text does not contain. */
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

/** `read:investors:pii`, `investment.executed`, `/companies/{id}` and `createToken`: as a whole, and in parts. */
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

/** Enough for "rotate", "rotated" and "rotating", "delivery" and "deliveries"; names with signs in them stay as they are. */
function stem(word: string): string {
  if (word.length < 5 || /[^a-z]/.test(word)) return word
  const root = word
    .replace(/ies$/, 'y')
    .replace(/(?<=[^ius])s$/, '')
    .replace(/(?<=[a-z]{3})(?:ation|ing|ed|e)$/, '')
  return SYNONYMS[root] ?? root
}

/** Roots of words that readers use where the documentation uses another. */
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

/** The results in their order, each address once. */
export function search(index: Index, query: string, limit = 40): readonly Result[] {
  const named = new Set(namesIn(query))
  const found = index.search(query, {
    boost: BOOSTS,
    prefix: (term, i, terms) => i === terms.length - 1 && term.length > 2,
    fuzzy: (term) => (term.length > 5 && !/[^a-z]/.test(term) ? 0.2 : false),
    weights: { fuzzy: 0.2, prefix: 0.4 },
    boostDocument: (_id, _term, stored) => Number(stored?.['weight'] ?? 1),
  })
  const wanted = new Set(found.flatMap(({ queryTerms }) => queryTerms)).size
  const results = found.map(({ score, terms, queryTerms, id: _, match: __, names, weight, ...shown }): Result => {
    const { title } = shown
    const isNamed = [title, ...String(names).split('\n')].some((name) => named.has(plainName(String(name))))
    const covered = new Set(queryTerms).size / wanted
    const bonus = isNamed ? EXACT_BONUS * Number(weight) : 0
    return { ...(shown as unknown as Omit<Result, 'score' | 'terms'>), score: score * covered ** 1.5 + bonus, terms }
  })
  const best = new Map<string, Result>()
  for (const result of results.sort((a, b) => b.score - a.score)) {
    const key = result.kind === 'field' ? `${result.address} ${result.title}` : result.address
    if (!best.has(key)) best.set(key, result)
  }
  return [...best.values()].slice(0, limit)
}

/** Parameters of a path have any name: `/companies/{company_id}`, `/companies/:id`, `/companies/{}`. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/\{[^}]*\}|(?<=\/):\w+/g, '{}')
    .replace(/\/$/, '')
}

/** What a query may be the name of: itself, each of its words, and a method with its path. */
function namesIn(query: string): readonly string[] {
  const words = query
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[?!,;]+$/, ''))
  const signs = words.filter((word) => /[._:/]|\d{3}/.test(word))
  const pairs = words.flatMap((word, i) => (words[i + 1]?.startsWith('/') ? [`${word} ${words[i + 1]}`] : []))
  return [query.trim(), ...signs, ...pairs].map(plainName)
}

export type Piece = { readonly text: string; readonly isMatch: boolean }

/** Splits the text into pieces, so that a page can mark those that match. */
export function marked(text: string, terms: readonly string[]): readonly Piece[] {
  const known = new Set(terms)
  return text
    .split(/([\p{L}\p{N}’']+)/u)
    .filter((piece) => piece !== '')
    .map((piece) => ({ text: piece, isMatch: /[\p{L}\p{N}]/u.test(piece) && known.has(processTerm(piece) ?? '') }))
}

const EXCERPT_LENGTH = 160

/** The part of a text with the most matches, from a word to a word. */
export function excerpt(text: string, terms: readonly string[]): readonly Piece[] {
  const pieces = marked(text, terms)
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
