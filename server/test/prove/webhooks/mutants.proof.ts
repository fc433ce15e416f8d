import { describe, expect, onTestFinished, test } from 'vitest'
import { proofRun } from '../long-proof.ts'
import { openTheatre } from './in-this-process.ts'
import { MUTANTS } from './mutants.ts'
import { soak } from './soak.ts'

/** Which of them a round meets is a matter of chance and of the machine. The first finding ends it: more rounds cost nothing. */
const ROUNDS_MAX = 20

/** Each of those rounds takes as long as the machine needs. */
const LONG_MS = 1_800_000

/** Two that are found in the first rounds; the long form plays them all. */
const mutants = proofRun().isShort ? MUTANTS.slice(0, 2) : MUTANTS

describe('the soak finds it when', { timeout: LONG_MS }, () => {
  test.each(mutants)('$name', async ({ as, meddling, failingSteps = 1 }) => {
    const theatre = await openTheatre(meddling)
    onTestFinished(() => theatre.close())
    const { findings } = await soak(theatre, {
      // Only where it is to be found stuck: elsewhere a machine that stalls is none of its faults.
      patienceMs: as.includes('stuck') ? 4_500 : 120_000,
      ...{ seed: 1, workers: 2, events: 80, failingSteps },
      goesOn: (round) => round < ROUNDS_MAX,
    })
    expect(as).toContain(findings.all[0]?.kind)
  })
})
