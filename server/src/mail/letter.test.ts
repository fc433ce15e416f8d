import { describe, expect, test } from 'vitest'
import { contrast } from '#pages/platform-brand.ts'
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
  test('the text version has the same content in the same order as the HTML version, and the address of the button', () => {
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

  test('the HTML version has the same words and the platform’s colour, in a light and a dark scheme', () => {
    const { html } = renderLetter(LETTER, { ...TEST_BRAND, accent: '#123456' })
    for (const words of ['Hello Ada,', 'Second.', '<blockquote>One\nTwo</blockquote>', 'Fieldbook', 'on the team']) {
      expect(html).toContain(words)
    }
    expect(html).toContain('href="https://platform.example/x?a=1&amp;b=2"')
    expect(html).toContain('background: #123456')
    expect(html).toContain('prefers-color-scheme: dark')
    expect(html).not.toMatch(/<(script|img|link)/)
  })

  test('shows a small logo instead of the name; the logo’s alternative text is the name', () => {
    const logo = { mediaType: 'image/png', bytes: new Uint8Array(100) }
    const rendered = renderLetter(LETTER, { ...TEST_BRAND, name: 'Harbor & Vine', logo })
    expect(rendered.logo).toBe(logo)
    expect(rendered.html).toContain('<img src="cid:logo" alt="Harbor &amp; Vine"')
    expect(rendered.html.match(/src=/g)).toHaveLength(1)
    expect(rendered.text).toContain('\n-- \nHarbor & Vine\n')
  })

  test('shows the name if the logo is too large for a mail', () => {
    const logo = { mediaType: 'image/png', bytes: new Uint8Array(65_537) }
    const rendered = renderLetter(LETTER, { ...TEST_BRAND, logo })
    expect(rendered.logo).toBeNull()
    expect(rendered.html).toContain('<p class="brand">Portico</p>')
    expect(rendered.html).not.toContain('cid:')
  })

  test.each(['#123456', '#7a1f5c', '#0f5a43', '#000000', '#767676'])(
    'a button in %s has a text with enough contrast in both schemes',
    (accent) => {
      const { html } = renderLetter(LETTER, { ...TEST_BRAND, accent })
      const buttons = [...html.matchAll(/\.action \{[^}]*background: (#\w{6}); color: (#\w{6})/g)]
      expect(buttons).toHaveLength(2)
      for (const [, paper = '', ink = ''] of buttons) expect(contrast(paper, ink)).toBeGreaterThanOrEqual(4.5)
      // The button also needs enough contrast to the card around it.
      expect(contrast(buttons[1]?.[1] ?? '', '#181d1b')).toBeGreaterThanOrEqual(4.5)
    },
  )

  test('escapes markup in every text', () => {
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
