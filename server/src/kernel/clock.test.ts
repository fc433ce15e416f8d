import { expect, test } from 'vitest'
import { worldTime } from './clock.ts'

test('world time has exactly six digits of fraction and is in UTC', () => {
  expect(worldTime('2026-11-15T08:30:00.123456Z')).toBe('2026-11-15T08:30:00.123456Z')
  for (const wrong of ['2026-11-15T08:30:00Z', '2026-11-15T08:30:00.123Z', '2026-11-15 08:30:00.123456+00', '']) {
    expect(() => worldTime(wrong)).toThrow(TypeError)
  }
})
