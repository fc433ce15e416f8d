import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  SAMPLE_LANGUAGES,
  type SampleLanguage,
  type ShownSample,
  samplesOf,
  shownText,
} from '#test/reference-samples.ts'
import { demoService } from '../acceptance/demo-service.ts'
import { type Client, type Credentials, connect } from '../acceptance/person.ts'
import { processEnvironment } from '../acceptance/process-environment.ts'
import { temporaryDirectory } from '../acceptance/service.ts'

/**
 * "Copies code that runs": these tests run the samples of the reference as a reader copies them from the page. Tests
 * that need no other program are in contract/reference-pages.test.ts.
 */

type Demo = {
  readonly base_url: string
  readonly operator_keys: { readonly test: string }
  readonly apps: readonly { readonly keys: readonly Client[] }[]
  readonly people: Readonly<Record<'investor', Credentials & { readonly id: string }>>
  readonly ids: { readonly company: string }
}

const ROOT = join(import.meta.dirname, '../../..')
const run = promisify(execFile)

let demo: Demo
let samples: readonly ShownSample[]
const environment: Record<string, string> = {}

demoService<Demo>(async (made) => {
  demo = made
})

async function pageAt(path: string): Promise<string> {
  return (await fetch(demo.base_url + path)).text()
}

async function readSamples(): Promise<readonly ShownSample[]> {
  const start = await pageAt('/docs')
  const topics = new Set([...start.matchAll(/href="(\/docs\/api\/[a-z-]+)"/g)].map(([, path = '']) => path))
  return (await Promise.all([...topics].map(pageAt))).flatMap(samplesOf)
}

beforeAll(async () => {
  samples = await readSamples()
  const [client] = demo.apps[0]?.keys ?? []
  if (client === undefined) throw new Error('the demo has no key')
  const scopes = ['read:profile', 'write:profile', 'write:follows', 'read:investments']
  const { access_token } = await connect(demo.base_url, demo.people.investor, { client, scopes })
  Object.assign(environment, { user: access_token, operator: demo.operator_keys.test, secret: client.client_secret })
})

/** Runs a sample and returns its output. If the interpreter is missing, the test fails with the system's message. */
async function runSample(language: SampleLanguage, text: string, variables: Readonly<Record<string, string>>) {
  const directory = await temporaryDirectory()
  const [file, command, ...flags] = {
    curl: ['sample.sh', 'bash', '-eu'],
    sdk: ['sample.ts', process.execPath],
    fetch: ['sample.ts', process.execPath],
    python: ['sample.py', 'python3'],
    ruby: ['sample.rb', 'ruby'],
  }[language] as [string, string, ...string[]]
  await writeFile(join(directory, 'package.json'), '{"type": "module"}')
  await mkdir(join(directory, 'node_modules/@portico'), { recursive: true })
  await symlink(join(ROOT, 'sdk'), join(directory, 'node_modules/@portico/sdk'))
  await writeFile(
    join(directory, file),
    language === 'curl' ? text.replace('curl ', 'curl -sS --fail-with-body ') : text,
  )
  const { stdout } = await run(command, [...flags, join(directory, file)], {
    cwd: directory,
    env: { ...processEnvironment(), ...variables },
  })
  return stdout
}

/** The operations whose samples run, and the pattern that the output matches in every language. */
const TRIED: readonly (readonly [string, { readonly token?: 'user' | 'operator' }, () => RegExp])[] = [
  ['getCompany', {}, () => /Brightkiln/],
  ['searchCompanies', {}, () => new RegExp(demo.ids.company)],
  ['getAuthorizationServerMetadata', {}, () => /authorization_endpoint/],
  ['createToken', {}, () => /at_test_/],
  ['getCurrentUser', { token: 'user' }, () => new RegExp(demo.people.investor.id)],
  ['updateCurrentUser', { token: 'user' }, () => new RegExp(demo.people.investor.id)],
  ['followCompany', { token: 'user' }, () => new RegExp(demo.ids.company)],
  ['sandboxInvestmentCreate', { token: 'operator' }, () => /inv_[0-9A-Za-z]{24}/],
]

