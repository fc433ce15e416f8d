import { expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { type Placed, Reading } from './lane.ts'

const BEGINNING = { after: '', due_after: '-infinity' }
const due = (due_at: string, id: Id<'delivery'> = newId('delivery')): Placed => ({ id, due_at })
const [early, late] = ['2026-01-01T00:00:00.000001Z', '2026-01-01T00:00:00.000002Z']

test('the reading of a lane continues after the last delivery that was read, in the order of due times', () => {
  const reading = new Reading(false)
  const [first, last] = [due(early), due(late, 'dlv_0' as Id<'delivery'>)]
  expect(reading.place).toEqual({ sweeping: false, ...BEGINNING })
  expect(reading.served(2, [last, first])).toBe(true)
  expect(reading.place).toEqual({ sweeping: false, after: last.id, due_after: late })
})

test('after the end, reading starts at the beginning; only an incomplete read from there shows that the lane is empty', () => {
  const reading = new Reading(false)
  reading.served(1, [due(early)])
  expect(reading.served(2, [due(late)])).toBe(true)
  expect(reading.place).toEqual({ sweeping: false, ...BEGINNING })
  expect(reading.served(2, [])).toBe(false)
})

test('an incomplete read from the beginning shows that there are no more deliveries', () => {
  expect(new Reading(false).served(8, [due(early)])).toBe(false)
})

test('a sweep reads by id to the end and cannot be restarted; after it the lane is read by due time', () => {
  const reading = new Reading(true)
  const [a, b] = [due(late, 'dlv_1' as Id<'delivery'>), due(early, 'dlv_2' as Id<'delivery'>)]
  expect(reading.served(2, [b, a])).toBe(true)
  reading.fromBeginning()
  expect(reading.place).toEqual({ sweeping: true, after: 'dlv_2', due_after: early })
  expect([reading.hasSwept, reading.served(2, []), reading.hasSwept]).toEqual([false, true, true])
  expect(reading.place).toEqual({ sweeping: false, ...BEGINNING })
})

test('reading starts at the beginning on request', () => {
  const reading = new Reading(false)
  reading.served(1, [due(early)])
  reading.fromBeginning()
  expect(reading.place).toEqual({ sweeping: false, ...BEGINNING })
})
