import { describe, expect, test } from 'vitest'
import { ratiosOf } from './disclosures.ts'
import { excerptOf } from './http.ts'
import { describedInPitch } from './pitch-record.ts'
import { plainText, storyBlocks } from './story-blocks.ts'

const blocksOf = (html: string) => storyBlocks(html).blocks

describe('the blocks of a story', () => {
  test('headings, paragraphs, lists, pictures, videos and footnotes, in document order', () => {
    const html = `<h2>The <em>kiln</em></h2>
      <p>Fires at&nbsp;1,100 °C<sup><a href="#fn1">1</a></sup> &amp; costs <a href="/pricing">less</a>.<br>Really.</p>
      <a href="https://kiln.example/tour"><img src="/photos/kiln%20one.jpg?w=2" alt=" The kiln "></a>
      <ol><li>Build</li><li><p>Sell</p><ul><li>here</li><li>there</li></ul></li></ol>
      <iframe src="//www.youtube.com/embed/abc"></iframe>
      <div id="fn1">Measured twice. <a href="#fnref1">↩</a></div>`
    expect(blocksOf(html)).toEqual([
      { type: 'heading', level: 2, text: 'The kiln' },
      {
        type: 'paragraph',
        text: 'Fires at 1,100 °C[1] & costs less.\nReally.',
        links: [{ text: 'less', url: '/pricing' }],
      },
      {
        type: 'image',
        url: '/photos/kiln%20one.jpg?w=2',
        link: 'https://kiln.example/tour',
        alt: 'The kiln',
        filename: 'kiln one.jpg',
      },
      { type: 'list', ordered: true, items: ['Build', 'Sell\n- here\n- there'] },
      { type: 'video', url: 'https://www.youtube.com/embed/abc', provider: 'youtube' },
      { type: 'footnote', number: 1, text: 'Measured twice.' },
    ])
  })

  test('an ordered list resumes after a picture with the next number', () => {
    expect(blocksOf('<ol><li>one</li><li>two<img src="https://x.example/a.png"></li><li>three</li></ol>')).toEqual([
      { type: 'list', ordered: true, items: ['one', 'two'] },
      { type: 'image', url: 'https://x.example/a.png', alt: null, filename: 'a.png' },
      { type: 'list', ordered: true, start: 3, items: ['three'] },
    ])
  })

  test('a link with a picture inside has its text before and after the picture', () => {
    expect(blocksOf('<p>Hello <a href="/x">see <img src="/a.png">the caption</a></p>')).toEqual([
      { type: 'paragraph', text: 'Hello see', links: [{ text: 'see', url: '/x' }] },
      { type: 'image', url: '/a.png', link: '/x', alt: null, filename: 'a.png' },
      { type: 'paragraph', text: 'the caption', links: [{ text: 'the caption', url: '/x' }] },
    ])
  })

  test('a link around blocks is a link in each of them, and ends after them', () => {
    expect(blocksOf('<a href="/x"><h2>More</h2><p>Read <b>on</b></p></a><p>Not linked</p>')).toEqual([
      { type: 'heading', level: 2, text: 'More', links: [{ text: 'More', url: '/x' }] },
      { type: 'paragraph', text: 'Read on', links: [{ text: 'Read on', url: '/x' }] },
      { type: 'paragraph', text: 'Not linked' },
    ])
  })

  test('footnotes inside a list become footnote blocks, not list items', () => {
    expect(blocksOf('<p>A<a href="#fn2">2</a></p><ol><li id="fn2">Why</li></ol>')).toEqual([
      { type: 'paragraph', text: 'A[2]' },
      { type: 'footnote', number: 2, text: 'Why' },
    ])
  })

  test.each([
    ['https://player.vimeo.com/video/1', 'vimeo'],
    ['https://fast.wistia.net/embed/iframe/1', 'wistia'],
    ['http://www.loom.com/embed/1', 'loom'],
    ['https://www.youtube-nocookie.com/embed/1', 'youtube'],
  ])('the player of an allowed site becomes a video block with https: %s', (src, provider) => {
    expect(blocksOf(`<iframe src="${src}"></iframe>`)).toEqual([
      { type: 'video', url: src.replace('http:', 'https:'), provider },
    ])
  })

  test('a video file of the platform becomes a video block', () => {
    expect(blocksOf('<video controls><source src="/files/tour.mp4"></video>')).toEqual([
      { type: 'video', url: '/files/tour.mp4', provider: 'upload' },
    ])
  })
})

