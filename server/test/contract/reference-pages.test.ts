import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { parseDocument } from 'htmlparser2'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isRef } from '#http/openapi-types.ts'
import { ERROR_STATUS } from '#kernel/errors.ts'
import { nameIn } from '#pages/reference/endpoints.ts'
import { wholeReference } from '#test/reference-pages.ts'
import { SAMPLE_LANGUAGES, samplesOf } from '#test/reference-samples.ts'

/**
 * Checks the pages of the reference for the current API. acceptance/reference.test.ts tests their script in a browser.
 */

const ROOT = join(import.meta.dirname, '../../..')
const { document, pages } = wholeReference()
const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
const isPage = (names: readonly string[]) => names.includes('signedInBrowser') && !names.includes('commandLine')
/** Operations that a program can call. */
const calls = operations.filter(({ security }) => !isPage(security.flatMap((scheme) => Object.keys(scheme))))

type Nodes = ReturnType<typeof parseDocument>['children']
type Element = Extract<Nodes[number], { readonly attribs: object }>

function elementsIn(nodes: Nodes): readonly Element[] {
  return nodes.flatMap((node) => ('attribs' in node ? [node, ...elementsIn(node.children)] : []))
}

describe('"Try it"', () => {
  test('shows the parts of each call on the pages: method, path, each parameter and the body', () => {
    const sections = [...pages.values()]
      .flatMap((page) => elementsIn(parseDocument(page).children))
      .filter(({ attribs }) => attribs['data-method'] !== undefined)
    const shown = sections.map((section) => {
      const { 'data-method': method = '', 'data-path': path = '', id = '' } = section.attribs
      const inner = elementsIn(section.children).map(({ attribs }) => attribs)
      const fields = inner.flatMap((it) => it['data-parameter'] ?? ('data-body' in it ? ['the body'] : []))
      return [id, [method, path, ...fields.sort()].join(' ')]
    })
    const wanted = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([, operation]) => calls.includes(operation))
        .map(([method, { operationId, parameters = [], requestBody }]) => {
          const names = parameters.map((it) => (isRef(it) ? document.components.parameters[nameIn(it.$ref)] : it)?.name)
          const fields = [...names, ...(requestBody === undefined ? [] : ['the body'])]
          return [`op-${operationId}`, [method.toUpperCase(), path, ...fields.sort()].join(' ')]
        }),
    )
    expect(wanted.length).toBeGreaterThan(300)
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(wanted))
  })
})

test('the page of errors has an address for each error type and for each component that operations refer to', () => {
  const page = pages.get('/docs/api/errors') ?? ''
  const ids = [...page.matchAll(/ id="error-(\w+)"/g)].map(([, name]) => name)
  expect(new Set(ids).size).toBe(ids.length)
  const types = Object.keys(ERROR_STATUS)
  expect(ids).toEqual(expect.arrayContaining([...types, ...Object.keys(document.components.responses)]))
  expect(page).toContain('<a href="#error-Forbidden">403 Forbidden</a>')
})

describe('the samples', () => {
  const samples = [...pages.values()].flatMap(samplesOf)

  test('exist in every language for every call', () => {
    const has = new Set(samples.map(({ operation, language }) => `${operation} in ${language}`))
    const missing = calls.flatMap(({ operationId }) =>
      SAMPLE_LANGUAGES.filter((language) => language !== 'sdk' && !has.has(`${operationId} in ${language}`)).map(
        (language) => `${operationId} in ${language}`,
      ),
    )
    expect(missing).toEqual([])
    expect(samples.filter(({ language }) => language === 'sdk').length).toBeGreaterThan(280)
  })

  test('in TypeScript compile with the types of the SDK', async () => {
    // The folder is next to the SDK, so that the compiler finds the types of the SDK and of Node.
    const directory = join(ROOT, 'node_modules/.cache', `samples-${process.pid}`)
    await mkdir(directory, { recursive: true })
    onTestFinished(() => rm(directory, { recursive: true }))
    const typed = samples.filter(({ language }) => language === 'sdk' || language === 'fetch')
    await Promise.all(
      typed.map(({ operation, language, text }) =>
        writeFile(join(directory, `${operation}-${language}.ts`), `${text}\nexport {}\n`),
      ),
    )
    const options = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: { incremental: false },
      include: ['*.ts'],
      exclude: [],
    }
    await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(options))
    const compiler = join(ROOT, 'node_modules/.bin/tsc')
    const problems = await promisify(execFile)(compiler, ['-p', directory], {
      env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
      maxBuffer: 10_000_000,
    }).then(
      () => '',
      (error: Error & { readonly stdout: string }) => error.stdout + error.message,
    )
    expect(problems).toBe('')
  })
})
