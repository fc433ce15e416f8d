import { expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { Lane } from '../lane.ts'

const lane = (sweeping: boolean) => new Lane({ endpoint_id: newId('webhookEndpoint'), slots: 1, by_id: sweeping }, 0)

test('a lane that sweeps looks for parcels until there are none, and not again for each poll', () => {
  const sweeping = lane(true)
  expect(sweeping.nextSource()).toBeNull()
  sweeping.parcels.isHungry = false
  sweeping.makeHungry()
  expect(sweeping.nextSource()).toBe('queue')
  // At its end it looks as all others do.
  sweeping.took(1, [], 0)
  sweeping.makeHungry()
  expect(sweeping.parcels.isHungry).toBe(true)
})

test('any other looks for them with each poll', () => {
  const other = lane(false)
  other.parcels.isHungry = false
  other.makeHungry()
  expect(other.parcels.isHungry).toBe(true)
  expect(other.nextSource()).toBe('queue')
})
