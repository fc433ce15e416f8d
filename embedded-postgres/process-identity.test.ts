import { describe, expect, test } from 'vitest'
import { identityOf, isPostmasterOf, isRunning, parseProcStat, pidExists, readStateWithPs } from './server-process.ts'

describe('identity of a process', () => {
  test('a process is running if its pid and start time match, or if its pid exists and its start time is unknown', () => {
    const me = identityOf(process.pid)
    expect(me.startedAt).not.toBeNull()
    expect(isRunning(me)).toBe(true)
    expect(isRunning({ ...me, startedAt: 'another time' })).toBe(false)
    expect(isRunning({ ...me, startedAt: null })).toBe(true)
  })

  test('pidExists is false for an unused pid, and for numbers that address a process group', () => {
    for (const pid of [4_194_304, 0, -1, Number.NaN]) expect(pidExists(pid)).toBe(false)
  })

  test('parseProcStat works even if the name of the process contains parentheses', () => {
    const rest = '1 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 99842 1 1'
    expect(parseProcStat(`7 (a) S (b) Z ${rest}`)).toEqual({ state: 'Z', startTicks: '99842' })
  })

  test('readStateWithPs, for systems without /proc, returns the same start time at every call', () => {
    const state = readStateWithPs(process.pid)
    expect(state).toEqual(readStateWithPs(process.pid))
    expect(state.zombie).toBe(false)
    expect(state.startedAt).toMatch(/\d\d:\d\d:\d\d \d{4}$/)
  })

  test('this process is not a postmaster, and neither is an unused pid', () => {
    expect(isPostmasterOf(process.pid, process.cwd())).toBe(false)
    expect(isPostmasterOf(4_194_304, '/')).toBe(false)
  })
})
