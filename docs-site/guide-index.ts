import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export const DOCS = join(import.meta.dirname, '../docs')

/** A page of `docs/` that is part of the site, at `/docs/guides/{slug}`. */
export type GuideEntry = {
  readonly slug: string
  readonly file: string
  readonly title: string
  /** Words that readers search for but that the text of the page does not contain. */
  readonly also?: string
}

/** An environment variable that the code of guides reads. */
export type GuideVariable = {
  readonly name: string
  readonly about: string
  /** The variable's place in demo.json, as a jq path. */
  readonly demo: string
  /** Which public value of the demo a page shows for the variable. A secret has no such value. */
  readonly shown?: string
}

/** The content of docs/guides.json. */
export type GuideIndex = {
  readonly variables: readonly GuideVariable[]
  readonly groups: readonly { readonly title: string; readonly guides: readonly GuideEntry[] }[]
}

export async function readGuideIndex(): Promise<GuideIndex> {
  return JSON.parse(await readFile(join(DOCS, 'guides.json'), 'utf8'))
}

/** A code block of a guide: code that `npm run docs:blocks` runs, the output of such code, or an excerpt that is not run. */
export type Fence = {
  readonly language: string
  readonly kind: 'code' | 'output' | 'excerpt'
  /** The file in which the reader saves the code. The runner also writes this file, and a later block runs it. */
  readonly file: string | null
}

const RUN_LANGUAGES: ReadonlySet<string> = new Set(['bash', 'ts', 'python', 'ruby'])
const OUTPUT_LANGUAGES: ReadonlySet<string> = new Set(['json', 'json5', 'text', 'http'])

/**
 * Reads the words behind the three backticks. The first word is the language. The other words are `output`, `excerpt`
 * for code that the runner cannot run (server/test/guides/excerpts.ts has the reasons), or the name of the file in
 * which the reader saves the code.
 */
export function readFence(info: string): Fence {
  const [language = '', ...words] = info.trim().split(/\s+/)
  const file = words.find((word) => word.includes('.')) ?? null
  if (words.includes('excerpt')) return { language, kind: 'excerpt', file }
  if (OUTPUT_LANGUAGES.has(language) || words.includes('output')) return { language, kind: 'output', file }
  return { language, kind: RUN_LANGUAGES.has(language) ? 'code' : 'excerpt', file }
}
