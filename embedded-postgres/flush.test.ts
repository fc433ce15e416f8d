import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { layoutOf } from './layout.ts'
import { connectionUrlOfRunning } from './running.ts'
import { bootId } from './server-process.ts'
import { newHome, publicBinaries, query, scratchDirectory, start, usedHome } from './testing/scratch.ts'

/** The real PostgreSQL, whose `initdb --sync-only` runs this instead. */
async function withSyncOnly(script: string) {
  const directory = join(await scratchDirectory(), 'native')
  const { directory: real } = await publicBinaries()
  await mkdir(join(directory, 'bin'), { recursive: true })
  for (const program of ['postgres', 'initdb']) {
    const body = `#!/bin/sh\n[ "$1" != --sync-only ] || { ${script}; }\nexec "${join(real, 'bin', program)}" "$@"\n`
    await writeFile(join(directory, 'bin', program), body, { mode: 0o755 })
  }
  return { directory }
}

describe('the files of a new cluster', () => {
  test('are flushed to disk while its server runs, and a marker file exists until then', async () => {
    const home = await newHome()
    const { unflushed } = layoutOf(home)
    const gate = join(await scratchDirectory(), 'gate')
    const binaries = await withSyncOnly(`while [ ! -e "${gate}" ]; do sleep 0.05; done`)
    const server = await start(home, { durable: true, binaries })
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect((await readFile(unflushed, 'utf8')).trim()).toBe(bootId())
    // A command during the first start would acknowledge data that a power cut can still lose.
    const beside = { dataDirectory: home, database: 'app', patienceMs: 300 }
    await expect(connectionUrlOfRunning(beside)).rejects.toThrow('does not answer after 300 ms')
    await writeFile(gate, '')
    await server.flushed
    expect(await readdir(home)).not.toContain('unflushed')
    expect(await connectionUrlOfRunning(beside)).toBe(server.url)
  })

  test('are written by the next start if the first was killed before', async () => {
    const home = await usedHome()
    const { unflushed } = layoutOf(home)
    await writeFile(unflushed, `${bootId()}\n`)
    const server = await start(home, { durable: true })
    expect(server.isNew).toBe(false)
    await server.flushed
    expect(await readdir(home)).not.toContain('unflushed')
  })

  test('are created again if the machine crashed before: nothing in them was acknowledged', async () => {
    const home = await usedHome()
    const first = await start(home)
    await query(first.url, 'create table unacknowledged as select 1 as one')
    await first.stop()
    await writeFile(layoutOf(home).unflushed, '11111111-2222-3333-4444-555555555555\n')
    const second = await start(home, { durable: true })
    expect(second.isNew).toBe(true)
    expect(second.said.join()).toContain('creating it again')
    expect(await query(second.url, `select to_regclass('unacknowledged') as gone`)).toEqual([{ gone: null }])
    await second.flushed
    expect(await readdir(home)).not.toContain('unflushed')
  })

  test('that cannot be written: the start that waits for them fails, with what PostgreSQL said', async () => {
    const binaries = await withSyncOnly(
      'echo "initdb: error: could not fsync file: No space left on device" >&2; exit 1',
    )
    const home = await newHome()
    const server = await start(home, { durable: true, binaries })
    await expect(server.flushed).rejects.toThrow('could not fsync file')
    expect(await readdir(home)).toContain('unflushed')
  })

  test('of a cluster that may be lost are not written at all', async () => {
    const home = await newHome()
    const server = await start(home)
    await server.flushed
    expect(await readdir(home)).not.toContain('unflushed')
  })
})
