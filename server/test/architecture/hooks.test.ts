import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hooksOfModule } from './module-hooks.ts'

const FILES = ['server/{src,test}/**/*.ts', '{demo,embedded-postgres,bench}/**/*.ts']
const ROOT = join(import.meta.dirname, '../../..')

/** Returns all files that mention vitest or the name of a test file: the tests, and the files that tests share. */
async function sources(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for await (const file of glob(FILES, { cwd: ROOT, exclude: ['**/node_modules/**'] })) {
    const text = await readFile(join(ROOT, file), 'utf8')
    if (/vitest|\.(test|proof)\.ts/.test(text)) found.set(file, text)
  }
  return found
}

describe('files that tests share', () => {
  test('register no hooks when they are loaded, because a hook would run only for the first test file of a worker', async () => {
    const shared = [...(await sources())].filter(([file]) => !/\.(test|proof)\.ts$/.test(file))
    expect(shared.length).toBeGreaterThan(5)
    const found = shared.flatMap(([file, text]) => hooksOfModule(file, text).map((hook) => `${file}:${hook}`))
    expect(found, 'hooks to move into a function that the test file calls').toEqual([])
  })

  test('are not test files: a process loads a module once, so the tests in a shared test file would run for only one importing file', async () => {
    const imported = /^(import|export)\b[^'"\n]*['"][^'"]+\.(test|proof)\.ts['"]/m
    expect([...(await sources())].filter(([, text]) => imported.test(text)).map(([file]) => file)).toEqual([])
  })
})

describe('a hook, suite or test at the top level of a module is found in', () => {
  test.each([
    ["import { afterAll } from 'vitest'\nafterAll(() => {})", ['2 afterAll']],
    ["import { beforeEach as before } from 'vitest'\nbefore(() => {})", ['2 beforeEach']],
    ["import * as vitest from 'vitest'\nvitest.afterEach(() => {})", ['2 afterEach']],
    ["import { describe, afterAll } from 'vitest'\ndescribe('x', () => {\n  afterAll(() => {})\n})", ['2 describe']],
    ["import { test } from 'vitest'\ntest.each([1])('x', () => {})", ['2 test']],
    ["import { beforeAll } from 'vitest'\nif (process.env.CI) beforeAll(() => {})", ['2 beforeAll']],
  ])('%s', (text, hooks) => {
    expect(hooksOfModule('support.ts', text)).toEqual(hooks)
  })
})

describe('no hook at the top level of a module is found in', () => {
  test.each([
    "import { afterAll } from 'vitest'\nexport function served() { afterAll(() => {}) }",
    "import { onTestFinished } from 'vitest'\nexport const opened = () => onTestFinished(() => {})",
    "import { expect, inject } from 'vitest'\nexport const url = inject('x')\nexpect.extend({})",
    'const afterAll = (work: () => void) => work()\nafterAll(() => {})',
  ])('%s', (text) => {
    expect(hooksOfModule('support.ts', text)).toEqual([])
  })
})
