import { expect, inject, onTestFinished, test } from 'vitest'
import { simulate } from '../server/test/prove/simulation.ts'
import { openStage } from '../server/test/prove/stage.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Given by prove.ts. */
    proof: { readonly minutes: number; readonly seed: number }
  }
}

const WRITES = 400
/** What is begun is ended, and then everything is compared. */
const MARGIN_MS = 300_000

const { minutes, seed } = inject('proof')

test(`whoever lists once and syncs from then on holds exactly what they may see (seed ${seed})`, {
  timeout: minutes * 60_000 + MARGIN_MS,
}, async () => {
  const stage = await openStage('processes')
  onTestFinished(() => stage.close())
  const until = performance.now() + minutes * 60_000
  const did = await simulate(stage, { seed, writes: WRITES, goesOn: () => performance.now() < until })
  process.stdout.write(`Seed ${seed}, ${minutes} min: ${JSON.stringify(did)}\n`)
  expect(stage.findings.all).toEqual([])
})
