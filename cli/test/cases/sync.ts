import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type FlakyProxy, flakyProxy } from '../../../sdk/test/flaky-proxy.ts'
import { emptyDatabase } from '../../../server/test/support/database.ts'
import type { DemoFile } from '../../src/connection/demo-file.ts'
import { asServer } from '../support/endpoints.ts'
import { type How, portico, projectFolder, startPortico } from '../support/portico.ts'

export function syncCases(demo: () => DemoFile): void {
  const newProject = async (): Promise<How> => ({ directory: await projectFolder(demo()) })
  /** The installation that `portico trigger` uses. Other tests may create and revoke other installations of the shared demo. */
  let found: Promise<string> | undefined
  const installationOf = async () => {
    const how = await newProject()
    await portico(['trigger', 'investment.created'], how)
    const { stdout } = await portico(
      ['events', 'list', '--events', 'investment.created', '--limit', '1', '--json'],
      how,
    )
    return String(JSON.parse(stdout).data[0].attributes.installation_id)
  }
  let installation: string
  beforeEach(async () => {
    found ??= installationOf()
    installation = await found
  })

  test.each([
    ['SQLite', async () => 'sqlite:copy/investments.db'],
    ['a folder', async () => 'ndjson:copy'],
    ['PostgreSQL', () => emptyDatabase()],
  ])('sync into %s lists, then stores the changes, and verify-sync finds no difference', async (_, place) => {
    const how = await newProject()
    const argv = ['--to', await place(), '--installation', installation]
    const first = await portico(['sync', ...argv], how)
    expect([first.code, first.stdout]).toEqual([0, expect.stringMatching(/^Listed [1-9]\d* investments? into /)])
    await portico(['trigger', 'investment.created'], how)
    const changed = async () => JSON.parse((await portico(['sync', ...argv, '--json'], how)).stdout)
    await expect.poll(changed).toMatchObject({ listed: false, stored: expect.any(Number) })
    const verified = await portico(['verify-sync', ...argv], how)
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringMatching(/^Equal: .* listing of [1-9]\d* inv/)])
    expect(`${first.stdout}${first.stderr}`).not.toMatch(/:[^/@\s]+@/)
  })

  test('verify-sync ends with exit code 6 and lists the records of a copy that were changed by hand', async () => {
    const how = await newProject()
    const argv = ['--to', 'sqlite:own.db', '--installation', installation]
    await portico(['sync', ...argv], how)
    const database = new DatabaseSync(join(how.directory, 'own.db'))
    const ids = database.prepare('select id from portico_investments order by id limit 2').all()
    const [removed, changed] = ids.map((row) => String(row['id']))
    database.prepare('delete from portico_investments where id = ?').run(removed ?? '')
    database
      .prepare(`update portico_investments set record = json_set(record, '$.status', 'sold') where id = ?`)
      .run(changed ?? '')
    database
      .prepare(`insert into portico_investments select 'inv_surplus', status, company, offering, investor,
      committed_cents, currency, observed_at, json_set(record, '$.id', 'inv_surplus'), listing from portico_investments limit 1`)
      .run()
    database.close()
    const { code, stdout } = await portico(['verify-sync', ...argv, '--json'], how)
    expect(code).toBe(6)
    const different = changed === undefined ? [] : [changed]
    expect(JSON.parse(stdout)).toMatchObject({ equal: false, missing: [removed], surplus: ['inv_surplus'], different })
  })

  test('after kill -9 during --watch, the next run continues without a new listing', async () => {
    const how = await newProject()
    const argv = ['sync', '--to', 'ndjson:copy', '--installation', installation]
    const watching = startPortico([...argv, '--watch'], how)
    await expect.poll(() => watching.stdout()).toContain('Listed')
    const second = await portico(argv, how)
    expect([second.code, second.stderr]).toEqual([
      1,
      expect.stringMatching(/\nerror: The process \d+ has this copy open/),
    ])
    watching.child.kill('SIGKILL')
    await watching.ended
    const again = await portico([...argv, '--json'], how)
    expect([again.code, JSON.parse(again.stdout).listed]).toEqual([0, false])
    const lines = (await readFile(join(how.directory, 'copy/investments.ndjson'), 'utf8')).trim().split('\n')
    expect(lines.length).toBeGreaterThan(0)
  })

  /** Creates a project behind a proxy that fails on request, and a token, so that the first request reads the first page. */
  const newProxyProject = async (): Promise<{ proxy: FlakyProxy; how: How; token: string }> => {
    const proxy = await flakyProxy(demo().base_url)
    onTestFinished(() => proxy.close())
    const { token } = await asServer(demo())('POST', `/installations/${installation}/tokens`, {})
    const directory = await projectFolder({ ...demo(), base_url: proxy.url })
    return { proxy, how: { directory }, token: token.access_token }
  }

  test('after kill -9 during the first listing, the next run continues after the stored pages', async () => {
    const { proxy, how, token } = await newProxyProject()
    const argv = ['--to', 'sqlite:copy.db', '--token', token]
    proxy.faults.push('none', 'hang')
    const first = startPortico(['sync', ...argv], how)
    // The second page is requested after the first one is stored.
    await expect.poll(() => proxy.requests.length).toBe(2)
    first.child.kill('SIGKILL')
    await first.ended
    const again = await portico(['sync', ...argv, '--json'], how)
    expect([again.code, JSON.parse(again.stdout).listed]).toEqual([0, true])
    const pages = proxy.requests.map(({ url }) => new URL(url ?? '', proxy.url).searchParams)
    expect(pages.map((page) => page.has('cursor'))).toEqual([false, true, ...pages.slice(2).map(() => true)])
    expect(new Set(pages.map((page) => page.get('per_page')))).toEqual(new Set(['100']))
    expect(await portico(['verify-sync', ...argv], how)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Equal: the copy and a new listing of \d{3,} investments/),
    })
  })

  test.each([['sync'], ['verify-sync']])(
    '%s names the hourly limit and the time at which it continues, and Ctrl-C ends it at once',
    async (command) => {
      const { proxy, how, token } = await newProxyProject()
      const details = { limit: 1_000, period: 3_600, retry_after: 2_700 }
      proxy.faults.push('none', { status: 429, body: { error: { type: 'rate_limit_exceeded', details } } })
      const running = startPortico([command, '--to', 'sqlite:copy.db', '--token', token], how)
      const waiting =
        /^The limit of 1,000 requests an hour is used up\. Continuing at \d\d:\d\d:\d\d, in 4\d minutes\.$/m
      await expect.poll(() => running.stderr()).toMatch(waiting)
      running.child.kill('SIGINT')
      expect(await running.ended).toMatchObject({ code: 130, stdout: '' })
    },
  )

  test('verify-sync without --to compares its own copy in memory', async () => {
    const { code, stdout, stderr } = await portico(
      ['verify-sync', '--seconds', '1', '--installation', installation],
      await newProject(),
    )
    expect([code, stdout]).toEqual([0, expect.stringContaining('Equal: ')])
    expect(stderr).toContain('Applying changes for 1 second.')
  })

  test.each([
    [['sync'], 2, 'Add --to sqlite:investments.db'],
    [['sync', '--to', 'oracle:x'], 2, 'Write sqlite:FILE, ndjson:FOLDER or postgres://'],
    [['sync', '--to', 'sqlite:x.db', '--token', 'a', '--installation', 'b'], 2, 'not both'],
    [['sync', '--to', 'postgres://nobody@127.0.0.1:1/none'], 5, 'cannot be opened'],
    [['sync', '--to', 'sqlite:x.db', '--token', 'at_test_wrong'], 3, 'error:'],
    [['verify-sync', '--seconds', 'many'], 2, '--seconds is a whole number'],
    [['verify-sync', '--seconds', '1', '--to', 'sqlite:x.db'], 2, 'not both'],
  ])('%j ends with exit code %i and one sentence that says what to do', async (argv, exit, sentence) => {
    const argvOfCase = argv.includes('--token') || argv.length === 1 ? argv : [...argv, '--installation', installation]
    const { code, stdout, stderr } = await portico(argvOfCase, await newProject())
    expect([code, stdout]).toEqual([exit, ''])
    expect(stderr).toContain(sentence)
    expect(stderr).not.toMatch(/\n\s+at /)
  })
}
