import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export const DOCS = join(import.meta.dirname, '../docs')

/** A page of `docs/` that is part of the site, at `/docs/guides/{slug}`. */
export type GuideEntry = {
  readonly slug: string
  readonly file: string
  readonly title: string
  /** For search: words that readers use for the page, but that its text does not contain. */
  readonly also?: string
}

/** A value that the code of guides uses, as an environment variable of this name. */
export type GuideVariable = {
  readonly name: string
  readonly about: string
  /** The variable's place in demo.json, as a jq path. */
  readonly demo: string
  /** The name of the demo's public value that it has; absent for secrets. */
  readonly shown?: string
}

/** docs/guides.json */
export type GuideIndex = {
  readonly variables: readonly GuideVariable[]
  readonly groups: readonly { readonly title: string; readonly guides: readonly GuideEntry[] }[]
}

export async function readGuideIndex(): Promise<GuideIndex> {
  return JSON.parse(await readFile(join(DOCS, 'guides.json'), 'utf8'))
}

/** What a fence holds: code that `npm run docs:blocks` runs, output, or an excerpt that is neither. */
export type Fence = {
  readonly language: string
  readonly kind: 'code' | 'output' | 'excerpt'
  /** The file that the reader saves it as. Code that is saved is not run by itself: a later line runs it. */
  readonly file: string | null
}

const RUN_LANGUAGES: ReadonlySet<string> = new Set(['bash', 'ts', 'python', 'ruby'])
const OUTPUT_LANGUAGES: ReadonlySet<string> = new Set(['json', 'json5', 'text', 'http'])

/**
 * The words behind the three backticks: the language, then `output`, `excerpt` for what the runner cannot run
 * (server/test/guides/excerpts.ts says why), or the file that the code is saved as.
 */
export function readFence(info: string): Fence {
  const [language = '', ...words] = info.trim().split(/\s+/)
  const file = words.find((word) => word.includes('.')) ?? null
  if (words.includes('excerpt')) return { language, kind: 'excerpt', file }
  if (OUTPUT_LANGUAGES.has(language) || words.includes('output')) return { language, kind: 'output', file }
  return { language, kind: RUN_LANGUAGES.has(language) ? 'code' : 'excerpt', file }
}
