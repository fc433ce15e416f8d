import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** What a request runs for traces while they are off, and the same without it. */
const REMOVED = {
  '/server/src/http/answer-request.ts': [
    [
      '    const span = beginRequestSpan(edge, exchange)\n' +
        '    await (span === null ? work(edge, served, exchange) : inSpan(span, () => work(edge, served, exchange)))\n',
      '    await work(edge, served, exchange)\n',
    ],
  ],
  '/server/src/http/app.ts': [['    endRequestSpan(edge, exchange, status)\n', '']],
} as const

/** Loaded with `--import`: runs the service as if it had no traces. */
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    for (const [file, removals] of Object.entries(REMOVED)) {
      if (!url.endsWith(file)) continue
      let text = readFileSync(fileURLToPath(url), 'utf8')
      for (const [from, to] of removals) {
        // A bench that removes nothing would show that traces cost nothing.
        if (!text.includes(from)) throw new Error(`${file} has no such lines any more:\n${from}`)
        text = text.replace(from, to)
      }
      return { ...loaded, source: text }
    }
    return loaded
  },
})
