import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

/** Returns the names in the last column of the glossary's table "Where is the rule that …". */
async function namedRules(): Promise<readonly string[]> {
  const glossary = await readFile(join(ROOT, 'docs/glossary.md'), 'utf8')
  const section = glossary.slice(glossary.indexOf('\n## Where is the rule that'))
  const cells = [...section.matchAll(/^\| .* \| ([^|]*) \|$/gm)].map(([, cell]) => cell ?? '')
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].flatMap(([, name]) => name ?? []))
}

test('every rule that the glossary lists is in the code, under a comment', async () => {
  const rules = await namedRules()
  expect(rules.length).toBeGreaterThan(15)
  const missing = new Set(rules)
  for await (const file of glob('server/src/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] })) {
    const source = await readFile(join(ROOT, file), 'utf8')
    for (const rule of missing) {
      if (new RegExp(`\\*/\\n(export )?(async )?(function|const) ${rule}\\b`).test(source)) missing.delete(rule)
    }
  }
  expect([...missing]).toEqual([])
})
