import { describe, expect, test } from 'vitest'
import { identityOf, isPostmasterOf, isRunning, lookWithPs, parseProcStat, pidExists } from './server-process.ts'

describe('identity of a process', () => {
  test('this process runs; the same pid with another start does not; an unknown start counts as running', () => {
    const me = identityOf(process.pid)
    expect(me.startedAt).not.toBeNull()
    expect(isRunning(me)).toBe(true)
    expect(isRunning({ ...me, startedAt: 'another time' })).toBe(false)
    expect(isRunning({ ...me, startedAt: null })).toBe(true)
  })

  test('an unused pid, and numbers that mean a process group', () => {
    for (const pid of [4_194_304, 0, -1, Number.NaN]) expect(pidExists(pid)).toBe(false)
  })

  test('proc stat: the name of the process may hold anything', () => {
    const rest = '1 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 99842 1 1'
    expect(parseProcStat(`7 (a) S (b) Z ${rest}`)).toEqual({ state: 'Z', startTicks: '99842' })
  })

  test('ps, for systems without /proc, returns the same start time at every call', () => {
    const seen = lookWithPs(process.pid)
    expect(seen).toEqual(lookWithPs(process.pid))
    expect(seen.zombie).toBe(false)
    expect(seen.startedAt).toMatch(/\d\d:\d\d:\d\d \d{4}$/)
  })

  test('this process is not a postmaster, and neither is an unused pid', () => {
    expect(isPostmasterOf(process.pid, process.cwd())).toBe(false)
    expect(isPostmasterOf(4_194_304, '/')).toBe(false)
  })
})
