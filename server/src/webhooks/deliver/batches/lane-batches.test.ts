import { describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { Lane } from '../lane.ts'
import { SLOTS_MAX } from '../settings.ts'
import { DeliveryBatch } from './delivery-batch.ts'

const lane = (sweeping: boolean) => new Lane({ endpoint_id: newId('webhookEndpoint'), slots: 1, by_id: sweeping }, 0)

test('a sweeping lane reads delivery batches until there are none, and does not read them again at each poll', () => {
  const sweeping = lane(true)
  expect(sweeping.nextSource()).toBeNull()
  sweeping.deliveryBatches.mayHaveMore = false
  sweeping.expectMore()
  expect(sweeping.nextSource()).toBe('queue')
  // After the sweep the lane reads delivery batches like all other lanes.
  sweeping.took(1, [], 0)
  sweeping.expectMore()
  expect(sweeping.deliveryBatches.mayHaveMore).toBe(true)
})

test('any other lane reads delivery batches at each poll', () => {
  const other = lane(false)
  other.deliveryBatches.mayHaveMore = false
  other.expectMore()
  expect(other.deliveryBatches.mayHaveMore).toBe(true)
  expect(other.nextSource()).toBe('queue')
})

describe('a responsive lane with delivery batches', () => {
  const responsive = () => {
    const one = new Lane({ endpoint_id: newId('webhookEndpoint'), slots: SLOTS_MAX, by_id: false }, 0)
    const members = [{ id: newId('delivery'), event: newId('event'), installation: null }]
    one.deliveryBatches.add(new DeliveryBatch(newId('delivery'), '2026-11-01', members))
    return one
  }
  const sources = (one: Lane, times: number) => Array.from({ length: times }, () => one.nextSource())

  /** A read of delivery batches that also checks the queue: `due` is whether a row is due there. */
  const looked = (one: Lane, due: boolean, meanwhile = () => {}) => {
    expect(one.takeRowCheck()).toBe(true)
    meanwhile()
    one.applyRowCheck(due)
  }

  test('reads only delivery batches while no delivery in the queue is due', () => {
    const one = responsive()
    expect(sources(one, 2)).toEqual(['deliveryBatches', 'deliveryBatches'])
    looked(one, false)
    expect(one.takeRowCheck()).toBe(false)
    one.expectMore()
    expect(sources(one, 2)).toEqual(['deliveryBatches', 'deliveryBatches'])
  })

  test('checks the queue again if a wake-up signal arrives during a read', () => {
    const one = responsive()
    looked(one, false, () => one.expectMore())
    expect(one.takeRowCheck()).toBe(true)
  })

  test('alternates between delivery batches and the queue once a delivery in the queue is due, until the queue is empty', () => {
    const one = responsive()
    looked(one, true)
    expect(sources(one, 4)).toEqual(['deliveryBatches', 'queue', 'deliveryBatches', 'queue'])
    one.took(SLOTS_MAX, [], 0)
    expect(sources(one, 2)).toEqual(['deliveryBatches', 'deliveryBatches'])
  })

  test('reads the queue once it has no delivery batches, whatever the last check of the queue showed', () => {
    const one = responsive()
    for (const deliveryBatch of one.deliveryBatches.all()) one.deliveryBatches.drop(deliveryBatch)
    expect(sources(one, 2)).toEqual(['queue', 'queue'])
  })
})
