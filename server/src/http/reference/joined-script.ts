import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Asset } from '../pages/asset.ts'

const IMPORT = /^import [^;]*?from '[^']+'$/gm
const EXPORT = /^export (?=const|function|async|class)/gm

/**
 * Small modules, sent as the last one: a page then loads one script whose parts are of one version, and their names
 * need only differ within it.
 */
export function joinedScript(directory: string, files: readonly string[]): Asset {
  const text = files.map((file) => readFileSync(file, 'utf8').replace(IMPORT, '').replace(EXPORT, '')).join('\n')
  const version = createHash('sha256').update(text).digest('base64url').slice(0, 12)
  const path = `${directory}/${basename(files.at(-1) ?? '')}`
  return { text, path, address: `${path}?v=${version}` }
}
