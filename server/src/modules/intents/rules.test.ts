import { describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { allowedMoves } from '#kernel/state-machine.ts'
import { money, roughly } from './actions/words.ts'
import { contentDigest } from './content-digest.ts'
import type { Content } from './intent.ts'
import { INTENT_MACHINE, INTENT_STATES } from './intent-states.ts'
import { sayOf } from './may-decide.ts'
import { changesSince, readShown, type Shown, shownDigest, shownText } from './shown.ts'

const [ada, grace] = [newId('user'), newId('user')]

describe('who has what to say', () => {
  const managers = (proposer: typeof ada | null, permission: 'full_access' | 'operator' | null) =>
    sayOf('managers', proposer, { userId: ada, permission })

  test.each([
    ['another manager with full access', grace, 'full_access', { sees: true, approves: true, rejects: true }],
    ['one, where an installation proposed', null, 'full_access', { sees: true, approves: true, rejects: true }],
    ['the proposer with full access', ada, 'full_access', { sees: true, approves: false, rejects: true }],
    ['the proposer as operator', ada, 'operator', { sees: true, approves: false, rejects: true }],
    ['another operator', grace, 'operator', { sees: false, approves: false, rejects: false }],
    ['the proposer who runs it no longer', ada, null, { sees: false, approves: false, rejects: false }],
    ['a stranger', null, null, { sees: false, approves: false, rejects: false }],
  ] as const)('of the syndicate: %s', (_, proposer, permission, say) => {
    expect(managers(proposer, permission)).toEqual(say)
  })

  test('of a comment: the person it speaks for, and nobody else, whatever they run', () => {
    const all = { sees: true, approves: true, rejects: true }
    expect(sayOf('proposer', ada, { userId: ada, permission: null })).toEqual(all)
    const none = { sees: false, approves: false, rejects: false }
    expect(sayOf('proposer', grace, { userId: ada, permission: 'full_access' })).toEqual(none)
  })
})

describe('what was shown', () => {
  const shown: Shown = {
    question: 'Close it',
    summary: 'It closes.',
    facts: [
      ['Raised', '$1'],
      ['From', '1 commitment'],
    ],
    final: 'For ever.',
    version: 'a',
  }

  test('comes back from a form as it was, and nothing else does', () => {
    expect(readShown(shownText(shown))).toEqual(shown)
    for (const text of ['', 'null', '{}', '[]', '{"facts":{}}', shownText({ ...shown, facts: [[1 as never, 'x']] })]) {
      expect(readShown(text)).toBeNull()
    }
  })

  test('nothing has changed where nothing has', () => {
    expect(changesSince(shown, { ...shown })).toEqual([])
  })

  test('says what is different: a number, what is new, what is gone, what will happen', () => {
    const facts = [['Raised', '$2'] as const, ['Members', '3'] as const]
    expect(changesSince(shown, { ...shown, facts, summary: 'It ends.' })).toEqual([
      'What will happen now reads: It ends.',
      'Raised: was $1, now $2',
      'Members: new, 3',
      'From: no longer, was 1 commitment',
    ])
  })

  test('another version is another content, even where nobody sees it', () => {
    const other = { ...shown, version: 'b' }
    expect(changesSince(shown, other)).toHaveLength(1)
    expect(shownDigest(shown).equals(shownDigest(other))).toBe(false)
  })
})

describe('the content under a key', () => {
  const content: Content = {
    action: 'comments.create',
    resourceType: 'company',
    resourceId: 'co_1',
    params: { a: 1, b: { c: [1, 2], d: null } },
  }

  test('is the same in whatever order its fields come, and another with any other value', () => {
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

test('nothing leads out of what is decided, and only a person’s approval leads to execution', () => {
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
  test('two leading ones, and small ones as they are', () => {
    expect(['0', '7', '42', '123', '1299999'].map(roughly)).toEqual(['0', '7', '42', '120', '1200000'])
  })

  test('money in whole units, beyond what a number carries', () => {
    expect(money('12345600', 'usd')).toBe('$123,456')
    expect(money('900719925474099300', 'usd')).toBe('$9,007,199,254,740,993')
  })
})
