import { describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { allowedMoves } from '#kernel/state-machine.ts'
import { needsProof } from './decide.ts'
import { type Content, decisionRightsOf, INTENT_MACHINE, INTENT_STATES } from './intent.ts'
import { contentDigest } from './propose.ts'
import {
  changesSince,
  countedRoughly,
  excerptOf,
  money,
  readShown,
  roughly,
  type Shown,
  shownDigest,
  shownText,
} from './review-facts.ts'

const [ada, grace] = [newId('user'), newId('user')]

describe('the people who may decide', () => {
  const wordsOf = (rights: object) => Object.entries(rights).flatMap(([word, yes]) => (yes === true ? [word] : []))

  test.each([
    ['another manager with full access', grace, 'full_access', null, 'sees informed approves rejects'],
    [
      'a manager with full access, if an installation proposed',
      null,
      'full_access',
      null,
      'sees informed approves rejects',
    ],
    ['the proposer with full access', ada, 'full_access', null, 'sees informed rejects'],
    ['the proposer with the permission operator', ada, 'operator', null, 'sees informed rejects'],
    ['the proposer who no longer runs the syndicate', ada, null, null, 'sees rejects'],
    ['the person who decided and no longer runs the syndicate', grace, null, ada, 'sees informed'],
    ['another manager with the permission operator', grace, 'operator', null, ''],
    ['a stranger', null, null, null, ''],
    ['a stranger, after another person decided', null, null, grace, ''],
  ] as const)('about a syndicate: %s', (_, proposer, permission, decider, may) => {
    const rights = decisionRightsOf('managers', { proposer, decider }, { userId: ada, permission })
    expect(wordsOf(rights).join(' ')).toBe(may)
  })

  test('about a comment: only its author, and no manager of a syndicate', () => {
    const own = decisionRightsOf('proposer', { proposer: ada, decider: null }, { userId: ada, permission: null })
    expect(wordsOf(own)).toEqual(['sees', 'informed', 'approves', 'rejects'])
    const another = { proposer: grace, decider: null }
    expect(wordsOf(decisionRightsOf('proposer', another, { userId: ada, permission: 'full_access' }))).toEqual([])
  })
})

describe('the shown content', () => {
  const shown: Shown = {
    question: 'Close it',
    summary: 'It closes.',
    facts: [
      ['Raised', '$1'],
      ['From', '1 commitment'],
    ],
    final: 'For good.',
    version: [['Description', 'Old']],
    asker: { app: 'Fieldbook', organization: 'Fieldbook Inc.', logo: null, proposer: 'Ada' },
  }

  test('is read from a form unchanged, and any other text is rejected', () => {
    expect(readShown(shownText(shown))).toEqual(shown)
    const broken = [
      { facts: [[1 as never, 'x']] },
      { version: 'a' },
      { asker: null },
      { asker: { ...shown.asker, app: 1 } },
    ]
    const texts = broken.map((part) => JSON.stringify({ ...shown, ...part }))
    for (const text of ['', 'null', '{}', '[]', '{"facts":{}}', ...texts]) {
      expect(readShown(text)).toBeNull()
    }
  })

  test('equal contents have no differences', () => {
    expect(changesSince(shown, { ...shown })).toEqual([])
  })

  test('every difference is listed: a changed number, an added fact, a removed fact and another effect', () => {
    const facts = [['Raised', '$2'] as const, ['Members', '3'] as const]
    expect(changesSince(shown, { ...shown, facts, summary: 'It ends.' })).toEqual([
      'What will happen now reads: It ends.',
      'Raised: was $1, now $2',
      'Members: new, 3',
      'From: no longer, was 1 commitment',
    ])
  })

  test.each([
    [
      'a description that the page does not show',
      { version: [['Description', 'New']] },
      'Description: was Old, now New',
    ],
    ['the app’s name', { asker: { ...shown.asker, app: 'Other' } }, 'App: was Fieldbook, now Other'],
    [
      'the organization of the app',
      { asker: { ...shown.asker, organization: 'X' } },
      'App by: was Fieldbook Inc., now X',
    ],
    ['the proposer’s name', { asker: { ...shown.asker, proposer: 'Eve' } }, 'Proposed by: was Ada, now Eve'],
    ['the app’s logo', { asker: { ...shown.asker, logo: '/x.png' } }, 'The app has a new logo'],
  ] as const)('%s is part of the digest, and a change of it is shown', (_, part, change) => {
    const other: Shown = { ...shown, ...part }
    expect(changesSince(shown, other)).toEqual([change])
    expect(shownDigest(shown).equals(shownDigest(other))).toBe(false)
  })
})

describe('the content of a proposal under an idempotency key', () => {
  const content: Content = {
    action: 'comments.create',
    resourceType: 'company',
    resourceId: 'co_1',
    params: { a: 1, b: { c: [1, 2], d: null } },
  }

  test('has the same digest in any order of its fields, and another digest with any other value', () => {
    const same = { ...content, params: { b: { d: null, c: [1, 2] }, a: 1 } }
    expect(contentDigest(same)).toEqual(contentDigest(content))
    const others: Content[] = [
      { ...content, action: 'syndicates.publish' },
      { ...content, resourceId: 'co_2' },
      { ...content, params: { a: 1, b: { c: [2, 1], d: null } } },
      { ...content, params: { a: 1 } },
    ]
    for (const other of others) expect(contentDigest(other)).not.toEqual(contentDigest(content))
  })
})

test('a rejected, executed, expired or failed intent never moves again, and only an approved intent can be executed', () => {
  const moves = Object.fromEntries(INTENT_STATES.map((state) => [state, allowedMoves(INTENT_MACHINE, state)]))
  expect(moves).toEqual({
    pending: ['approve', 'reject', 'expire'],
    approved: ['execute', 'fail', 'reopen'],
    executed: [],
    rejected: [],
    expired: [],
    failed: [],
  })
})

describe('the figures of an open deal', () => {
  test('are rounded to two leading digits; figures with fewer digits stay exact', () => {
    const figures = ['0', '7', '42', '123', '125', '999', '1249999', '19960000', '900719925474099300']
    const rounded = ['0', '7', '42', '120', '130', '1000', '1200000', '20000000', '900000000000000000']
    expect(figures.map(roughly)).toEqual(rounded)
  })

  test('rarely change when the number of commitments grows by one', () => {
    const words = [4, 5, 10, 11, 99, 345, 1_234].map((count) => countedRoughly(count, 'commitment'))
    expect(words).toEqual([
      'fewer than 10 commitments',
      'fewer than 10 commitments',
      '10 commitments or more',
      '10 commitments or more',
      '90 commitments or more',
      '300 commitments or more',
      '1,000 commitments or more',
    ])
  })

  test('excerpts of long texts that differ only at their ends are different', () => {
    const [one, other] = ['a', 'b'].map((end) => excerptOf('x'.repeat(500) + end))
    expect(one).not.toBe(other)
    expect(one).toMatch(/^x{200}… \([0-9a-f]{16}\)$/)
    expect([excerptOf('short'), excerptOf(null)]).toEqual(['short', 'nothing'])
  })

  test('money is shown in whole units, also if it is larger than a JavaScript number can represent exactly', () => {
    expect(money('12345600', 'usd')).toBe('$123,456')
    expect(money('900719925474099300', 'usd')).toBe('$9,007,199,254,740,993')
  })
})

describe('a recent proof, where "an intent is approved above a configurable amount"', () => {
  test.each([
    ['1000000', 10_000, false],
    ['1000001', 10_000, true],
    ['1', 0, true],
    ['0', 0, false],
    ['900719925474099300001', 1_000_000_000_000, true],
  ])('for %s cents with a limit of %d whole units: a proof is needed: %s', (cents, amountMax, needed) => {
    expect(needsProof({ cents, currency: 'USD' }, { amountMax })).toBe(needed)
  })

  test('is never needed for an intent without money', () => {
    expect(needsProof(undefined, { amountMax: 0 })).toBe(false)
  })
})
