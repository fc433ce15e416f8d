import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Job, runJob, WakeSignal, watchWrites } from './job-loop.ts'
import { openLog } from './log.ts'
import { openMetrics } from './metrics.ts'

const LONG_MS = 60_000

describe('a wake-up signal', () => {
  test('a signal ends the wait', async () => {
    const wakeUp = new WakeSignal()
    const waited = wakeUp.wait(LONG_MS)
    wakeUp.wake()
    await expect(waited).resolves.not.toThrow()
  })

  test('signals that are sent while no job waits end the next wait, and no later one', async () => {
    const wakeUp = new WakeSignal()
    wakeUp.wake()
    wakeUp.wake()
    await wakeUp.wait(LONG_MS)
    let isOver = false
    const next = wakeUp.wait(LONG_MS).then(() => {
      isOver = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isOver).toBe(false)
    wakeUp.wake()
    await next
  })

  test('pollOnce() ends the current or the next wait, and does not count as a signal', async () => {
    const wakeUp = new WakeSignal()
    const waited = wakeUp.wait(LONG_MS)
    wakeUp.pollOnce()
    expect(await waited).toBe(false)
    wakeUp.pollOnce()
    expect(await wakeUp.wait(LONG_MS)).toBe(false)
    wakeUp.pollOnce()
    wakeUp.wake()
    wakeUp.pollOnce()
    expect(await wakeUp.wait(LONG_MS)).toBe(true)
  })

  test('without a signal the wait ends at its time limit', async () => {
    await expect(new WakeSignal().wait(1)).resolves.not.toThrow()
  })
})

describe('a job with wake-up signals', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Runs a job and counts its rounds; `advance` lets time pass. */
  function running(settings: Partial<Job> = {}) {
    const stopping = new AbortController()
    const metrics = openMetrics('worker')
    const wakeUp = new WakeSignal()
    let rounds = 0
    const job: Job = {
      ...{ name: 'counting', busyMs: 0, idleMs: 100, quietMs: 10_000, wakeUp },
      round: async () => {
        rounds += 1
        return false
      },
      ...settings,
    }
    const ended = runJob(job, { log: openLog('silent'), metrics, signal: stopping.signal })
    return {
      wakeUp,
      advance: async (ms: number) => {
        const before = rounds
        await vi.advanceTimersByTimeAsync(ms)
        return rounds - before
      },
      async stop() {
        stopping.abort()
        await ended
        metrics.stop()
      },
    }
  }

  test('polls at its idle pace after the start and after a signal, and slowly when it is quiet', async () => {
    const job = running()
    expect(await job.advance(1_000)).toBeGreaterThanOrEqual(9)
    await job.advance(2_000)
    expect(await job.advance(10_000)).toBeLessThanOrEqual(1)
    job.wakeUp.wake()
    // The job keeps its idle pace after the signal, to find the work of later commits that send no signal.
    expect(await job.advance(1_000)).toBeGreaterThanOrEqual(9)
    await job.stop()
  })

  test('finds scheduled work as soon as it is due, not at the next slow poll', async () => {
    const dueMs = performance.now() + 7_000
    const job = running({ dueInMs: async () => (dueMs > performance.now() ? dueMs - performance.now() : null) })
    await job.advance(3_000)
    expect(await job.advance(3_900)).toBe(0)
    expect(await job.advance(200)).toBe(1)
    await job.stop()
  })

  test('polls at its idle pace, not without a pause, while another worker has locked the due work', async () => {
    const job = running({ dueInMs: async () => -50 })
    await job.advance(5_000)
    const rounds = await job.advance(1_000)
    expect(rounds).toBeGreaterThanOrEqual(8)
    expect(rounds).toBeLessThanOrEqual(11)
    await job.stop()
  })

  test('polls at its idle pace while the time at which work becomes due cannot be read', async () => {
    const job = running({ dueInMs: () => Promise.reject(new Error('no database')) })
    await job.advance(5_000)
    expect(await job.advance(1_000)).toBeGreaterThanOrEqual(8)
    await job.stop()
  })

  test('polls slowly while no work is due', async () => {
    const job = running({ dueInMs: async () => null })
    await job.advance(5_000)
    expect(await job.advance(10_000)).toBe(1)
    await job.stop()
  })

  test('finds the work at the next slow poll if the signal was lost', async () => {
    const job = running()
    await job.advance(5_000)
    expect(await job.advance(10_000)).toBe(1)
    await job.stop()
  })

  test('polls once soon after a write whose signal was lost, and stays quiet without a write', async () => {
    const job = running()
    let newest = '1'
    const stopping = new AbortController()
    const metrics = openMetrics('worker')
    const watch = watchWrites(async () => newest, [job])
    const watching = runJob(watch, { log: openLog('silent'), metrics, signal: stopping.signal })
    await job.advance(5_000)
    expect(await job.advance(9_000)).toBeLessThanOrEqual(1)
    await job.advance(1_500)
    newest = '2'
    expect(await job.advance(1_000)).toBe(1)
    expect(await job.advance(5_000)).toBe(0)
    stopping.abort()
    await Promise.all([watching, job.stop()])
    metrics.stop()
  })

  test('stays at its busy pace as long as it finds work', async () => {
    let left = 500
    const job = running({ busyMs: 10, round: async () => left-- > 0 })
    await job.advance(4_900)
    expect(left).toBeGreaterThan(0)
    await job.advance(300)
    expect(left).toBeLessThan(0)
    await job.stop()
  })
})
