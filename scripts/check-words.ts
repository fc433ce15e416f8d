import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

/** Phrases that hide who does what. Name the actor and the thing instead. */
const HABITS: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: /\bwho(m|se)?ever\b/i, instead: 'name the person or the program' },
  { pattern: /\bsomebody\b/i, instead: 'name the person: a user, an investor, a caller' },
  { pattern: /\banybody\b/i, instead: 'name the person, or write "every caller"' },
  { pattern: /\b(is|are|was|were|be|been|being|not) told\b(?!\.)/i, instead: 'write "gets", "sees" or "is notified"' },
  { pattern: /\b(told|tells?|telling) of\b/i, instead: 'write "reports", "describes" or "is notified of"' },
  { pattern: /\b(hears?|heard|hearing of)\b/i, instead: 'write "gets", "receives" or "is notified"' },
  { pattern: /\banew\b/i, instead: 'write "again", or "new" before the noun' },
  { pattern: /\bfor ever\b/i, instead: 'write "for good", "never" or "always"' },
  { pattern: /\bof none\b/i, instead: 'name the thing that is missing' },
  { pattern: /\bthe other side\b/i, instead: 'name the side' },
  {
    pattern: /\b(to|for|of|by) who (is|are|has|have|was|were|does|do|did|runs?|may|can|comes?|left)\b/i,
    instead: 'name the person: "a person who …", "a caller without …"',
  },
  { pattern: /\b(came|comes?|became|becomes?) of\b/i, instead: 'write "the outcome" or "the result"' },
  { pattern: /\bbe it\b/i, instead: 'write "also" or "even if"' },
  { pattern: /\blest\b/i, instead: 'write "so that … not" or "otherwise"' },
  { pattern: /\bwithout a word\b/i, instead: 'write "silently"' },
  { pattern: /\b(go|goes|going|went) on\b/i, instead: 'write "continue" or "keep working"' },
  { pattern: /\bso many\b/i, instead: 'write "this many", or the number' },
  {
    pattern: /\b(that|which|who|it|they) (is|are) none\b/i,
    instead: 'say what is wrong: "unknown", "malformed", "not a …"',
  },
  { pattern: /(?<!\bthere )\b(is|are) no (?!longer\b|more\b|such\b)/i, instead: 'write "is not a …"' },
  { pattern: /\ball the same\b/i, instead: 'write "still" or "too"' },
  { pattern: /\bonce more\b/i, instead: 'write "again"' },
  { pattern: /\bin vain\b/i, instead: 'write what did not happen' },
  { pattern: /\b(what|that|which) never was\b/i, instead: 'write "unknown"' },
  { pattern: /\b(of|for|to) nobody\b(?! else)/i, instead: 'write "without a …" or "for no …"' },
  {
    pattern: /\b(stands?|stood) (in|on|at|above|beside|under|before|after|to the)\b/i,
    instead: 'write "is" or "has"',
  },
  { pattern: /\bof (ours|theirs)\b/i, instead: 'write "our …", "one of our …" or "their own …"' },
  { pattern: /\bof (its|their) own accord\b/i, instead: 'name the cause' },
]

export type Passage = { readonly line: number; readonly text: string }

/** Comments and texts of a source file. A text has a space in it; a literal without one is a name or a value. */
export function passagesOfSource(path: string, source: string): readonly Passage[] {
  const { comments, program } = parseSync(path, source)
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length
  const found = comments.flatMap(({ value, start }) => passagesOf(withoutQuotes(value), lineAt(start)))
  const add = (text: string, start: number) => {
    if (text.includes(' ')) found.push(...passagesOf(text, lineAt(start)))
  }
  new Visitor({
    Literal: ({ value, start }) => typeof value === 'string' && add(value, start),
    TemplateElement: ({ value, start }) => add(value.raw, start),
    JSXText: ({ value, start }) => add(value, start),
  }).visit(program)
  return found
}

