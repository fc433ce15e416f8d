import { describe, expect, test } from 'vitest'
import { contrast, mixed } from '#pages/platform-brand.ts'
import type { Appearance } from '../join-session-states.ts'
import { overridden, rejectUnreadable, themeStyle } from './appearance.ts'

const NIGHT: Appearance = { accent: '#7fd3b1', paper: '#101412', ink: '#e9ece8', corners: 'round' }

describe('the contrast of two colors, as WCAG 2.2 defines it', () => {
  test.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
    ['#767676', '#ffffff', 4.54],
  ])('%s on %s', (one, other, ratio) => {
    expect(contrast(one, other)).toBeCloseTo(ratio, 2)
    expect(contrast(other, one)).toBeCloseTo(ratio, 2)
  })

  test('mixing two colors', () => {
    expect(mixed('#000000', '#ffffff', 0.5)).toBe('#808080')
    expect(mixed('#0f5a43', '#fdfdfb', 1)).toBe('#0f5a43')
  })
})

describe('a theme can never make the form unreadable', () => {
  const problems = (change: Partial<Appearance>) => {
    try {
      rejectUnreadable({ ...NIGHT, ...change }, '')
      return []
    } catch (error) {
      const { details } = error as { details: { fields: { field: string; code: string }[] } }
      return details.fields.map(({ field, code }) => `${field} ${code}`)
    }
  }

  test('ink and accent need a minimum contrast to paper', () => {
    expect(problems({})).toEqual([])
    expect(problems({ ink: '#808080' })).toEqual(['ink low_contrast'])
    expect(problems({ accent: '#203020' })).toEqual(['accent low_contrast'])
    expect(problems({ paper: '#e9ece8' })).toEqual(['ink low_contrast', 'accent low_contrast'])
  })

  test('the text of buttons and hints has enough contrast with any accent color', () => {
    for (let red = 0; red < 256; red += 51)
      for (let green = 0; green < 256; green += 51)
        for (let blue = 0; blue < 256; blue += 51) {
          const accent = `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
          const style = themeStyle({ ...NIGHT, accent })
          const colourOf = (name: string) => new RegExp(`--${name}: (#\\w+);`).exec(style)?.[1] ?? ''
          expect(contrast(colourOf('on-accent'), accent)).toBeGreaterThan(4.5)
          expect(contrast(colourOf('muted'), NIGHT.paper)).toBeGreaterThan(4.5)
        }
  })

  test('the style sheet contains only our own variables, and no text of a partner', () => {
    expect(themeStyle(NIGHT)).toMatch(
      /^:root \{\n( {2}--[a-z-]+: (#[0-9a-f]{6}|0|6px|16px|none);\n)+ {2}color-scheme: dark;\n\}\n$/,
    )
  })
})

describe('override_fingerprint', () => {
  test('is null if no field differs from the theme', () => {
    expect(overridden(NIGHT, {})).toEqual({ appearance: NIGHT, fingerprint: null })
    expect(overridden(NIGHT, { accent: '#7FD3B1', corners: 'round' }).fingerprint).toBeNull()
  })

  test('is equal for equal changes in any order and letter case, and different for different changes', () => {
    const one = overridden(NIGHT, { accent: '#FFFFFF', corners: 'square' })
    const again = overridden(NIGHT, { corners: 'square', accent: '#ffffff' })
    expect(one).toEqual(again)
    expect(one.fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect(one.appearance).toEqual({ ...NIGHT, accent: '#ffffff', corners: 'square' })
    expect(overridden(NIGHT, { accent: '#ffffff' }).fingerprint).not.toBe(one.fingerprint)
  })
})
