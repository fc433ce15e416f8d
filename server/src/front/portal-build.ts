import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuiltFile, readBuiltFile } from '#pages/assets.ts'

/** The files that a page of the portal loads first. */
export type PortalEntry = {
  readonly script: string
  /** Loaded by the script; named on the page, so that a browser loads them at the same time. */
  readonly chunks: readonly string[]
  readonly styles: readonly string[]
}

export type PortalBuild = {
  /** Null if the portal has not been built. */
  entry(): Promise<PortalEntry | null>
  /** Null for a file that this build does not have, as after an upgrade. */
  file(folder: PortalFolder, name: string): Promise<BuiltFile | null>
}

export type PortalFolder = 'scripts' | 'styles'

/** A chunk of Vite's manifest: https://vite.dev/guide/backend-integration */
type Chunk = {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

type Manifest = Readonly<Record<string, Chunk>>

const FILE_NAME = /^[\w-]+\.(?:js|css)$/

/**
 * The files that `npm ci` built. The manifest is read again when it changes, so that a new build is served without a restart;
 * the other files have their content's hash in their names and are cached.
 */
export function portalBuild(directory: string): PortalBuild {
  const files = new Map<string, BuiltFile>()
  let known: { readonly changedMs: number; readonly entry: PortalEntry } | null = null
  const manifest = join(directory, '.vite/manifest.json')
  return {
    entry: async () => {
      const found = await stat(manifest).catch(() => null)
      if (found === null) return null
      if (known?.changedMs !== found.mtimeMs) {
        files.clear()
        known = { changedMs: found.mtimeMs, entry: entryOf(JSON.parse(await readFile(manifest, 'utf8'))) }
      }
      return known.entry
    },
    file: async (folder, name) => {
      const cached = files.get(`${folder}/${name}`)
      if (cached !== undefined || !FILE_NAME.test(name)) return cached ?? null
      const read = await readBuiltFile(join(directory, folder, name))
      if (read !== null) files.set(`${folder}/${name}`, read)
      return read
    },
  }
}

function entryOf(manifest: Manifest): PortalEntry {
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry === true)
  if (entry === undefined) throw new Error('the manifest of the portal names no entry')
  const chunks = new Set<Chunk>()
  const add = (chunk: Chunk) => {
    if (chunks.has(chunk)) return
    chunks.add(chunk)
    for (const name of chunk.imports ?? []) {
      const imported = manifest[name]
      if (imported !== undefined) add(imported)
    }
  }
  add(entry)
  chunks.delete(entry)
  const all = [entry, ...chunks]
  return {
    script: entry.file,
    chunks: [...chunks].map(({ file }) => file),
    styles: [...new Set(all.flatMap(({ css = [] }) => css))],
  }
}
