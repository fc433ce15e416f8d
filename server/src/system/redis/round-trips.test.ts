import { describe, expect, test } from 'vitest'
import { RoundTrips } from './redis-counter.ts'

class Batch {
  readonly numbers: number[] = []
  get size(): number {
    return this.numbers.length
  }
}

/** A batch that was sent has no reply until the test calls `arrive`. */
function roundTrips() {
  const sent: (readonly number[])[] = []
  const inFlight: (() => void)[] = []
  const all = new RoundTrips(
    () => new Batch(),
    ({ numbers }) => {
      sent.push(numbers)
      return new Promise<void>((resolve) => inFlight.push(resolve))
    },
  )
  const arrive = async () => {
    await expect.poll(() => inFlight.length).toBeGreaterThan(0)
    inFlight.shift()?.()
  }
  return { sent, arrive, join: (number: number) => all.next().numbers.push(number) }
}

describe('requests of one round trip', () => {
  test('requests of the same moment share one round trip', async () => {
    const { sent, arrive, join } = roundTrips()
    for (const number of [1, 2, 3]) join(number)
    await arrive()
    expect(sent).toEqual([[1, 2, 3]])
  })

  test('one round trip is in flight at a time; later requests join the next one', async () => {
    const { sent, arrive, join } = roundTrips()
    join(1)
    await expect.poll(() => sent.length).toBe(1)
    join(2)
    join(3)
    await new Promise(setImmediate)
    expect(sent).toEqual([[1]])
    await arrive()
    await arrive()
    expect(sent).toEqual([[1], [2, 3]])
  })

  test('no round trip exceeds the maximum', async () => {
    const { sent, arrive, join } = roundTrips()
    for (let number = 0; number < 300; number++) join(number)
    await arrive()
    await arrive()
    expect(sent.map(({ length }) => length)).toEqual([256, 44])
  })
})
