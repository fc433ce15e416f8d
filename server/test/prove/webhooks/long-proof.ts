import { expect, inject, test } from 'vitest'
import { proveWebhooks } from './prove-webhooks.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Given by scripts/prove.ts. */
    proof: { readonly minutes: number; readonly seed: number }
  }
}

/** What is begun is ended, and then everything is judged. */
const MARGIN_MS = 300_000

const { minutes, seed } = inject('proof')

test(`every event reaches whoever may have it, and nobody else (seed ${seed})`, {
  timeout: minutes * 60_000 + MARGIN_MS,
}, async () => {
  const { findings, did } = await proveWebhooks({ minutes, seed })
  process.stdout.write(`Seed ${seed}, ${minutes} min: ${JSON.stringify(did)}\n`)
  expect(findings.all).toEqual([])
})
