import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** For each file, by its path from the project's root with a leading slash: lines, and what replaces them everywhere in the file. */
export type Replacements = Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>

/** Removes what every request runs for traces, even while traces are off. */
export const WITHOUT_TRACES: Replacements = {
  '/server/src/http/handle-request.ts': [
    [
      '    const span = beginRequestSpan(edge, exchange)\n' +
        '    await (span === null ? runRoute(edge, served, exchange) : inSpan(span, () => runRoute(edge, served, exchange)))\n',
      '    await runRoute(edge, served, exchange)\n',
    ],
  ],
  '/server/src/http/app.ts': [['    endRequestSpan(edge, exchange, status)\n', '']],
}

/**
 * Changes the line in which a request checks whether traces are on, so that `benchTracesPaused` can switch them off.
 */
export const PAUSING_TRACES: Replacements = {
  '/server/src/http/exchange.ts': [
    [
      '  const { tracing = null } = edge.ports\n',
      "  const { tracing = null } = globalThis['benchTracesPaused'] === true ? {} : edge.ports\n",
    ],
  ],
}

/** Replaces lines of the service's sources while Node loads them. */
export function replaceLines(files: Replacements): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const file = Object.keys(files).find((path) => url.endsWith(path))
      if (file === undefined) return loaded
      return { ...loaded, source: replacedText(files, file, readFileSync(fileURLToPath(url), 'utf8')) }
    },
  })
}

/**
 * Replaces lines of a file. Throws if the file lacks one of them: the bench would then compare a service with itself.
 */
export function replacedText(files: Replacements, file: string, original: string): string {
  let text = original
  for (const [from, to] of files[file] ?? []) {
    if (!text.includes(from)) throw new Error(`${file} no longer has these lines:\n${from}`)
    text = text.replaceAll(from, to)
  }
  return text
}
