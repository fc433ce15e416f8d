import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../../server/test/support/free-port.ts'
import type { DemoFile } from '../../src/connection/demo-file.ts'
import { type How, portico, projectFolder, startPortico } from '../support/portico.ts'
import { proxyTo } from '../support/proxy.ts'
import { onTerminal } from '../support/terminal.ts'

type Fact = { readonly id: string; readonly type: string; readonly occurred_at: string; readonly data: object }

function person(): Fact {
  const id = randomBytes(12).toString('hex')
  const data = { id: `usr_${id}`, name: 'Ada Imported', email: `${id}@example.com` }
  return { id: `import-${id}`, type: 'user.registered', occurred_at: '2026-01-15T12:00:00Z', data }
}
const people = (count: number) => Array.from({ length: count }, person)
const unknownCompany = (): Fact => ({
  ...person(),
  type: 'company.updated',
  data: { id: `co_${'0'.repeat(24)}`, name: 'X' },
})
const linesOf = (facts: readonly unknown[]) =>
  facts.map((fact) => (typeof fact === 'string' ? fact : JSON.stringify(fact)))

/** For tests that run several processes one after the other, on a machine that runs other tests at the same time. */
const LONG = { timeout: 180_000 }

const golden = (name: string) => `./golden/${name}.txt`
const REDRAWN = '\r\u001b[K'
/** Removes progress lines and replaces times, because these differ from run to run. */
const steady = (text: string) =>
  text
    .split(REDRAWN)
    .filter((piece) => !/^\[[#.]+\] [^\n]*$/.test(piece))
    .join('')
    .replaceAll(/in \d+\.\d s/g, 'in 0.0 s')
    .replaceAll(/^\d+ % .*\n/gm, '')

export function importCases(demo: () => DemoFile): void {
  const projectWith = async (facts: readonly unknown[], ending = '\n') => {
    const directory = await projectFolder(demo())
    const file = join(directory, 'facts.ndjson')
    await writeFile(file, linesOf(facts).join(ending))
    return { directory, file }
  }
  const isApplied = async ({ id }: Fact, mode: 'test' | 'live' = 'test') => {
    const headers = { authorization: `Bearer ${demo().operator_keys[mode]}` }
    const { status } = await fetch(`${demo().base_url}/platform/facts/${id}`, { headers })
    return status === 200
  }
  const importFacts = async (how: How, ...argv: string[]) => {
    const { code, stdout } = await portico(['import', 'facts.ndjson', '--json', ...argv], how)
    return { code, ...JSON.parse(stdout) }
  }

  /** Checks that every fact was applied: another import of the same lines applies none. */
  const expectAllApplied = async (how: How, count: number) =>
    expect(await importFacts(how)).toMatchObject({ applied: 0, duplicate: count, continued_after: 0 })

  test('sends every line and reports the refused lines in order, in a pipe and on a terminal', async () => {
    const how = await projectWith([person(), 'not json', person(), unknownCompany(), unknownCompany(), { id: 'x' }])
    const piped = await portico(['import', 'facts.ndjson'], how)
    const shown = `exit code ${piped.code}\n${steady(piped.stdout)}---\n${steady(piped.stderr)}`
    await expect(shown).toMatchFileSnapshot(golden('pipe-import'))
    const secondRun = await onTerminal(['import', 'facts.ndjson'], how)
    await expect(`exit code ${secondRun.code}\n${steady(secondRun.shown)}`).toMatchFileSnapshot(
      golden('terminal-import'),
    )
    const refused = (await readFile(join(how.directory, 'facts.ndjson.test.refused.ndjson'), 'utf8')).trim().split('\n')
    expect(refused.map((line) => JSON.parse(line))).toMatchObject([
      { line: 2, text: 'not json', error: { type: 'invalid_fact', code: 'not_json' } },
      { line: 4, error: { type: 'unknown_reference' } },
      { line: 5, error: { type: 'unknown_reference' } },
      { line: 6, text: '{"id":"x"}', error: { type: 'invalid_fact' } },
    ])
    expect((await stat(join(how.directory, 'facts.ndjson.test.refused.ndjson'))).mode & 0o777).toBe(0o600)
  })

  test('--json prints the counts, and each world has its own facts', async () => {
    const facts = people(3)
    const how = await projectWith(facts)
    const counts = { continued_after: 0, lines: 3, applied: 3, duplicate: 0, refused: 0, finished: true }
    const rest = { code: 0, file: 'facts.ndjson', refused_file: null, reasons: [] }
    expect(await importFacts(how)).toEqual({ ...counts, ...rest, mode: 'test' })
    expect(await importFacts(how)).toMatchObject({ applied: 0, duplicate: 3 })
    expect(await importFacts(how, '--mode', 'live')).toEqual({ ...counts, ...rest, mode: 'live' })
    expect(await Promise.all(facts.map((fact) => isApplied(fact, 'live')))).toEqual([true, true, true])
    expect((await readdir(how.directory)).filter((name) => name.startsWith('facts'))).toEqual(['facts.ndjson'])
  })

  test.each([
    ['no newline at the end', '\n', []],
    ['Windows line endings', '\r\n', ['']],
    ['empty lines between the facts', '\n\n', ['']],
  ])('reads a file with %s', async (_, ending, last) => {
    expect(await importFacts(await projectWith([...people(3), ...last], ending))).toMatchObject({ code: 0, applied: 3 })
  })

  test('refuses lines that are too long, not UTF-8 or nested too deeply, and accepts a byte order mark', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000)
    const how = await projectWith([`\ufeff${JSON.stringify(person())}`, 'x'.repeat(1_048_577), deep, person()])
    const bytes = Buffer.concat([await readFile(how.file), Buffer.from([0x0a, 0x22, 0xff, 0x22])])
    await writeFile(how.file, bytes)
    expect(await importFacts(how)).toMatchObject({ code: 1, applied: 2, refused: 3, finished: true })
  })

  test('counts a line once, even if several runs refuse it', async () => {
    const how = await projectWith(['broken \u2028 \u2029 line', person()])
    for (let run = 0; run < 2; run++) expect(await importFacts(how)).toMatchObject({ code: 1, refused: 1 })
    expect(await importFacts(how)).toMatchObject({ reasons: [{ code: 'not_json', lines: 1, first_line: 1 }] })
  })

  test('after kill -9, later runs apply every fact exactly once', LONG, async () => {
    const facts = people(1_300)
    const refusedAt = [100, 700, 1_200]
    const lines: unknown[] = [...facts]
    for (const at of refusedAt) lines[at] = 'broken'
    const how = await projectWith(lines)
    const proxy = await proxyTo(demo().base_url)
    // The first process is killed before it gets its first response, the second process before it gets its second
    // response.
    for (const [batch, fact] of [facts[3], facts[520]].entries()) {
      proxy.withhold(batch)
      const running = startPortico(['import', 'facts.ndjson', '--base-url', proxy.url], how)
      await expect.poll(() => isApplied(fact as Fact)).toBe(true)
      running.child.kill('SIGKILL')
      expect((await running.ended).code).toBe('SIGKILL')
    }
    proxy.release()
    const result = await importFacts(how, '--base-url', proxy.url)
    expect(result).toMatchObject({ code: 1, refused: 3, lines: 1_300, finished: true, reasons: [{ lines: 3 }] })
    expect(result.continued_after).toBeGreaterThan(0)
    expect(result.applied + result.duplicate).toBe(1_297)
    const refused = (await readFile(`${how.file}.test.refused.ndjson`, 'utf8')).trim().split('\n')
    expect(refused.map((line) => JSON.parse(line).line)).toEqual(refusedAt.map((at) => at + 1))
    expect((await readdir(how.directory)).filter((name) => /progress|lock|new/.test(name))).toEqual([])
    await expectAllApplied(how, 1_297)
  })

  test('if the connection breaks, the lines are sent again and each fact is applied once', async () => {
    const facts = people(700)
    const how = await projectWith(facts)
    const proxy = await proxyTo(demo().base_url)
    proxy.withhold(0)
    const running = startPortico(['import', 'facts.ndjson', '--json', '--base-url', proxy.url], how)
    await expect.poll(() => isApplied(facts[30] as Fact)).toBe(true)
    proxy.release()
    proxy.breakAll()
    const { code, stdout, stderr } = await running.ended
    const { applied, duplicate, refused } = JSON.parse(stdout)
    expect([code, applied + duplicate, refused]).toEqual([0, 700, 0])
    expect(stderr).toMatch(/trying again in \d+ s/)
    await expectAllApplied(how, 700)
  })

  test('Ctrl-C ends with exit code 130, and the next run continues after the last answered line', LONG, async () => {
    const facts = people(1_300)
    const how = await projectWith(facts)
    const proxy = await proxyTo(demo().base_url)
    proxy.withhold(1)
    const running = startPortico(['import', 'facts.ndjson', '--base-url', proxy.url], how)
    await expect.poll(() => isApplied(facts[520] as Fact)).toBe(true)
    running.child.kill('SIGINT')
    const { code, stderr } = await running.ended
    expect([code, stderr]).toEqual([130, expect.stringContaining('Stopped after line 500. The same command continues')])
    proxy.release()
    const rest = await importFacts(how, '--base-url', proxy.url)
    expect(rest).toMatchObject({ code: 0, lines: 1_300, continued_after: 500 })
    await expectAllApplied(how, 1_300)
  })

  test('begins at line 1 if the progress belongs to another content or service, and names a damaged progress file', async () => {
    const facts = people(3)
    const how = await projectWith(facts)
    const progress = `${how.file}.test.progress.json`
    const store = async (change: object) => {
      const place = { service: demo().base_url, fingerprint: 'another', lines: 2, bytes: 100 }
      await writeFile(progress, JSON.stringify({ ...place, applied: 2, duplicate: 0, refused: 0, ...change }))
    }
    await store({})
    expect(await importFacts(how)).toMatchObject({ continued_after: 0, applied: 3 })
    await utimes(how.file, new Date(), new Date(Date.now() + 5_000))
    await store({ service: 'https://elsewhere.example' })
    expect(await importFacts(how)).toMatchObject({ continued_after: 0, duplicate: 3 })
    await writeFile(progress, '{')
    const { code, stderr } = await portico(['import', 'facts.ndjson'], how)
    const deleteProgress = /progress\.json is damaged.*Delete \S*facts\.ndjson\.test\.progress\.json:/
    expect([code, stderr]).toEqual([1, expect.stringMatching(deleteProgress)])
  })

  test('rejects a second import of the same file at the same time', async () => {
    const facts = people(1_000)
    const how = await projectWith(facts)
    const proxy = await proxyTo(demo().base_url)
    proxy.withhold(0)
    const running = startPortico(['import', 'facts.ndjson', '--base-url', proxy.url], how)
    await expect.poll(() => isApplied(facts[0] as Fact)).toBe(true)
    const second = await portico(['import', 'facts.ndjson'], how)
    expect([second.code, second.stderr]).toEqual([
      1,
      expect.stringContaining('portico import already sends facts.ndjson'),
    ])
    running.child.kill('SIGKILL')
    await running.ended
  })

  describe('with bad input', () => {
    const expectRejected = async (how: How, argv: readonly string[], exit: number, sentence: string | RegExp) => {
      const { code, stdout, stderr } = await portico(['import', ...argv], how)
      expect([code, stdout]).toEqual([exit, ''])
      expect(stderr).toMatch(sentence)
      expect(stderr).not.toMatch(/\n\s+at /)
    }

    test('prints one sentence with the remedy for a missing file, a folder, no file and two files', async () => {
      const how = await projectWith(people(1))
      await expectRejected(how, ['none.ndjson'], 2, 'none.ndjson cannot be read: there is no such file')
      await expectRejected(how, ['.portico'], 2, '.portico cannot be read: it is a folder')
      await expectRejected(how, [], 2, 'portico import needs FILE')
      await expectRejected(how, ['facts.ndjson', 'more.ndjson'], 2, 'does not take the word "more.ndjson"')
    })

    test('completes the import of an empty file at once', async () => {
      const how = await projectWith([])
      await truncate(how.file)
      expect(await importFacts(how)).toMatchObject({ code: 0, lines: 0, finished: true })
    })

    test('applies nothing and prints the remedy for a wrong key, a key of the other world, an app’s key and no key', async () => {
      const facts = people(1)
      const how = await projectWith(facts)
      const withEnvironment = (environment: Record<string, string>) => ({ ...how, environment })
      await expectRejected(
        withEnvironment({ PORTICO_OPERATOR_KEY: 'ok_test_wrong' }),
        ['facts.ndjson'],
        3,
        /^error: The access token is invalid.* PORTICO_OPERATOR_KEY/m,
      )
      const live = { PORTICO_OPERATOR_KEY: demo().operator_keys.live }
      await expectRejected(withEnvironment(live), ['facts.ndjson'], 2, 'is a live key, and this command acts in test')
      const app = { PORTICO_CLIENT_ID: 'pk_test_x', PORTICO_CLIENT_SECRET: 'x' }
      await expectRejected(withEnvironment(app), ['facts.ndjson'], 3, 'This command needs the operator’s key')
      await expectRejected({ directory: await projectFolder() }, [how.file], 3, 'You are not logged in')
      expect(await isApplied(facts[0] as Fact)).toBe(false)
    })

    test('keeps trying while the service does not run, and prints that nothing answers', async () => {
      const how = await projectWith(people(1))
      const url = `http://127.0.0.1:${await freePort()}`
      const running = startPortico(['import', 'facts.ndjson', '--base-url', url], how)
      await expect.poll(() => running.stderr()).toMatch(/No answer from http\S+ \(connection refused\)/)
      running.child.kill('SIGTERM')
      expect((await running.ended).code).toBe(130)
    })
  })
}
