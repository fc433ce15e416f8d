import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, readMarkdown } from '#http/pages/markdown.ts'

/** Newest first. A text that apps have accepted stays as it was: other words are another version. */
export const VERSIONS: readonly string[] = ['2026-11-01']

/** `platform` is whose offerings they are, as people write it. */
export function textOf(version: string, platform: string): readonly Block[] {
  const text = readFileSync(join(import.meta.dirname, 'texts', `${version}.md`), 'utf8')
  return readMarkdown(text.replaceAll('{platform}', platform))
}
