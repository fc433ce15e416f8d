import { readdir, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { freePort } from '../server/test/support/free-port.ts'
import { layoutOf } from './layout.ts'
import { LOOPBACK } from './settings.ts'
import { afterThisTest, newHome, publicBinaries, query, scratchDirectory, start, usedHome } from './testing/scratch.ts'

describe('a started server', () => {
  test('has the requested database with UTF-8, locale C and UTC, and does not listen on the network', async () => {
    const { url, version } = await start(await usedHome())
    const [facts] = await query(
      url,
      `select current_database() as database, current_user as "user", current_setting('is_superuser') as superuser,
              pg_encoding_to_char(encoding) as encoding, datcollate as collate, current_setting('timezone') as timezone,
              current_setting('listen_addresses') as listening, current_setting('server_version') as version
         from pg_database where datname = current_database()`,
    )
    const expected = { database: 'app', user: 'portico', superuser: 'on', encoding: 'UTF8', collate: 'C' }
    expect(facts).toEqual({ ...expected, timezone: 'UTC', listening: '', version })
  })

  test('has the same data and the same password after the next start', async () => {
    const home = await newHome()
    const first = await start(home)
    await query(first.url, 'create table kept as select 1 as one')
    await first.stop()
    const second = await start(home)
    expect(second).toMatchObject({ adopted: false, url: first.url })
    expect(await query(second.url, 'select one from kept')).toEqual([{ one: 1 }])
  })

  test('rejects a connection with another password, and only the owner can read the password file', async () => {
    const home = await usedHome()
    const { url } = await start(home)
    const { password } = layoutOf(home)
    expect((await stat(password)).mode & 0o777).toBe(0o600)
    expect(url).toContain((await readFile(password, 'utf8')).trim())
    const stranger = new pg.Client({ connectionString: url.replace(/:[^:@]+@/, ':guess@') })
    await expect(stranger.connect()).rejects.toMatchObject({ code: '28P01' })
    const rules = await query(url, 'select distinct auth_method from pg_hba_file_rules')
    expect(rules).toEqual([{ auth_method: 'scram-sha-256' }])
  })

  test('is durable by default, and accepts further settings', async () => {
    const home = await usedHome()
    const durable = await start(home, { durable: true, settings: { work_mem: '7MB' } })
    expect(await query(durable.url, 'show fsync')).toEqual([{ fsync: 'on' }])
    expect(await query(durable.url, 'show work_mem')).toEqual([{ work_mem: '7MB' }])
    await durable.stop()
    const fast = await start(home, { durable: false })
    expect(await query(fast.url, 'show fsync')).toEqual([{ fsync: 'off' }])
  })

  test('stops although a session is open, and a second stop() is harmless', async () => {
    const home = await usedHome()
    const server = await start(home)
    const client = new pg.Client({ connectionString: server.url })
    const disconnected = new Promise((resolve) => client.on('error', resolve))
    await client.connect()
    await Promise.all([server.stop(), server.stop()])
    expect(await disconnected).toMatchObject({ code: '57P01' })
    expect(await readdir(home)).not.toContain('lock')
  })

  test('leaves the logs of this start and of the previous one, and no others', async () => {
    const home = await usedHome()
    for (let round = 1; round <= 3; round += 1) await (await start(home)).stop()
    const logs = (await readdir(home)).filter((name) => name.includes('log')).sort()
    expect(logs).toEqual(['postgres.log', 'postgres.previous.log'])
    const starts = (await readFile(layoutOf(home).log, 'utf8')).match(/starting PostgreSQL/g)
    expect(starts).toHaveLength(1)
  })

  test('rejects a database name that would need quoting', async () => {
    await expect(start(await newHome(), { database: 'a"b' })).rejects.toThrow('Not a name for a database')
  })
})

describe('the endpoint of a server', () => {
  test('is in a temporary private directory if the path is too long for a socket, and stop() deletes that directory', async () => {
    const home = await newHome(join(await scratchDirectory(), 'long'.repeat(30)))
    const server = await start(home)
    const directory = (await readFile(layoutOf(home).socketRecord, 'utf8')).trim()
    const { mode, uid } = await stat(directory)
    expect(mode & 0o777).toBe(0o700)
    expect(uid).toBe((await stat(layoutOf(home).cluster)).uid)
    expect(decodeURIComponent(server.url)).toContain(`@${directory}:`)
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
    expect(await readdir(dirname(directory))).not.toContain(directory)
    await expect(stat(directory)).rejects.toThrow('ENOENT')
  })

  test('works with commas, quotes, spaces, percent signs and non-ASCII letters in the path', async () => {
    const home = await newHome(join(await scratchDirectory(), `a, b "c" 'd' %41 %é#?@`))
    const { url } = await start(home, { binaries: await publicBinaries() })
    expect(await query(url, 'show data_directory')).toEqual([{ data_directory: layoutOf(home).cluster }])
    // A URL with another path connects to another database.
    const other = new URL(url)
    other.pathname = '/postgres'
    expect(await query(other.href, 'select current_database() as name')).toEqual([{ name: 'postgres' }])
  })

  test('is on the loopback address for TCP, with another port if the requested one is in use', async () => {
    const otherServer = createServer()
    await new Promise<void>((resolve) => otherServer.listen(0, LOOPBACK, resolve))
    afterThisTest(() => otherServer.close())
    const address = otherServer.address()
    const usedPort = typeof address === 'object' && address ? address.port : 0
    const server = await start(await usedHome(), { listen: 'tcp', port: usedPort })
    expect(Number(new URL(server.url).port)).not.toBe(usedPort)
    expect(await query(server.url, 'show listen_addresses')).toEqual([{ listen_addresses: LOOPBACK }])
    const port = await freePort()
    expect(await start(await usedHome(), { listen: 'tcp', port })).toHaveProperty(
      'url',
      expect.stringContaining(`:${port}/`),
    )
  })
})
