import { expect, onTestFinished, test } from 'vitest'
import { openTheatre } from './in-this-process.ts'
import { soak } from './soak.ts'

/** A run in which one of these does not happen would prove nothing. */
const HAPPENS = ['events', 'kills', 'rotate', 'remove', 'revoke', 'change_scopes', 'narrow', 'suspend', 'reenabled']
const ENDS = ['delivered', 'exhausted', 'sent_again']
/** Of these there must be some. */
const PARCELS_MIN = 5
/** Which of them come about is a matter of moments. */
const REASONS = ['installation_revoked', 'endpoint_removed', 'scope_missing', 'app_inactive']

test('every event reaches whoever may have it, signed and in its form, and nobody else, whatever happens', async () => {
  const theatre = await openTheatre()
  onTestFinished(() => theatre.close())
  const { findings, did } = await soak(theatre, {
    ...{ seed: 1, workers: 3, events: 100, patienceMs: 15_000, failingSteps: 11 },
    goesOn: (round) => round < 1,
  })
  expect(findings.all).toEqual([])
  expect([...HAPPENS, ...ENDS].filter((what) => did[what] === undefined)).toEqual([])
  expect(did['parcels']).toBeGreaterThan(PARCELS_MIN)
  expect(did['parcels_whole']).toBeGreaterThan(0)
  expect(did['parcels_opened']).toBeGreaterThan(0)
  expect(REASONS.filter((why) => did[why] !== undefined)).not.toEqual([])
})