describe('parts that are dropped from the HTML of a story', () => {
  test.each([
    ['scripts', '<script>alert(1)</script><p>Text</p>'],
    ['scripts in other cases and broken tags', '<ScRiPt src=//evil.example/x.js>alert(1)</sCrIpT ><p>Text</p>'],
    ['styles', '<style>p{background:url(javascript:alert(1))}</style><p style="position:fixed">Text</p>'],
    ['event handlers', '<p onclick="alert(1)" onmouseover=alert(1)>Text</p>'],
    ['pictures with handlers and no address', '<img src=x: onerror=alert(1)><p>Text</p>'],
    [
      'svg and math with their content',
      '<svg><script>alert(1)</script><a>x</a></svg><math><mi>x</mi></math><p>Text</p>',
    ],
    ['embeds of other sites', '<iframe src="https://evil.example/youtube.com"></iframe><p>Text</p>'],
    ['embeds of sites that only look alike', '<iframe src="https://notyoutube.com/embed/1"></iframe><p>Text</p>'],
    [
      'embeds with a user name before another host',
      '<iframe src="https://youtube.com@evil.example/"></iframe><p>Text</p>',
    ],
    ['embeds on another port', '<iframe src="https://youtube.com:8443/embed/1"></iframe><p>Text</p>'],
    ['embedded documents', '<iframe srcdoc="<script>alert(1)</script>"></iframe><p>Text</p>'],
    [
      'embeds of scripts and data',
      '<iframe src="javascript:alert(1)"></iframe><iframe src="data:text/html,x"></iframe><p>Text</p>',
    ],
    ['objects and forms', '<object data="x.swf">old</object><embed src="x"><form action="/x"><p>Text</p></form>'],
    ['comments and declarations', '<!-- <script>alert(1)</script> --><!DOCTYPE html><p>Text</p>'],
    ['direction and control characters written as entities', '<p>Te&#8238;x&#x202e;&#7;t</p>'],
  ])('%s', (_, html) => {
    expect(blocksOf(html)).toEqual([{ type: 'paragraph', text: 'Text' }])
  })

  test.each([
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java&#10;script:alert(1)',
    'java&Tab;script&colon;alert(1)',
    '&#1;javascript:alert(1)',
    'data:text/html;base64,PHNjcmlwdD4=',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'mailto:ada@example.org',
    'https://user:secret@evil.example/',
    '#elsewhere',
    '',
  ])('the text of a link to %j stays, and its address is dropped', (href) => {
    expect(blocksOf(`<p><a href="${href}">Text</a></p>`)).toEqual([{ type: 'paragraph', text: 'Text' }])
    expect(blocksOf(`<img src="${href}" alt="x"><video src="${href}"></video>`)).toEqual([])
  })

  test('an address whose path would begin with two slashes does not become a path of our own', () => {
    const [block] = blocksOf('<p><a href="/\\evil.example">a</a> <a href="/.//evil.example">b</a></p>')
    expect(JSON.stringify(block)).not.toContain('"//')
    expect(block).toMatchObject({ links: [{ text: 'a', url: 'https://evil.example/' }] })
  })

  test('pictures with data: addresses are counted', () => {
    const { blocks, inlineImages } = storyBlocks(
      '<img src="data:image/png;base64,AA"><img src=" DA&#10;TA:image/png,x"><img src="/a.png">',
    )
    expect([blocks.length, inlineImages]).toEqual([1, 2])
  })

  test('escaped markup stays text', () => {
    expect(blocksOf('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')).toEqual([
      { type: 'paragraph', text: '<script>alert(1)</script>' },
    ])
  })

  test('deeply nested elements lose no text; beyond 500 levels the HTML is rejected before it is fully parsed', () => {
    expect(plainText(`${'<div>'.repeat(400)}deep${'</div>'.repeat(400)}`)).toBe('deep')
    const named = [expect.objectContaining({ field: 'story_html', code: 'too_deep' })]
    const rejected = { type: 'validation_error', details: { fields: named } }
    for (const tag of ['<div>', '<b>', '<unknown>']) {
      expect(() => storyBlocks(tag.repeat(50_000))).toThrow(expect.objectContaining(rejected))
    }
    expect(plainText('<p>text<br>'.repeat(2_000))).toHaveLength(2_000 * 6 - 2)
  })
})

describe('plain text', () => {
  test('of a post has separate paragraphs, one line for each list item, and no pictures', () => {
    const html =
      '<h3>News</h3><p>One<br>two</p><ul><li>a</li><li>b</li></ul><ol start="4"><li>c</li></ol><img src="/x.png">'
    expect(plainText(html)).toBe('News\n\nOne\ntwo\n\n- a\n- b\n\n4. c')
    expect(plainText('Just text')).toBe('Just text')
  })

  test('of an excerpt is one line of at most 280 characters and ends with a whole word', () => {
    expect(excerptOf('Short\n\nand whole.')).toBe('Short and whole.')
    const long = excerptOf('word '.repeat(200))
    expect(long).toMatch(/^(word )+word…$/)
    expect([...long].length).toBeLessThanOrEqual(280)
    expect([...excerptOf('𝒜'.repeat(500))]).toHaveLength(280)
  })
})

describe('perks that are described in the pitch', () => {
  test.each([
    [['See the overview for all perks.'], true],
    [['Described in our story above', 'Listed on the page'], true],
    [['Perks to come', 'Perks to come'], true],
    [['A mug'], false],
    [['A mug', 'Two mugs'], false],
    [[null, null], false],
    [[], false],
  ])('%j: %s', (descriptions, expected) => {
    expect(describedInPitch(descriptions.map((description) => ({ description })))).toBe(expected)
  })
})

describe('the ratios of a fiscal year', () => {
  test('are percentages with two decimals, and the revenue per employee', () => {
    const year = {
      total_assets_cents: 42_000_000,
      cash_and_equivalents_cents: 10_500_000,
      short_term_debt_cents: 1_000_000,
      long_term_debt_cents: 2_000_000,
      revenue_cents: 30_000_000,
      cost_of_goods_sold_cents: 20_000_000,
      net_income_cents: -4_500_000,
    }
    expect(ratiosOf(year, 7)).toEqual({
      net_margin_percent: '-15.00',
      gross_margin_percent: '33.33',
      return_on_assets_percent: '-10.71',
      debt_to_assets_percent: '7.14',
      cash_to_assets_percent: '25.00',
      revenue_per_employee_cents: 4_285_714,
    })
  })

  test('are null if a figure is missing or the divisor is zero', () => {
    const nothing = Object.values(ratiosOf({ revenue_cents: 0, total_assets_cents: null, net_income_cents: 5 }, 0))
    expect(nothing).toEqual(nothing.map(() => null))
  })
})
