import { expect, test } from 'vitest'
import { longProof, proofRun } from '../long-proof.ts'
import { MUTANTS } from './mutants.ts'
import { play } from './play.ts'

const { seed, isShort } = proofRun()

const LONG_MS = 600_000

test('each reader gets the events that an endpoint gets, in order, even if the reader disconnects and servers are killed', {
  timeout: LONG_MS,
}, async () => {
  const { findings, did } = await play({ seed, events: 90, mayContinue: (round) => round < 2 })
  expect(findings.all).toEqual([])
  expect(['connections', 'kills', 'received', 'ended_secrets'].filter((what) => did[what] === undefined)).toEqual([])
})

test.each(isShort ? MUTANTS.slice(0, 2) : MUTANTS)(
  'the proof finds the defect: $name',
  { timeout: LONG_MS },
  async ({ as, faults, cursors }) => {
    const { findings } = await play({ seed, faults, cursors, events: 90, mayContinue: (round) => round < 10 })
    expect(as).toContain(findings.all[0]?.kind)
  },
)

longProof('each reader gets the events of an endpoint', async ({ seed: chosen, mayContinue }) => {
  const { findings, did } = await play({ seed: chosen, events: 300, mayContinue })
  return { did, findings: findings.all }
})
