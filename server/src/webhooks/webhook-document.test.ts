import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { webhookDocument } from './retry-policy.ts'

const document = await readFile(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')

describe('docs/webhooks.md', () => {
  test('has the table of attempts of the retry policy: at once, then 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h', () => {
    expect(webhookDocument(document)).toBe(document)
    const rows = [...document.matchAll(/^\| (\d+) \| ([^|]+) \| [^|]+ \|$/gm)].map(([, , after]) => after)
    expect(rows).toEqual(['at once', '5 s', '5 min', '30 min', '2 h', '5 h', '10 h', '14 h', '20 h', '24 h'])
  })

  test('gets the right table in place of a wrong one, and its other text stays', () => {
    expect(webhookDocument(document.replace('| 3 | 5 min |', '| 3 | 7 min |'))).toBe(document)
    expect(webhookDocument(document.replace('| 10 | 24 h |', ''))).toBe(document)
    const around = document.replace('# Webhooks', '# Hooks')
    expect(webhookDocument(around)).toBe(around)
  })

  test('is rejected if it lacks the marks around the table', () => {
    expect(() => webhookDocument('# Webhooks')).toThrow('lost the marks')
  })

  test('states the limits of endpoints, responses, history, replays and tests', () => {
    const text = document.replaceAll(/\s+/g, ' ')
    for (const limit of [
      'at most 10 for each app and mode',
      'within 15 seconds',
      '90 days',
      '30 days',
      '24 hours',
      'ten tests a minute',
    ]) {
      expect(text).toContain(limit)
    }
  })
})
