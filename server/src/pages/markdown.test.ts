import { describe, expect, test } from 'vitest'
import { html } from './html.ts'
import { blockView, inline, readMarkdown } from './markdown.ts'

const shown = (text: string) => html`${inline(text)}`.markup

describe('our own Markdown', () => {
  test('has headings, paragraphs and list items, wherever their lines are broken', () => {
    const text = '# One\nSome text\nthat continues.\n\n## Two\n- first\n  continues\n- second\n\n\n### Three\n'
    expect(readMarkdown(text)).toEqual([
      { kind: 'heading', level: 1, text: 'One' },
      { kind: 'paragraph', text: 'Some text that continues.' },
      { kind: 'heading', level: 2, text: 'Two' },
      { kind: 'points', items: ['first continues', 'second'] },
      { kind: 'heading', level: 3, text: 'Three' },
    ])
    expect(readMarkdown('\n\n')).toEqual([])
  })

  test('has strong words, code and links, also nested', () => {
    expect(shown('a **b `c`** and `**d**` [e `f`](/g)')).toBe(
      'a <strong>b <code>c</code></strong> and <code>**d**</code> <a href="/g">e <code>f</code></a>',
    )
  })

  test.each(['/docs', '#top', 'https://example.com/a?b=c'])('%s is a link', (address) => {
    expect(shown(`[there](${address})`)).toBe(`<a href="${address}">there</a>`)
  })

  test.each([
    'javascript:alert`1`',
    'JavaScript:x',
    'data:text/html,x',
    'http://example.com',
    '//example.com',
    '/\\example.com',
    'docs/limits.md',
    '../x',
  ])('%s is not a link, and its words are shown', (address) => {
    expect(shown(`[there](${address})`)).not.toContain('<a')
    expect(shown(`[there](${address})`)).toContain('there')
  })

  test.each(['<script>alert(1)</script>', '[<b>](/x)', '**<i>**', '`<u>`', '[x](/"onclick="y)', '"&\'<>'])(
    'markup in %s is text',
    (text) => {
      const made = blockView({ kind: 'points', items: [text] }).markup
      const allowed = /<\/?(?:ul|li|strong|code)(?: class="points")?>|<a href="[^"<>]*">|<\/a>/g
      expect(made.replace(allowed, '')).not.toMatch(/[<>"]/)
    },
  )

  test('shows a mark without an end as text', () => {
    for (const text of ['a ** b', 'a ` b', '[a](b', '[a] (/b)', '']) expect(shown(text)).toBe(text)
  })
})
