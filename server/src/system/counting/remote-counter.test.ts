import { describe, expect, test } from 'vitest'
import { movableClock } from '#test/clock.ts'
import type { Hit, Refused } from './local-counter.ts'
import { localCounter } from './local-counter.ts'
import { type CountReply, type CountRequest, countFor, type RemoteCounter, remoteCounter } from './remote-counter.ts'

const hourly = (key: string, max: number): Hit => ({ limit: { name: 'hourly', max, periodSeconds: 3_600 }, key })

/** A primary process and `count` other processes. Each message is sent as JSON and arrives in a later turn of the event loop. */
function processes(count: number) {
  const clock = movableClock()
  const primary = localCounter(clock)
  const messages: CountRequest[] = []
  const others = Array.from({ length: count }, () => {
    const counter: RemoteCounter = remoteCounter((request) => {
      messages.push(request)
      setImmediate(() => {
        const reply = countFor(primary, JSON.parse(JSON.stringify(request)))
        if (reply !== null) counter.receive(JSON.parse(JSON.stringify(reply)) as CountReply)
      })
    })
    return counter
  })
  return { clock, messages, others }
}

async function hit(counter: RemoteCounter | undefined, hits: readonly Hit[]): Promise<Refused | null> {
  const count = counter?.count(hits)
  await count?.answered
  return count?.refused ?? null
}

describe('processes whose primary process counts', () => {
  test('together allow exactly the limit, and allow requests again in the next window', async () => {
    const { others, clock } = processes(3)
    const requests = Array.from({ length: 90 }, (_, turn) => hit(others[turn % 3], [hourly('a', 50)]))
    const results = await Promise.all(requests)
    expect(results.filter((refused) => refused === null)).toHaveLength(50)
    const rejected = results.find((refused) => refused !== null)
    expect(rejected).toMatchObject({ limit: { name: 'hourly', max: 50 } })
    clock.advance(3_600_000)
    expect(await hit(others[0], [hourly('a', 50)])).toBeNull()
  })

  test('send one message for the requests of one turn of the event loop', async () => {
    const { others, messages } = processes(1)
    await Promise.all(['a', 'b', 'c'].map((key) => hit(others[0], [hourly(key, 9)])))
    expect(messages).toMatchObject([{ type: 'count', requests: [{}, {}, {}] }])
  })

  test('take a count back once, and never in a later window', async () => {
    const { others, clock } = processes(2)
    const [one, other] = others
    const count = one?.count([hourly('a', 2), { ...hourly('b', 2), look: true }])
    await count?.answered
    count?.giveBack()
    count?.giveBack()
    expect(await other?.used([hourly('a', 2), hourly('b', 2)])).toEqual([0, 0])
    const late = one?.count([hourly('a', 2)])
    await late?.answered
    clock.advance(3_600_000)
    await hit(other, [hourly('a', 2)])
    late?.giveBack()
    expect(await other?.used([hourly('a', 2)])).toEqual([1])
  })

  test('a rejected request counts toward no limit', async () => {
    const { others } = processes(1)
    await hit(others[0], [hourly('a', 1)])
    expect(await hit(others[0], [hourly('b', 9), hourly('a', 1)])).not.toBeNull()
    expect(await others[0]?.used([hourly('b', 9)])).toEqual([0])
  })

  test('a caller that reads a result before the primary process replied gets an error', () => {
    const { others } = processes(1)
    const count = others[0]?.count([hourly('a', 1)])
    expect(() => count?.refused).toThrow('before the primary process replied')
  })
})
