import { expect, inject, test } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The arguments of `npm run prove`; see scripts/prove.ts. */
    proof: { readonly form: 'short' | 'long'; readonly minutes: number; readonly seed: number }
  }
}

/** The seed of this run, and whether it is the short form, which takes a minute or two in all. */
export function proofRun(): { readonly isShort: boolean; readonly seed: number } {
  const { form, seed } = inject('proof')
  return { isShort: form === 'short', seed }
}

type Run = { readonly seed: number; readonly goesOn: () => boolean }
type Proven = { readonly did: Readonly<Record<string, number>>; readonly findings: readonly unknown[] }

/** Finishes the work that was started, and then compares everything. */
const MARGIN_MS = 300_000

/** Runs for the requested minutes and prints what happened; there must be no finding. */
export function longProof(promise: string, prove: (run: Run) => Promise<Proven>): void {
  const { form, minutes, seed } = inject('proof')
  if (form === 'short') return
  test(`${promise} (seed ${seed}, ${minutes} min)`, { timeout: minutes * 60_000 + MARGIN_MS }, async () => {
    // The time starts with the first call, because everything is set up before it.
    let until: number | null = null
    const goesOn = () => {
      until ??= performance.now() + minutes * 60_000
      return performance.now() < until
    }
    const { did, findings } = await prove({ seed, goesOn })
    process.stdout.write(`Seed ${seed}, ${minutes} min: ${JSON.stringify(did)}\n`)
    expect(findings).toEqual([])
  })
}
