import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { webhookDocument } from './retry-policy.ts'

const document = await readFile(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')

describe('docs/webhooks.md', () => {
  test('its table of attempts is the policy’s: at once, then 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h', () => {
    expect(webhookDocument(document)).toBe(document)
    const rows = [...document.matchAll(/^\| (\d+) \| ([^|]+) \| [^|]+ \|$/gm)].map(([, , after]) => after)
    expect(rows).toEqual(['at once', '5 s', '5 min', '30 min', '2 h', '5 h', '10 h', '14 h', '20 h', '24 h'])
  })

  test('a table that differs is written again, and nothing around it', () => {
    expect(webhookDocument(document.replace('| 3 | 5 min |', '| 3 | 7 min |'))).toBe(document)
    expect(webhookDocument(document.replace('| 10 | 24 h |', ''))).toBe(document)
    const around = document.replace('# Webhooks', '# Hooks')
    expect(webhookDocument(around)).toBe(around)
  })

  test('without the marks around the table it is rejected', () => {
    expect(() => webhookDocument('# Webhooks')).toThrow('lost the marks')
  })

  test('names the limits as they are', () => {
    for (const limit of [
      '10 per app and mode',
      'within 15 seconds',
      '90 days',
      '30 days',
      '24 hours',
      'ten tests a minute',
    ]) {
      expect(document).toContain(limit)
    }
  })
})
