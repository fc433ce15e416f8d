import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/**
 * docs/specification.md names a test for every rule. People write the page by hand, so a renamed or deleted test could
 * leave a rule without proof. These checks read the page and the test files that it names.
 */
const SERVER = join(import.meta.dirname, '../..')
const PAGE = join(SERVER, '../docs/specification.md')
const ROW = /^\| (?<rule>.+) \| (?<tests>`.+) \|$/
const CITATION = /^`(?<path>[^`]+)` › (?<title>.+)$/

type Citation = { readonly rule: string; readonly path: string; readonly title: string }

function citationsOf(page: string): Citation[] {
  return page.split('\n').flatMap((line) => {
    const { rule, tests } = ROW.exec(line)?.groups ?? {}
    if (rule === undefined || tests === undefined) return []
    return tests.split('<br>').map((cited) => {
      const { path, title } = CITATION.exec(cited)?.groups ?? {}
      if (path === undefined || title === undefined) throw new Error(`Not a citation: ${cited}`)
      return { rule, path, title }
    })
  })
}

/** Returns why a citation is wrong, or undefined. */
function faultOf({ path, title }: Citation): string | undefined {
  const file = ['test', 'src'].map((folder) => join(SERVER, folder, `${path}.test.ts`)).find((name) => existsSync(name))
  if (file === undefined) return `${path}.test.ts does not exist`
  const named = ["'", '"', '`'].some((quote) => readFileSync(file, 'utf8').includes(`${quote}${title}`))
  return named ? undefined : `${path}.test.ts has no test whose title begins with: ${title}`
}

describe('docs/specification.md', () => {
  const citations = citationsOf(readFileSync(PAGE, 'utf8'))

  test('names at least one test in every section', () => {
    const sections = readFileSync(PAGE, 'utf8').split(/^## /m).slice(1)
    expect(sections.length).toBeGreaterThan(30)
    const empty = sections
      .filter((section) => citationsOf(section).length === 0)
      .map((section) => section.split('\n')[0])
    expect(empty).toEqual([])
  })

  test('names only tests that exist', () => {
    expect(citations.flatMap((citation) => faultOf(citation) ?? [])).toEqual([])
  })

  test('no rule is listed twice', () => {
    const rules = readFileSync(PAGE, 'utf8')
      .split(/^## /m)
      .flatMap((section) => {
        const [heading, ...lines] = section.split('\n')
        return lines.flatMap((line) => ROW.exec(line)?.groups?.['rule'] ?? []).map((rule) => `${heading}: ${rule}`)
      })
    expect(rules.filter((rule, at) => rules.indexOf(rule) !== at)).toEqual([])
  })

  test.each([
    ['a file that does not exist', { path: 'contract/nothing', title: 'anything' }],
    ['a title that no test of the file has', { path: 'contract/limits', title: 'a title that does not exist' }],
  ])('the check finds a citation of %s', (_what, citation) => {
    expect(faultOf({ rule: 'a rule', ...citation })).toBeDefined()
  })
})
