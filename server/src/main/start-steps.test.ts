import { describe, expect, test } from 'vitest'
import { openLog } from '#system/log.ts'
import { startSteps } from './start-steps.ts'

type Line = { readonly level: number; readonly msg: string; readonly [field: string]: unknown }

function stage(onTerminal: boolean) {
  const lines: Line[] = []
  let drawn = ''
  const log = openLog('debug', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const terminal = { write: (text: string) => (drawn += text) }
  return { steps: startSteps(log, onTerminal ? terminal : null), lines, drawn: () => drawn }
}

const baking = {
  name: 'bread',
  doing: 'baking',
  work: async (show: (progress: string) => void) => {
    show('50 %')
    return 1_200
  },
  outcome: (loaves: number) => ({ text: 'the bread is baked', loaves }),
}
const nothing = { name: 'rest', doing: 'resting', work: async () => {}, outcome: () => null }

describe('the steps of a start', () => {
  test('on a terminal are drawn while they run, and stay as one line with their time', async () => {
    const { steps, lines, drawn } = stage(true)
    expect(await steps.run(baking)).toBe(1_200)
    await steps.run(nothing)
    const shown = drawn().replaceAll('\r\u001B[K', '|')
    expect(shown).toMatch(/^\| {2}baking … \| {2}the bread is baked: 1,200 loaves \(\d+\.\d s\)\n\| {2}resting … \|$/)
    expect(lines.filter(({ level }) => level >= 30)).toEqual([])
  })

  test('without a terminal are one log line each; a step without effect has none', async () => {
    const { steps, lines } = stage(false)
    await steps.run(baking)
    await steps.run(nothing)
    const shown = lines.filter(({ level }) => level >= 30)
    expect(shown).toEqual([
      expect.objectContaining({ msg: 'the bread is baked', loaves: 1_200, ms: expect.any(Number) }),
    ])
    // LOG_LEVEL=debug logs each step at its beginning, to show where a start hangs.
    expect(lines.filter(({ level }) => level === 20).map(({ msg }) => msg)).toEqual(['baking', 'resting'])
  })

  test('are all timed, in order; a failed step leaves no line', async () => {
    const { steps, drawn } = stage(true)
    await steps.run(baking)
    await steps.run(nothing)
    const burnt = steps.run({ ...nothing, work: () => Promise.reject(new Error('burnt')) })
    await expect(burnt).rejects.toThrow('burnt')
    expect(steps.times().map(({ name }) => name)).toEqual(['bread', 'rest'])
    expect(drawn().endsWith('\r\u001B[K')).toBe(true)
  })
})
