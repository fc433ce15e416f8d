import { expect, onTestFinished, test } from 'vitest'
import { openTheatre } from './in-this-process.ts'
import { soak } from './soak.ts'

/** A run in which one of these does not happen would prove nothing. */
const HAPPENS = ['events', 'kills', 'rotate', 'remove', 'reenable', 'revoke', 'change_scopes', 'narrow', 'suspend']
const ENDS = ['delivered', 'exhausted', 'parcels']
/** Which of them come about is a matter of moments. */
const REASONS = ['installation_revoked', 'endpoint_removed', 'scope_missing', 'app_inactive', 'sent_again']

/** A dozen days of a world pass in it, each of which takes as long as the machine needs. */
const LONG_MS = 1_200_000

test('every event reaches whoever may have it, signed and in its form, and nobody else, whatever happens', {
  timeout: LONG_MS,
}, async () => {
  const theatre = await openTheatre()
  onTestFinished(() => theatre.close())
  const { findings, did } = await soak(theatre, {
    ...{ seed: 1, workers: 3, events: 100, patienceMs: 120_000, failingSteps: 13 },
    goesOn: (round) => round < 1,
  })
  expect(findings.all).toEqual([])
  expect([...HAPPENS, ...ENDS].filter((what) => did[what] === undefined)).toEqual([])
  expect(REASONS.filter((why) => did[why] !== undefined)).not.toEqual([])
})
