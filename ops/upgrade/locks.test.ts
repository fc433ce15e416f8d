import { expect, test } from 'vitest'
import { LockSightings } from './locks.ts'

const lock = { pid: 7, relation: 'live.facts', mode: 'ShareLock' }
const other = { pid: 8, relation: 'live.events', mode: 'AccessExclusiveLock' }

test('a lock that every poll finds counts as one long lock', () => {
  const sightings = new LockSightings()
  for (const nowMs of [0, 10, 20, 30]) sightings.add([lock], nowMs)
  expect(sightings.locks()).toEqual([{ relation: 'live.facts', mode: 'ShareLock', ms: 40 }])
})

test('a lock that a poll does not find has ended: if the same connection locks the table again, that is a second lock', () => {
  const sightings = new LockSightings()
  sightings.add([lock], 0)
  sightings.add([other], 10)
  sightings.add([other], 5_000)
  sightings.add([lock], 5_010)
  expect(sightings.locks().map(({ relation, ms }) => [relation, ms])).toEqual([
    ['live.events', 5_000],
    ['live.facts', 10],
    ['live.facts', 10],
  ])
})
