import { expect, onTestFinished, test } from 'vitest'
import { longProof, proofRun } from '../long-proof.ts'
import { openEnvironment } from './in-this-process.ts'
import { soak } from './soak.ts'
import { openEnvironment as openProcessEnvironment } from './with-processes.ts'

const { seed } = proofRun()

/** Counts that must not be zero. A run without one of these things would prove nothing. */
const HAPPENS = ['events', 'kills', 'rotate', 'remove', 'reenable', 'revoke', 'change_scopes', 'narrow', 'suspend']
const ENDS = ['delivered', 'exhausted', 'delivery_batches']
/** Timing decides which of these things happen. At least one of them must happen in a run. */
const REASONS = ['installation_revoked', 'endpoint_removed', 'scope_missing', 'app_inactive', 'sent_again']

/** The proof moves the world's clock forward by weeks, in steps. A step takes as long as the machine needs. */
const LONG_MS = 1_200_000

test('every entitled endpoint, and no other, receives every event, signed and complete, during all changes and failures', {
  timeout: LONG_MS,
}, async () => {
  const environment = await openEnvironment()
  onTestFinished(() => environment.close())
  const { findings, did } = await soak(environment, {
    ...{ seed, workers: 3, events: 100, patienceMs: 120_000, failingSteps: 13 },
    mayContinue: (round) => round < 1,
  })
  expect(findings.all).toEqual([])
  expect([...HAPPENS, ...ENDS].filter((what) => did[what] === undefined)).toEqual([])
  expect(REASONS.filter((why) => did[why] !== undefined)).not.toEqual([])
})

const LONG = { workers: 3, events: 400, patienceMs: 30_000, failingSteps: 13 }

longProof(
  'every entitled endpoint, and no other, receives every event, with processes that are killed',
  async (run) => {
    const environment = await openProcessEnvironment()
    onTestFinished(() => environment.close())
    const { did, findings } = await soak(environment, { ...LONG, ...run })
    return { did, findings: findings.all }
  },
)