export function passagesOf(text: string, firstLine = 1): Passage[] {
  return text.split('\n').map((line, at) => ({ line: firstLine + at, text: line }))
}

/** A sentence quoted from the specification stays as it is. */
function withoutQuotes(comment: string): string {
  return comment.replace(/"[^"]*"/g, (quoted) => quoted.replace(/[^\n]/g, ' '))
}

/** One sentence for each phrase to replace, beginning with its line. */
export function wordProblems(passages: readonly Passage[]): readonly string[] {
  return passages.flatMap(({ line, text }) =>
    HABITS.flatMap(({ pattern, instead }) => {
      const hit = pattern.exec(text)
      return hit === null ? [] : `${line}: "${hit[0]}": ${instead}`
    }),
  )
}

/** One sentence for each fault of form in a document: blanks within a sentence, joined list items, broken tables. */
export function formProblems(document: string): readonly string[] {
  const lines = withoutFences(document)
  return lines.flatMap((line, at) => {
    const fault = /^\s*\|/.test(line) ? faultOfRow(lines, at) : faultOfProse(line, lines[at - 1] ?? '')
    return fault === null ? [] : [`${at + 1}: ${fault}`]
  })
}

/** The lines of a document, those of code blocks as empty lines. */
function withoutFences(document: string): readonly string[] {
  let fence: string | null = null
  return document.split('\n').map((line) => {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1] ?? null
    const isInside = fence !== null
    if (mark !== null && !isInside) fence = mark
    if (mark !== null && mark === fence && isInside) fence = null
    return isInside || mark !== null ? '' : line
  })
}

/** All rows of a table have the same number of cells. */
function faultOfRow(lines: readonly string[], at: number): string | null {
  const cells = (line: string) => line.trim().split(/(?<!\\)\|/).length
  const above = lines[at - 1]?.trim() ?? ''
  if (!above.startsWith('|') || cells(above) === cells(lines[at] ?? '')) return null
  return 'this row of the table has more or fewer cells than the row above it'
}

function faultOfProse(line: string, above: string): string | null {
  if (above.trim().startsWith('|') && line.includes('|')) return 'this row of the table does not begin with "|"'
  const prose = line.trim().replace(/`[^`]*`/g, 'code')
  if (/\S {2,}\S/.test(prose)) return 'several spaces in a sentence: write one'
  if (/[.;:)] - (\*\*|[A-Z]|code)/.test(prose)) return 'two list items on one line: begin a line with each "-"'
  return null
}

const ROOT = join(import.meta.dirname, '..')
const WORKSPACES =
  '{server,bench,ops,deploy,scripts,docs,demo,embedded-postgres,clients-test,sdk,cli,examples,portal,docs-site}'
const FILES = [`${WORKSPACES}/**/*.{ts,tsx,md}`, '*.{ts,md}']
/** The list itself, and its test. */
const EXCEPT = ['scripts/check-words.ts', 'server/test/architecture/words.test.ts']

if (import.meta.main) {
  let count = 0
  for await (const file of glob(FILES, { cwd: ROOT, exclude: ['**/{node_modules,dist}/**', ...EXCEPT] })) {
    const text = await readFile(join(ROOT, file), 'utf8')
    const isSource = /\.tsx?$/.test(file)
    const form = isSource ? [] : formProblems(text)
    // Parsing is slower than searching, and most files have no hit at all.
    const hasHit = wordProblems(passagesOf(text)).length > 0
    const words = hasHit ? wordProblems(isSource ? passagesOfSource(file, text) : passagesOf(text)) : []
    const problems = [...words, ...form]
    for (const problem of problems) process.stdout.write(`${file}:${problem}\n`)
    count += problems.length
  }
  process.stdout.write(
    count === 0
      ? 'Every passage names its actors, and every document has its form.\n'
      : `${count} passages to rewrite.\n`,
  )
  process.exitCode = count === 0 ? 0 : 1
}
