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
  test('are drawn on a terminal while they run, and then stay as one line with their time', async () => {
    const { steps, lines, drawn } = stage(true)
    expect(await steps.run(baking)).toBe(1_200)
    await steps.run(nothing)
    const shown = drawn().replaceAll('\r\u001B[K', '|')
    expect(shown).toMatch(/^\| {2}baking … \| {2}the bread is baked: 1,200 loaves \(\d+\.\d s\)\n\| {2}resting … \|$/)
    expect(lines.filter(({ level }) => level >= 30)).toEqual([])
  })

  test('have one log line each without a terminal; a step without an outcome has no line', async () => {
    const { steps, lines } = stage(false)
    await steps.run(baking)
    await steps.run(nothing)
    const shown = lines.filter(({ level }) => level >= 30)
    expect(shown).toEqual([
      expect.objectContaining({ msg: 'the bread is baked', loaves: 1_200, ms: expect.any(Number) }),
    ])
    // With LOG_LEVEL=debug the beginning of each step is logged, to show where a start hangs.
    expect(lines.filter(({ level }) => level === 20).map(({ msg }) => msg)).toEqual(['baking', 'resting'])
  })

  test('all have a time, in order; a failed step has no line', async () => {
    const { steps, drawn } = stage(true)
    await steps.run(baking)
    await steps.run(nothing)
    const burnt = steps.run({ ...nothing, work: () => Promise.reject(new Error('burnt')) })
    await expect(burnt).rejects.toThrow('burnt')
    expect(steps.times().map(({ name }) => name)).toEqual(['bread', 'rest'])
    expect(drawn().endsWith('\r\u001B[K')).toBe(true)
  })
})
