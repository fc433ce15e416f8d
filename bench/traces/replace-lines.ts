import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = join(import.meta.dirname, '../..')

/** For each file, by its path from the project's root with a leading slash: lines, and what replaces them everywhere in the file. */
export type Replacements = Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>

/** Replaces lines of the service's sources while Node loads them. */
export function replaceLines(files: Replacements): void {
  for (const file of Object.keys(files)) {
    if (!existsSync(join(ROOT, file)))
      throw new Error(`${file} does not exist: name the file that has these lines now.`)
  }
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const [, replacements] = Object.entries(files).find(([file]) => url.endsWith(file)) ?? []
      if (replacements === undefined) return loaded
      let text = readFileSync(fileURLToPath(url), 'utf8')
      for (const [from, to] of replacements) {
        // A bench that replaces nothing would compare a service with itself.
        if (!text.includes(from)) throw new Error(`${url} no longer has these lines:\n${from}`)
        text = text.replaceAll(from, to)
      }
      return { ...loaded, source: text }
    },
  })
}
