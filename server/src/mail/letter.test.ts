import { describe, expect, test } from 'vitest'
import { renderLetter } from './letter.ts'
import { TEST_BRAND } from './testing/collecting-mailer.ts'

const LETTER = {
  subject: 'Your endpoint is failing',
  greeting: 'Hello Ada,',
  paragraphs: ['First.', 'Second.'],
  quote: { from: 'They write', text: 'One\nTwo' },
  action: { label: 'See the deliveries', url: 'https://platform.example/x?a=1&b=2' },
  facts: [['App', 'Fieldbook'] as const],
  notes: ['You get this because you are on the team.'],
}

describe('a letter', () => {
  test('as text holds everything, in the order of the HTML, and the address to follow', () => {
    const { text } = renderLetter(LETTER, TEST_BRAND)
    expect(text).toBe(
      [
        ...['Hello Ada,', '', 'First.', '', 'Second.', '', 'They write:', '> One', '> Two', ''],
        ...['See the deliveries:', 'https://platform.example/x?a=1&b=2', '', 'App: Fieldbook', ''],
        ...[
          'You get this because you are on the team.',
          '',
          '-- ',
          'Portico',
          'Support: https://platform.example/help',
          '',
        ],
      ].join('\n'),
    )
  })

  test('as HTML has the same words, in light and dark, with the platform’s colour', () => {
    const { html } = renderLetter(LETTER, { ...TEST_BRAND, accent: '#123456' })
    for (const words of ['Hello Ada,', 'Second.', '<blockquote>One\nTwo</blockquote>', 'Fieldbook', 'on the team']) {
      expect(html).toContain(words)
    }
    expect(html).toContain('href="https://platform.example/x?a=1&amp;b=2"')
    expect(html).toContain('background: #123456')
    expect(html).toContain('prefers-color-scheme: dark')
    expect(html).not.toMatch(/<(script|img|link)/)
  })

  test('takes no markup from the words it is given', () => {
    const evil = '<img src=x onerror=alert(1)>'
    const { html } = renderLetter(
      {
        subject: evil,
        greeting: evil,
        paragraphs: [evil],
        quote: { from: evil, text: evil },
        action: { label: evil, url: `https://x.example/"${evil}` },
        facts: [[evil, evil]],
        notes: [evil],
      },
      { ...TEST_BRAND, name: evil },
    )
    expect(html).not.toContain('<img')
    expect(html).not.toContain('example/"<')
  })
})
