import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../server/test/support/free-port.ts'
import { portico, projectFolder } from './support/portico.ts'
import { listeningAt } from './support/receiver.ts'

/** Each bad input causes an exit code and one sentence on stderr that says what to do, without a stack trace. */

const ADDRESS = { PORTICO_BASE_URL: 'http://127.0.0.1:1' }
const KEYS = { ...ADDRESS, PORTICO_CLIENT_ID: 'pk_test_x', PORTICO_CLIENT_SECRET: 'sk_test_x' }
const OPERATOR = { ...ADDRESS, PORTICO_OPERATOR_KEY: 'ok_test_x' }

type BadCommand = {
  readonly argv: readonly string[]
  readonly exit: number
  readonly sentence: string | RegExp
  readonly environment?: Readonly<Record<string, string>>
  /** The files in the folder of the command, by path. */
  readonly files?: Readonly<Record<string, string>>
}

const demoOf = (more: object) => ({
  '.portico/demo.json': JSON.stringify({
    base_url: 'http://127.0.0.1:1',
    operator_keys: {},
    people: {},
    ids: {},
    ...more,
  }),
})
const profilesOf = (text: string) => ({ '.config/portico/profiles.json': text })
const PROFILE = {
  ...{ base_url: 'http://127.0.0.1:1', token: 'portico_cli_x', email: 'ada@example.org', keys: {} },
  ...{ app: { id: 'app_x', name: 'Fieldbook CRM' }, expires_at: '2100-01-01T00:00:00Z' },
}
const syncTo = (place: string) => ['sync', '--to', place, '--token', 'x', '--base-url', 'http://127.0.0.1:1']

const CASES: readonly BadCommand[] = [
  { argv: ['listen', '--forward-too', 'x'], exit: 2, sentence: 'Did you mean --forward-to?' },
  { argv: ['listen', '--json=yes'], exit: 2, sentence: '--json takes no value. portico listen --help' },
  {
    argv: ['listen', '--forward-to', 'ftp://files/hook'],
    exit: 2,
    sentence: '"ftp://files/hook" is not an address. It',
  },
  { argv: ['listen', '--forward-to', 'http://'], exit: 2, sentence: 'is not an address. It looks like http://127' },
  { argv: ['listen', '--print', 'xml'], exit: 2, sentence: '--print is json, not "xml".' },
  { argv: ['listen', 'now'], exit: 2, sentence: 'does not take the word "now". Usage: portico listen' },
  { argv: ['events'], exit: 2, sentence: 'needs another word. It is one of: events list' },
  { argv: ['events', 'get', 'inv_1'], exit: 2, sentence: 'is not the id of an event.', environment: KEYS },
  { argv: ['events', 'list', '--limit', '0'], exit: 2, sentence: '--limit is a whole number from 1 to 100,000' },
  { argv: ['trigger', 'intent.approved'], exit: 2, sentence: /cannot cause intent\.approved\. \S/ },
  { argv: ['trigger', 'investment.craeted'], exit: 2, sentence: 'Did you mean investment.created?' },
  { argv: ['trigger', 'investment.created', '--count', '1e9'], exit: 2, sentence: '--count is a whole number' },
  { argv: ['completion', 'powershell'], exit: 2, sentence: 'It is one of: bash, zsh, fish.' },
  { argv: ['import', 'none.ndjson'], exit: 2, sentence: 'there is no such file. Name a file', environment: OPERATOR },
  { argv: ['sync', '--to', 'oracle:x'], exit: 3, sentence: 'You are not logged in. Run portico login' },
  {
    argv: ['whoami', '--base-url', 'api.example'],
    exit: 2,
    sentence: 'is not the address of a service.',
    environment: KEYS,
  },
  {
    argv: ['events', 'list', '--mode', 'live'],
    exit: 2,
    sentence: 'Add --mode test, or use a live key.',
    environment: KEYS,
  },
  { argv: ['events', 'list'], exit: 3, sentence: 'You are not logged in. Run portico login' },
  { argv: ['events', 'list', '--demo'], exit: 3, sentence: 'There is no demo in this folder: .portico/demo.json' },
  { argv: ['events', 'list', '--profile', 'work'], exit: 3, sentence: 'You are not logged in. Run portico login' },
  {
    argv: ['events', 'list', '--app', 'Other'],
    ...{ exit: 2, sentence: '--app chooses an app of the demo, or the app of portico login. Leave', environment: KEYS },
  },
  {
    argv: ['events', 'list', '--app', 'Other'],
    ...{ exit: 2, sentence: 'Run portico apps use "Other"', files: profilesOf(JSON.stringify({ default: PROFILE })) },
  },
  { argv: ['logout'], exit: 3, sentence: 'You are not logged in. Run portico login' },
  { argv: ['apps', 'list'], exit: 3, sentence: 'This command needs a login. Run portico login.', environment: KEYS },
  {
    argv: ['clock'],
    exit: 1,
    sentence: 'is not the file of a demo. Start the demo again',
    files: { '.portico/demo.json': '{' },
  },
  {
    argv: ['clock'],
    exit: 1,
    sentence: 'is not the file of a demo. Start the demo again',
    files: demoOf({ apps: [] }),
  },
  { argv: ['events', 'list'], exit: 1, sentence: 'profiles.json is damaged. Delete it', files: profilesOf('[1]') },
  { argv: ['config'], exit: 1, sentence: 'profiles.json is damaged. Delete it', files: profilesOf('{"default": 5}') },
  { argv: ['config'], exit: 1, sentence: 'profiles.json is damaged. Delete it', files: profilesOf('null') },
  {
    argv: ['config'],
    exit: 1,
    sentence: 'profiles.json cannot be read',
    files: { '.config/portico/profiles.json/x': '' },
  },
  {
    argv: ['listen', '--base-url', 'http://127.0.0.1:1'],
    ...{ exit: 1, sentence: 'cannot be stored in', files: { '.portico/listen': '' }, environment: KEYS },
  },
  { argv: syncTo('sqlite:a/x.db'), exit: 1, sentence: 'a/x.db cannot be opened: ', files: { a: '' } },
  { argv: syncTo('sqlite:a'), exit: 1, sentence: 'a cannot be opened: file is not a database', files: { a: 'a text' } },
  { argv: syncTo('ndjson:a'), exit: 1, sentence: 'a cannot be opened: ', files: { a: '' } },
  { argv: syncTo('postgres://%'), exit: 2, sentence: 'in PostgreSQL cannot be opened: ' },
  {
    argv: syncTo('postgres://nobody@127.0.0.1:1/none'),
    exit: 5,
    sentence: 'opened: connection refused. Write sqlite:',
  },
]

