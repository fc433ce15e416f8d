import { chmod, chown, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Binaries } from './binaries.ts'
import { layoutOf } from './layout.ts'
import {
  afterThisTest,
  newHome,
  ordinaryDirectory,
  ordinaryUser,
  publicBinaries,
  query,
  scratchDirectory,
  start,
  until,
  untilEnded,
  usedHome,
} from './testing/scratch.ts'
import { startInChild } from './testing/start-in-child.ts'

/** The real postgres, with a script in place of initdb. In the script, PGDATA is the directory to create. */
async function withInitdb(script: string): Promise<Binaries> {
  const directory = join(await scratchDirectory(), 'native')
  const { directory: real } = await publicBinaries()
  await mkdir(join(directory, 'bin'), { recursive: true })
  await symlink(join(real, 'bin', 'postgres'), join(directory, 'bin', 'postgres'))
  const body = `#!/bin/sh\nPGDATA="\${1#--pgdata=}"\n${script}\n`
  await writeFile(join(directory, 'bin', 'initdb'), body, { mode: 0o755 })
  await chmod(join(directory, 'bin', 'initdb'), 0o755)
  return { directory }
}

describe('a data directory that cannot be used', () => {
  test('its path is a file: the message names the path and the remedy', async () => {
    const home = await newHome()
    await writeFile(home, 'not a directory')
    const attempt = start(home)
    await expect(attempt).rejects.toMatchObject({ name: 'EmbeddedPostgresError' })
    await expect(attempt).rejects.toThrow(`Cannot use the data directory ${home}: EEXIST`)
    await expect(attempt).rejects.toThrow('Move away the file')
  })

  test('the user may not write there: the message names the directory, EACCES and DATABASE_URL', async () => {
    const parent = await ordinaryDirectory()
    await chmod(parent, 0o555)
    const home = join(parent, 'data')
    const becomeUser = await ordinaryUser()
    const options = { dataDirectory: home, database: 'app', binaries: await publicBinaries() }
    const { report } = await startInChild({ options, ...(becomeUser && { becomeUser }) })
    expect(report).toMatchObject({ started: false, name: 'EmbeddedPostgresError' })
    for (const part of [`the data directory ${home}: EACCES`, 'the right to write there', 'DATABASE_URL']) {
      expect(report).toHaveProperty('message', expect.stringContaining(part))
    }
  })

  test('the disk is full: the message quotes initdb and names the remedy, and no partial files stay', async () => {
    const home = await newHome()
    const noSpace = 'initdb: error: could not write file "base/1/1247": No space left on device'
    const binaries = await withInitdb(`mkdir "$PGDATA"; echo 18 >"$PGDATA/PG_VERSION"; echo '${noSpace}' >&2; exit 1`)
    const attempt = start(home, { binaries })
    await expect(attempt).rejects.toThrow(`could not make its files in ${home}: ${noSpace}`)
    await expect(attempt).rejects.toThrow('Free some space')
    expect(await readdir(home)).toEqual(['password'])
  })

  test('initdb flushes its files to disk for a durable start only', async () => {
    const binaries = await withInitdb('case "$*" in *--no-sync*) echo not flushed;; *) echo flushed;; esac >&2; exit 1')
    await expect(start(await newHome(), { binaries, durable: true })).rejects.toThrow(/: flushed\b/)
    await expect(start(await newHome(), { binaries, durable: false })).rejects.toThrow(/: not flushed\b/)
  })

  test('Node was killed during initdb: the next start removes the partial files and starts', async () => {
    const home = await newHome()
    const binaries = await withInitdb(
      'mkdir "$PGDATA"; echo 18 >"$PGDATA/PG_VERSION"; echo $$ >"$PGDATA/pid"; exec sleep 600',
    )
    const interrupted = startInChild({ options: { dataDirectory: home, database: 'app', binaries } })
    const readInitdbPid = async () => {
      const names = await readdir(home).catch(() => [])
      const name = names.find((each) => each.startsWith('initialising-'))
      return name ? await readFile(join(home, name, 'cluster', 'pid'), 'utf8').catch(() => '') : ''
    }
    await until(async () => (await readInitdbPid()) !== '')
    const initdb = Number(await readInitdbPid())
    afterThisTest(() => untilEnded(initdb))
    const holder: { pid: number } = JSON.parse(await readFile(layoutOf(home).lock, 'utf8'))
    process.kill(holder.pid, 'SIGKILL')
    await interrupted
    process.kill(initdb, 'SIGKILL')

    const server = await start(home)
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect((await readdir(home)).filter((name) => name.startsWith('initialising-'))).toEqual([])
  })

  test('another major version created the cluster: the message names the version, and nothing changes', async () => {
    const home = await usedHome()
    const versionFile = join(layoutOf(home).cluster, 'PG_VERSION')
    const version = await readFile(versionFile, 'utf8')
    await writeFile(versionFile, '9.6\n')
    const attempt = start(home)
    await expect(attempt).rejects.toThrow(`created by PostgreSQL 9.6; this is PostgreSQL ${version.trim()}`)
    await expect(attempt).rejects.toThrow('Dump it with PostgreSQL 9.6')
    await writeFile(versionFile, version)
    expect(await start(home)).toMatchObject({ adopted: false })
  })

  test('a directory called cluster that is not a PostgreSQL data directory is rejected', async () => {
    const home = await newHome()
    await mkdir(layoutOf(home).cluster, { recursive: true })
    await chmod(home, 0o755)
    const owner = await ordinaryUser()
    if (owner) await chown(layoutOf(home).cluster, owner.uid, owner.gid)
    await expect(start(home)).rejects.toThrow('is not a PostgreSQL data directory')
  })

  test('the password is lost or changed: the message says so, and no server is left running', async () => {
    const home = await usedHome()
    const { password } = layoutOf(home)
    const secret = await readFile(password, 'utf8')
    await rm(password)
    await expect(start(home)).rejects.toThrow(`there is no file ${password}`)
    await writeFile(password, 'something else')
    await expect(start(home)).rejects.toThrow('rejected the connection: password authentication failed')
    await writeFile(password, secret)
    expect(await start(home)).toMatchObject({ adopted: false })
  })
})

describe('a server that does not start', () => {
  test('is reported with a quote from its log file', async () => {
    const home = await usedHome()
    const attempt = start(home, { settings: { shared_buffers: 'plenty' } })
    await expect(attempt).rejects.toMatchObject({ name: 'EmbeddedPostgresError' })
    await expect(attempt).rejects.toThrow('FATAL:  invalid value for parameter "shared_buffers": "plenty"')
    expect(await readFile(layoutOf(home).log, 'utf8')).toContain('plenty')
  })

  test('the output of binaries that do not run is quoted too', async () => {
    const directory = join(await scratchDirectory(), 'native')
    await mkdir(join(directory, 'bin'), { recursive: true })
    await writeFile(join(directory, 'bin', 'postgres'), '#!/bin/sh\necho no such library >&2; exit 127\n', {
      mode: 0o755,
    })
    await expect(start(await newHome(), { binaries: { directory } })).rejects.toThrow('no such library')
  })
})
