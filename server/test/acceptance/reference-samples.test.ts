import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sharedDemoService } from './demo-service.ts'
import { type Client, type Credentials, connect } from './person.ts'
import { processEnvironment } from './process-environment.ts'
import { temporaryDirectory } from './service.ts'

/** "Copies code that runs": the samples of the reference, as a reader copies them from the page. */

type Demo = {
  readonly base_url: string
  readonly operator_keys: { readonly test: string }
  readonly apps: readonly { readonly keys: readonly Client[] }[]
  readonly people: Readonly<Record<'investor', Credentials & { readonly id: string }>>
  readonly ids: { readonly company: string }
}
type Sample = { readonly operation: string; readonly language: string; readonly text: string }
type Language = 'curl' | 'sdk' | 'fetch' | 'python' | 'ruby'

const ROOT = join(import.meta.dirname, '../../..')
const LANGUAGES: readonly Language[] = ['curl', 'sdk', 'fetch', 'python', 'ruby']
const run = promisify(execFile)

let demo: Demo
let samples: readonly Sample[]
const environment: Record<string, string> = {}

sharedDemoService<Demo>(async (made) => {
  demo = made
})

async function pageAt(path: string): Promise<string> {
  return (await fetch(demo.base_url + path)).text()
}

/** As a browser shows it. */
function shown(markup: string): string {
  const text = markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

async function readSamples(): Promise<readonly Sample[]> {
  const start = await pageAt('/docs')
  const topics = new Set([...start.matchAll(/href="(\/docs\/api\/[a-z-]+)"/g)].map(([, path = '']) => path))
  const pages = await Promise.all([...topics].map(pageAt))
  return pages.flatMap((page) =>
    page.split('<section class="operation" id="op-').flatMap((section, at) => {
      const operation = at === 0 ? '' : (/^\w+/.exec(section)?.[0] ?? '')
      return [...section.matchAll(/<pre [^>]*data-language="(\w+)"[^>]*><code>(.*?)<\/code><\/pre>/gs)].map(
        ([, language = '', text = '']) => ({ operation, language, text: shown(text) }),
      )
    }),
  )
}

beforeAll(async () => {
  samples = await readSamples()
  const [client] = demo.apps[0]?.keys ?? []
  if (client === undefined) throw new Error('the demo has no key')
  const scopes = ['read:profile', 'write:profile', 'write:follows', 'read:investments']
  const { access_token } = await connect(demo.base_url, demo.people.investor, { client, scopes })
  Object.assign(environment, { user: access_token, operator: demo.operator_keys.test, secret: client.client_secret })
})

/** How a sample of a language is run. A missing interpreter fails the test with the system's own message. */
async function runSample(language: Language, text: string, variables: Readonly<Record<string, string>>) {
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

/** What each sample prints, whatever its language. */
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

/** Calls what the sample defines for each of CASES, and prints whether it accepted them. */
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
  test('there is one in every language for every call that a program makes', async () => {
    const document = (await (await fetch(`${demo.base_url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId: string; security: Record<string, unknown>[] }>>
    }
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
    const isPage = (names: readonly string[]) => names.includes('signedInBrowser') && !names.includes('commandLine')
    const calls = operations.filter(({ security }) => !isPage(security.flatMap((scheme) => Object.keys(scheme))))
    expect(calls.length).toBeGreaterThan(300)
    const missing = calls.flatMap(({ operationId }) =>
      LANGUAGES.filter(
        (language) =>
          language !== 'sdk' && !samples.some((it) => it.operation === operationId && it.language === language),
      ).map((language) => `${operationId} in ${language}`),
    )
    expect(missing).toEqual([])
    expect(samples.filter(({ language }) => language === 'sdk').length).toBeGreaterThan(280)
  })

  test.each(LANGUAGES)('those in %s work as they are copied', async (language) => {
    const tried = TRIED.map(async ([operation, { token }, printed]) => {
      const found = samples.find((it) => it.operation === operation && it.language === language)
      // The SDK has no method for what needs no credential, and takes tokens itself.
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
  ] as const)(
    'the one in %s that verifies a webhook accepts a genuine signature and no other',
    async (language, check) => {
      const page = await pageAt('/docs/api/conventions')
      const shownCode = new RegExp(`<pre [^>]*data-language="${language}"[^>]*><code>(.*?)</code></pre>`, 's')
      const text = shown(shownCode.exec(page.slice(page.indexOf('id="webhooks"')))?.[1] ?? '')
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
    },
  )

  test('all of them are of the language they say: bash, Python and Ruby read them', async () => {
    const directory = await temporaryDirectory()
    const all = (language: Language) => samples.filter((it) => it.language === language).map(({ text }) => text)
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

  test('the compiler accepts those in TypeScript with the types of the SDK', async () => {
    // Beside the SDK, so that its types and those of Node are found.
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
    const outcome = await run(compiler, ['-p', directory], {
      env: { ...processEnvironment(), PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
      maxBuffer: 10_000_000,
    }).catch(({ stdout }: { stdout: string }) => ({ stdout }))
    expect(outcome.stdout).toBe('')
  })
})
