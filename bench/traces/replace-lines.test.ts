import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PAUSING_TRACES, replacedText, WITHOUT_TRACES } from './replace-lines.ts'

const ROOT = join(import.meta.dirname, '../..')

describe('the lines that the bench of traces replaces', () => {
  it.each([
    ['without the code of traces', WITHOUT_TRACES],
    ['with traces that pause', PAUSING_TRACES],
  ])('are in the sources: %s', (_, files) => {
    for (const file of Object.keys(files)) {
      const original = readFileSync(join(ROOT, file), 'utf8')
      expect(replacedText(files, file, original), file).not.toBe(original)
    }
    expect.hasAssertions()
  })

  it('cause an error if the file no longer has them', () => {
    expect(() => replacedText({ '/a.ts': [['one\n', '']] }, '/a.ts', 'two\n')).toThrow(
      '/a.ts no longer has these lines:\none\n',
    )
  })
})