/** Calls the sample's function with each of CASES, and prints whether the function accepted it. */
const VERIFY_IN = {
  sdk: `
const outcomes = JSON.parse(process.env.CASES).map(({ header, body }) =>
  receive(body, new Headers({ 'Wefunder-Signature': header }), process.env.SECRET).then(() => true, () => false))
console.log(JSON.stringify(await Promise.all(outcomes)))
`,
  python: `
import json, os
print(json.dumps([is_genuine(os.environ["SECRET"], it["header"], it["body"].encode()) for it in json.loads(os.environ["CASES"])]))
`,
  ruby: `
require "json"
puts JSON.generate(JSON.parse(ENV["CASES"]).map { |it| genuine?(ENV["SECRET"], it["header"], it["body"]) })
`,
} as const

describe('the samples of the reference', () => {
  test.each(SAMPLE_LANGUAGES)('work in %s as a reader copies them', async (language) => {
    const tried = TRIED.map(async ([operation, { token }, printed]) => {
      const found = samples.find((it) => it.operation === operation && it.language === language)
      // The SDK has no method for operations without a credential, and gets tokens itself.
      if (found === undefined) return expect(`${operation} in ${language}`).toMatch(/^(createToken|getAuth\w+) in sdk$/)
      const output = await runSample(language, found.text, {
        PORTICO_TOKEN: environment[token ?? ''] ?? '',
        PORTICO_CLIENT_SECRET: environment['secret'] ?? '',
      })
      expect(output, operation).toMatch(printed())
    })
    await Promise.all(tried)
  })

  test.each([
    ['sdk', VERIFY_IN.sdk],
    ['python', VERIFY_IN.python],
    ['ruby', VERIFY_IN.ruby],
  ] as const)('verify a webhook in %s: they accept only a genuine signature', async (language, check) => {
    const page = await pageAt('/docs/api/conventions')
    const shownCode = new RegExp(`<pre [^>]*data-language="${language}"[^>]*><code>(.*?)</code></pre>`, 's')
    const text = shownText(shownCode.exec(page.slice(page.indexOf('id="webhooks"')))?.[1] ?? '')
    expect(text).not.toBe('')
    const secret = 'whsec_dGhpcyBpcyBhIHNlY3JldCBmb3IgdHJ5aW5nIGl0'
    const body = JSON.stringify({ id: 'evt_1', event: 'offering.opened', data: { name: 'Łódź' } })
    const now = Math.floor(Date.now() / 1_000)
    const headerAt = (t: number, key: string) =>
      `t=${t},v1=${createHmac('sha256', key).update(`${t}.${body}`).digest('hex')}`
    const cases = [
      { header: headerAt(now, secret), body, genuine: true },
      { header: headerAt(now, 'whsec_other'), body, genuine: false },
      { header: headerAt(now - 3_600, secret), body, genuine: false },
      { header: headerAt(now, secret), body: body.replace('opened', 'closed'), genuine: false },
      { header: '', body, genuine: false },
    ]
    const output = await runSample(language, text + check, { SECRET: secret, CASES: JSON.stringify(cases) })
    expect(JSON.parse(output.split('\n').findLast((line) => line.startsWith('[')) ?? '')).toEqual(
      cases.map(({ genuine }) => genuine),
    )
  })

  test('are valid in their language: bash, Python and Ruby parse them', async () => {
    const directory = await temporaryDirectory()
    const all = (language: SampleLanguage) => samples.filter((it) => it.language === language).map(({ text }) => text)
    await writeFile(join(directory, 'all.sh'), all('curl').join('\n'))
    await writeFile(join(directory, 'python.json'), JSON.stringify(all('python')))
    await writeFile(join(directory, 'ruby.json'), JSON.stringify(all('ruby')))
    const python = 'import json,sys\nfor text in json.load(open(sys.argv[1])): compile(text, text, "exec")'
    const ruby =
      'require "json"; JSON.parse(File.read(ARGV[0])).each { |text| RubyVM::InstructionSequence.compile(text) }'
    await run('bash', ['-n', join(directory, 'all.sh')])
    await run('python3', ['-c', python, join(directory, 'python.json')])
    const { stderr } = await run('ruby', ['-e', ruby, join(directory, 'ruby.json')])
    expect(stderr).toBe('')
  })
})
