import { describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import type { Lane } from './lane.ts'
import { LeasedLanes } from './leased-lanes.ts'

/**
 * How many slots the lanes share. Half of them are for quick lanes. So if 200 lanes have no answer, 128 of them get a shared
 * slot and 72 do not.
 */
const SHARED = 256
const NOW = 0

function held(count: number, { lanesMax = 2_000, slots = 8 } = {}) {
  const lanes = new LeasedLanes({ lanesMax, sharedSlots: SHARED })
  const join = (of = slots): Lane => {
    const endpoint = newId('webhookEndpoint')
    lanes.add({ endpoint_id: endpoint, slots: of, by_id: false }, NOW)
    const lane = lanes.get(endpoint)
    if (lane === undefined) throw new Error('it was added')
    return lane
  }
  return { lanes, join, all: Array.from({ length: count }, () => join()) }
}

/** Starts the wanted deliveries of every lane, as if each had enough due ones. Returns how many each lane started. */
function begin(lanes: LeasedLanes): ReadonlyMap<Id<'webhookEndpoint'>, number> {
  const wanted = lanes.wanted()
  for (const { lane, count } of wanted) {
    for (let each = 0; each < count; each += 1) lane.began(newId('delivery'), NOW)
  }
  return new Map(wanted.map(({ lane, count }) => [lane.endpoint, count]))
}

function beginAll(lanes: LeasedLanes): void {
  while (begin(lanes).size > 0);
}

function proven(lane: Lane): Lane {
  lane.began(newId('delivery'), NOW)
  lane.answered(true, 20)
  return lane
}

describe('while 200 lanes hang with all slots that they can get', () => {
  test('a new lane gets its slot with the next statement', () => {
    const { lanes, join } = held(200)
    beginAll(lanes)
    const one = join()
    expect(begin(lanes)).toEqual(new Map([[one.endpoint, 1]]))
  })

  test('400 new lanes have their slots after two statements, and not after one', () => {
    const { lanes, join } = held(200)
    beginAll(lanes)
    const others = Array.from({ length: 400 }, () => join())
    begin(lanes)
    expect(others.every(({ underWay }) => underWay > 0)).toBe(false)
    begin(lanes)
    expect(others.every(({ underWay }) => underWay > 0)).toBe(true)
  })

  test('half of the shared slots are reserved for endpoints that respond quickly', () => {
    const { lanes, all, join } = held(200)
    beginAll(lanes)
    const taken = all.reduce((sum, lane) => sum + lane.shared(), 0)
    expect(taken).toBe(SHARED / 2)
    const quick = proven(join())
    beginAll(lanes)
    expect(quick.underWay).toBeGreaterThan(4)
  })

  test('lanes that were slow or failed get no more slots', () => {
    const { lanes, all } = held(200)
    beginAll(lanes)
    const [slow, failing] = all
    slow?.answered(true, 5_000)
    failing?.answered(false, 10)
    const before = lanes.underWay()
    beginAll(lanes)
    expect([slow?.pace, failing?.pace, failing?.slots]).toEqual(['slow', 'slow', 1])
    // Each released slot went to another waiting lane.
    expect(lanes.underWay()).toBeLessThanOrEqual(before + 2)
  })
})

test('quick lanes that all begin to hang at once leave slots to the next quick lane', () => {
  const { lanes, all, join } = held(40, { slots: 16 })
  for (const lane of all) proven(lane)
  beginAll(lanes)
  const next = proven(join(16))
  beginAll(lanes)
  expect(next.underWay).toBeGreaterThan(1)
})

test('a quick lane has all slots if it is the only lane', () => {
  const { lanes, all } = held(1, { slots: 16 })
  all.forEach(proven)
  beginAll(lanes)
  expect(all[0]?.underWay).toBe(16)
})

test('the first lanes do not keep the shared slots: a served lane goes to the end of the line', () => {
  const { lanes, all } = held(300, { slots: 2 })
  for (const lane of all) proven(lane)
  beginAll(lanes)
  const first = all.filter(({ underWay }) => underWay === 2)
  for (const lane of first) lane.answered(true, 20)
  beginAll(lanes)
  expect(all.filter((lane) => lane.underWay === 2 && !first.includes(lane)).length).toBeGreaterThan(30)
})

describe('the maximum of leased lanes', () => {
  test('above three quarters of the maximum, slow lanes are marked for release and get no more slots', () => {
    const { lanes, all } = held(8, { lanesMax: 8 })
    expect([lanes.room(), lanes.isCrowded()]).toEqual([0, true])
    for (const lane of all.slice(0, 4)) {
      lane.began(newId('delivery'), NOW)
      lane.answered(false, 10)
    }
    lanes.thinOut()
    lanes.thinOut()
    const leaving = all.filter(({ isLeaving }) => isLeaving)
    expect(leaving).toHaveLength(2)
    expect(leaving.every((lane) => all.indexOf(lane) < 4 && lane.freeSlots() === 0)).toBe(true)
  })

  test('lanes whose endpoint responds quickly or has not responded yet are not released', () => {
    const { lanes, all } = held(8, { lanesMax: 8 })
    all.slice(0, 4).forEach(proven)
    lanes.thinOut()
    expect(all.some(({ isLeaving }) => isLeaving)).toBe(false)
  })

  test('below three quarters of the maximum, no lane is released', () => {
    const { lanes, all } = held(6, { lanesMax: 8 })
    for (const lane of all) {
      lane.began(newId('delivery'), NOW)
      lane.answered(false, 10)
    }
    lanes.thinOut()
    expect(all.some(({ isLeaving }) => isLeaving)).toBe(false)
  })
})
