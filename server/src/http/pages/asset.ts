import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export type Asset = { readonly text: string; readonly path: string; readonly address: string }

/** A file a page loads. Its address names its content, so that a page never meets another version's style or script. */
function asset(directory: string, file: string, before = ''): Asset {
  const text = before + readFileSync(file, 'utf8')
  const version = createHash('sha256').update(text).digest('base64url').slice(0, 12)
  const path = `${directory}/${basename(file)}`
  return { text, path, address: `${path}?v=${version}` }
}

/** A style sheet, begun with the values that all of ours are made of. */
export function styleSheet(directory: string, file: string): Asset {
  return asset(directory, file, readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8'))
}

/** Copies may be kept, and are checked with their ETag before each use. */
export const REVALIDATE = 'public, no-cache'

/** Short, although the address changes with the content: during a roll-out an old node may answer for a new page. */
export const KEEP_ASSET = 'public, max-age=300'