async function folderWith(files: BadCommand['files'] = {}): Promise<string> {
  const directory = await projectFolder()
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(directory, path, '..'), { recursive: true })
    await writeFile(join(directory, path), text)
  }
  return directory
}

async function expectRejected({ argv, exit, sentence, environment = {}, files = {} }: BadCommand) {
  const options = { directory: await folderWith(files), environment }
  const { code, stdout, stderr } = await portico(argv, options)
  expect([code, stdout]).toEqual([exit, ''])
  expect(stderr).toMatch(sentence)
  expect(stderr.match(/^error: /gm)).toHaveLength(1)
  expect(stderr).not.toMatch(/^ +at |Something unexpected/m)
  return stderr
}

test.each(CASES.map((badCommand) => [badCommand.argv.join(' '), badCommand.exit, badCommand] as const))(
  'portico %s ends with exit code %i and one sentence that says what to do',
  async (_, __, badCommand) => {
    await expectRejected(badCommand)
  },
)

test('apps use says where to create an app, if the person has none', async () => {
  const answer = JSON.stringify({ data: [], meta: { has_more: false, page_count: 0, next_cursor: null } })
  const url = await listeningAt(
    createServer((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(answer)),
  )
  await expectRejected({
    ...{ argv: ['apps', 'use', 'Mine'], exit: 4 },
    sentence: `You have no app "Mine". Create your first app at ${url}/developers.`,
    files: profilesOf(JSON.stringify({ default: { ...PROFILE, base_url: url, app: null } })),
  })
})

test('--debug adds a stack trace to the error of a wrong option, a missing login or a wrong command', async () => {
  const directory = await projectFolder()
  for (const argv of [['listen', '--nonsense'], ['events', 'list'], ['nonsense']]) {
    const { stderr } = await portico([...argv, '--debug'], { directory })
    expect(stderr).toMatch(/^error: .*\n(.*\n)* +at /)
  }
})

describe('an address without a Portico service', () => {
  test('if the connection is refused, login opens no browser', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const sentence = `error: Nothing answers at ${url} (connection refused). Check --base-url and the network.`
    const shown = await expectRejected({ argv: ['login', '--base-url', url], exit: 5, sentence })
    expect(shown).not.toContain('browser')
  })

  test('if the response is a web page, the commands ask whether the address is that of the service', async () => {
    const url = await listeningAt(
      createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')),
    )
    for (const argv of [['login'], ['events', 'list'], ['listen'], ['trigger', 'investment.created']]) {
      const sentence = `error: ${url} answered with a web page. Is this the address of the service?`
      await expectRejected({ argv: [...argv, '--base-url', url], exit: 1, sentence, environment: KEYS })
    }
  })
})
