import { describe, expect, onTestFinished, test } from 'vitest'
import { simulate } from './simulation.ts'
import { openStage } from './stage.ts'

const ROUNDS = 2
const WRITES = 60

describe('whoever lists once and syncs from then on', () => {
  test.each([1, 2, 3])('holds exactly what they may see, whatever happens meanwhile (seed %i)', async (seed) => {
    const stage = await openStage('in this process')
    onTestFinished(() => stage.close())
    const did = await simulate(stage, { seed, writes: WRITES, goesOn: (round) => round < ROUNDS })
    expect(stage.findings.all).toEqual([])
    // A run in which nothing happened would prove nothing.
    expect(
      Object.entries(did).filter(([name, times]) => name !== 'mishaps' && name !== 'restarts' && times === 0),
    ).toEqual([])
  })
})
