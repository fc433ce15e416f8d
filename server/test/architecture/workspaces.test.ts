import { readFile } from 'node:fs/promises'
import { join, matchesGlob } from 'node:path'
import { describe, expect, test } from 'vitest'
import config from '../../../vitest.config.ts'

const ROOT = join(import.meta.dirname, '../../..')
const json = async (file: string) => JSON.parse(await readFile(join(ROOT, file), 'utf8'))
const { workspaces }: { workspaces: readonly string[] } = await json('package.json')

/** Reads the workspaces from package.json, so that a new one is covered without a change of this file. */
describe.each([...workspaces, 'later'])('the workspace %s', (workspace) => {
  const planted = `${workspace}/src/planted.test.ts`

  test('has its tests run by npm test', () => {
    const { include = [], exclude = [] } = config.test ?? {}
    expect(include.some((pattern) => matchesGlob(planted, pattern))).toBe(true)
    expect(exclude.filter((pattern) => matchesGlob(planted, pattern))).toEqual([])
  })

  test('has its types checked', async () => {
    // The portal runs in browsers, so it has its own tsconfig.json, which `npm run check` uses in a separate step.
    const own = workspace === 'portal'
    const config: Record<'include' | 'exclude', readonly string[]> = await json(`${own ? 'portal/' : ''}tsconfig.json`)
    const include = config.include.map((pattern) => (own ? `portal/${pattern}` : pattern))
    const { exclude } = config
    expect(include.some((pattern) => matchesGlob(planted, pattern))).toBe(true)
    expect(exclude.filter((pattern) => matchesGlob(planted, `${pattern}/**`))).toEqual([])
  })

  test('is searched for dead code', async () => {
    const { workspaces: searched, ignoreWorkspaces } = await json('knip.json')
    expect(Object.keys(searched).some((pattern) => matchesGlob(workspace, pattern))).toBe(true)
    expect(ignoreWorkspaces).not.toContain(workspace)
  })

  test('is formatted and linted', async () => {
    const { files }: { files: { includes: readonly string[] } } = await json('biome.json')
    const skipped = files.includes.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1))
    expect(files.includes).toContain('**')
    expect(skipped.filter((pattern) => matchesGlob(planted, pattern))).toEqual([])
  })
})
