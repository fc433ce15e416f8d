import { describe, expect, test } from 'vitest'
import { progressBar } from './progress-bar.ts'

function screenAt(isTTY: boolean) {
  let ms = 0
  let text = ''
  const screen = { isTTY, write: (more: string) => (text += more) }
  const bar = progressBar(screen, { bytes: 1_000, now: () => ms })
  return {
    bar,
    text: () => text,
    after(passed: number, lines: number, bytes: number, refused = 0) {
      ms += passed
      bar.show({ lines, bytes, refused })
    },
  }
}

describe('the progress of an import', () => {
  test('on a terminal is one line that is redrawn a few times a second', () => {
    const { bar, after, text } = screenAt(true)
    after(0, 1, 0)
    after(50, 100, 100)
    expect(text()).toBe('')
    after(950, 1_001, 500, 2)
    expect(text()).toBe('\r\x1b[K[############............]  50 %  1,001 lines, 1,000 a second, 2 refused')
    bar.end()
    expect(text().endsWith('\r\x1b[K')).toBe(true)
  })

  test('without a terminal is a line every few seconds, without control characters', () => {
    const { bar, after, text } = screenAt(false)
    after(0, 1, 0)
    after(1_000, 1_001, 100)
    after(4_000, 5_001, 500)
    after(1_000, 6_001, 600)
    bar.end()
    expect(text()).toBe('50 %  5,001 lines, 1,000 a second, 0 refused\n')
  })

  test('counts only this run’s speed, wherever the run started', () => {
    const { after, text } = screenAt(true)
    after(0, 900_000, 900)
    after(1_000, 901_000, 950)
    expect(text()).toContain('1,000 a second')
  })
})
