import { describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { Lane } from '../lane.ts'
import { SLOTS_MAX } from '../settings.ts'
import { DeliveryBatch } from './delivery-batch.ts'

const lane = (sweeping: boolean) => new Lane({ endpoint_id: newId('webhookEndpoint'), slots: 1, by_id: sweeping }, 0)

test('a sweeping lane reads delivery batches until there are none, and not again at each poll', () => {
  const sweeping = lane(true)
  expect(sweeping.nextSource()).toBeNull()
  sweeping.deliveryBatches.isHungry = false
  sweeping.makeHungry()
  expect(sweeping.nextSource()).toBe('queue')
  // After the sweep it reads as all other lanes do.
  sweeping.took(1, [], 0)
  sweeping.makeHungry()
  expect(sweeping.deliveryBatches.isHungry).toBe(true)
})

test('any other lane looks for delivery batches with each poll', () => {
  const other = lane(false)
  other.deliveryBatches.isHungry = false
  other.makeHungry()
  expect(other.deliveryBatches.isHungry).toBe(true)
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

  /** While it reads its delivery batches, it gets this delivery from the queue. */
  const looked = (one: Lane, due: boolean, meanwhile = () => {}) => {
    expect(one.takeRowCheck()).toBe(true)
    meanwhile()
    one.applyRowCheck(due)
  }

  test('reads these first, and the queue only if something is due there', () => {
    const one = responsive()
    expect(sources(one, 2)).toEqual(['deliveryBatches', 'deliveryBatches'])
    looked(one, false)
    expect(one.takeRowCheck()).toBe(false)
    one.makeHungry()
    expect(sources(one, 2)).toEqual(['deliveryBatches', 'deliveryBatches'])
  })

  test('that gets a wake-up signal while it reads, reads again', () => {
    const one = responsive()
    looked(one, false, () => one.makeHungry())
    expect(one.takeRowCheck()).toBe(true)
  })

  test('and reads both in turns once something is due in the queue, until the queue is empty', () => {
    const one = responsive()
    looked(one, true)
    expect(sources(one, 4)).toEqual(['deliveryBatches', 'queue', 'deliveryBatches', 'queue'])
    one.took(SLOTS_MAX, [], 0)
    expect(sources(one, 2)).toEqual(['deliveryBatches', 'deliveryBatches'])
  })

  test('without delivery batches it reads the queue, whatever the last read of the queue showed', () => {
    const one = responsive()
    for (const deliveryBatch of one.deliveryBatches.all()) one.deliveryBatches.drop(deliveryBatch)
    expect(sources(one, 2)).toEqual(['queue', 'queue'])
  })
})
