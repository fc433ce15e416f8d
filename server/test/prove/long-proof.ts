import { expect, inject, test } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The arguments of `npm run prove` (scripts/prove.ts). */
    proof: { readonly form: 'short' | 'long'; readonly minutes: number; readonly seed: number }
  }
}

/** Returns the seed of this run, and whether this is the short form, which takes one or two minutes in total. */
export function proofRun(): { readonly isShort: boolean; readonly seed: number } {
  const { form, seed } = inject('proof')
  return { isShort: form === 'short', seed }
}

type Run = { readonly seed: number; readonly mayContinue: () => boolean }
type Proven = { readonly did: Readonly<Record<string, number>>; readonly findings: readonly unknown[] }

/** The time for finishing the started work and making all comparisons. */
const MARGIN_MS = 300_000

/** Runs for the requested minutes and prints what happened. The test fails if there is a finding. */
export function longProof(promise: string, prove: (run: Run) => Promise<Proven>): void {
  const { form, minutes, seed } = inject('proof')
  if (form === 'short') return
  test(`${promise} (seed ${seed}, ${minutes} min)`, { timeout: minutes * 60_000 + MARGIN_MS }, async () => {
    // The time starts with the first call, because the setup happens before it.
    let until: number | null = null
    const mayContinue = () => {
      until ??= performance.now() + minutes * 60_000
      return performance.now() < until
    }
    const { did, findings } = await prove({ seed, mayContinue })
    process.stdout.write(`Seed ${seed}, ${minutes} min: ${JSON.stringify(did)}\n`)
    expect(findings).toEqual([])
  })
}
