import { describe, expect, onTestFinished, test } from 'vitest'
import { longProof, proofRun } from '../long-proof.ts'
import { simulate } from './simulation.ts'
import { openStage } from './stage.ts'

const { isShort, seed: first } = proofRun()
const ROUNDS = 2
const WRITES = { inThisProcess: 60, withProcesses: 400 }

describe('a reader that lists once and then syncs', { timeout: 300_000 }, () => {
  const seeds = isShort ? [first] : [first, first + 1, first + 2]
  test.each(seeds)('has exactly the records it may see during all changes and failures (seed %i)', async (seed) => {
    const stage = await openStage('in this process')
    onTestFinished(() => stage.close())
    const did = await simulate(stage, { seed, writes: WRITES.inThisProcess, mayContinue: (round) => round < ROUNDS })
    expect(stage.findings.all).toEqual([])
    // A run in which nothing happens would prove nothing.
    expect(
      Object.entries(did).filter(([name, times]) => name !== 'mishaps' && name !== 'restarts' && times === 0),
    ).toEqual([])
  })

  longProof('has exactly the records it may see, with processes that are killed', async ({ seed, mayContinue }) => {
    const stage = await openStage('processes')
    onTestFinished(() => stage.close())
    const did = await simulate(stage, { seed, writes: WRITES.withProcesses, mayContinue })
    return { did, findings: stage.findings.all }
  })
})
