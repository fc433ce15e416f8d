import { describe, expect, onTestFinished, test } from 'vitest'
import { proofRun } from '../long-proof.ts'
import { openEnvironment } from './in-this-process.ts'
import { MUTANTS } from './mutants.ts'
import { soak } from './soak.ts'

/**
 * The maximum number of rounds. The round in which a mutant is found depends on chance and on the machine. The first
 * finding ends the run, so a large maximum costs nothing.
 */
const ROUNDS_MAX = 20

/** A round takes as long as the machine needs. */
const LONG_MS = 1_800_000

/** Two mutants that are found in the first rounds. The long form runs all mutants. */
const mutants = proofRun().isShort ? MUTANTS.slice(0, 2) : MUTANTS

describe('the soak finds the defect:', { timeout: LONG_MS }, () => {
  test.each(mutants)('$name', async ({ as, faults, failingSteps = 1 }) => {
    const environment = await openEnvironment(faults)
    onTestFinished(() => environment.close())
    const { findings } = await soak(environment, {
      // A mutant whose deliveries must get stuck is found after a short wait. For other mutants the wait is long, so that
      // a stalled machine does not count as `stuck`.
      patienceMs: as.includes('stuck') ? 4_500 : 120_000,
      ...{ seed: 1, workers: 2, events: 80, failingSteps },
      mayContinue: (round) => round < ROUNDS_MAX,
    })
    expect(as).toContain(findings.all[0]?.kind)
  })
})
