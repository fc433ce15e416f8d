import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** By the end of a file's address: the lines that are replaced everywhere in it, and their replacements. */
export type Replacements = Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>

/** Runs the service with a few other lines, which are replaced while its sources are loaded. */
export function replaceLines(files: Replacements): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const [, replacements] = Object.entries(files).find(([file]) => url.endsWith(file)) ?? []
      if (replacements === undefined) return loaded
      let text = readFileSync(fileURLToPath(url), 'utf8')
      for (const [from, to] of replacements) {
        // A bench that replaces nothing would compare a service with itself.
        if (!text.includes(from)) throw new Error(`${url} has no such lines any more:\n${from}`)
        text = text.replaceAll(from, to)
      }
      return { ...loaded, source: text }
    },
  })
}
