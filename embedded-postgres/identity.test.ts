import { chmod, chown, cp, lstat, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bundledBinaries } from './binaries.ts'
import { weAreRoot } from './home.ts'
import { layoutOf } from './layout.ts'
import {
  endServerOf,
  newHome,
  ordinaryDirectory,
  ordinaryUser,
  publicBinaries,
  query,
  scratchDirectory,
  start,
} from './testing/scratch.ts'
import { startedInChild, startInChild } from './testing/start-in-child.ts'

const OPTIONS = { database: 'app', durable: false }

describe('the operating-system user of PostgreSQL', () => {
  test('is the current user, or an unprivileged user if the current user is root', async () => {
    const home = await newHome()
    const { url } = await start(home)
    const { uid } = await stat(layoutOf(home).cluster)
    expect(uid === process.getuid?.()).toBe(!weAreRoot())
    expect(uid).not.toBe(0)
    expect(await query(url, 'select current_user')).toEqual([{ current_user: 'portico' }])
  })

  test('is the ordinary user who starts PostgreSQL, and the data directory is private', async () => {
    const home = await newHome(await ordinaryDirectory())
    const becomeUser = await ordinaryUser()
    const options = { ...OPTIONS, dataDirectory: home, binaries: await publicBinaries() }
    const server = await startedInChild({ options, ...(becomeUser && { becomeUser }) })
    const me = becomeUser?.uid ?? process.getuid?.()
    expect(await stat(layoutOf(home).cluster)).toMatchObject({ uid: me })
    expect(await stat(layoutOf(home).password)).toMatchObject({ uid: me, mode: 0o100600 })
    expect((await stat(home)).mode & 0o777).toBe(0o700)
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
  })

  test('is the owner of the data, even if root starts PostgreSQL', async () => {
    const home = await newHome(await ordinaryDirectory())
    const becomeUser = await ordinaryUser()
    const options = { ...OPTIONS, dataDirectory: home, binaries: await publicBinaries() }
    const first = await startedInChild({ options, ...(becomeUser && { becomeUser }) })
    await query(first.url, 'create table kept as select 1 as one')
    await first.stop()
    // The ordinary user can enter this directory, so a start by root does not relocate the data.
    const second = await start(home, options)
    expect(await query(second.url, 'select one from kept')).toEqual([{ one: 1 }])
    expect((await stat(layoutOf(home).cluster)).uid).toBe(becomeUser?.uid ?? process.getuid?.())
  })

  test('data of another user is rejected with a message that names the owner', async () => {
    const home = await newHome(await ordinaryDirectory())
    const { cluster } = layoutOf(home)
    await mkdir(cluster, { recursive: true })
    const becomeUser = await ordinaryUser()
    // Only root can give the data another owner. Run by another user, this test checks another failure: the pointer file is a directory.
    if (becomeUser) await chown(cluster, 12345, 12345)
    else await mkdir(join(home, 'DATA-IS-ELSEWHERE.txt'))
    const options = { ...OPTIONS, dataDirectory: home, binaries: await publicBinaries() }
    const { report } = await startInChild({ options, ...(becomeUser && { becomeUser }) })
    expect(report).toMatchObject({ started: false, name: 'EmbeddedPostgresError' })
    expect(report).toHaveProperty('message', expect.stringContaining(becomeUser ? 'uid 12345' : home))
  })
})

describe('a project under a directory closed to others (0700)', () => {
  test('root puts binaries and data where PostgreSQL can read them, and the next start finds them', async () => {
    const base = await scratchDirectory()
    const closed = join(base, 'closed')
    await cp(bundledBinaries().directory, join(closed, 'native'), { recursive: true, verbatimSymlinks: true })
    await chmod(closed, 0o700)
    const wanted = join(closed, 'data')
    const relocateTo = join(base, 'relocated')
    const options = { binaries: { directory: join(closed, 'native') }, relocateTo }

    const first = await start(wanted, options)
    await query(first.url, 'create table kept as select 1 as one')
    const real = weAreRoot() ? join(relocateTo, (await readdir(relocateTo))[0] ?? '') : wanted
    endServerOf(real)
    expect(await readdir(real)).toContain('cluster')
    expect((await readdir(real)).includes('binaries')).toBe(weAreRoot())
    if (weAreRoot()) {
      expect(await readFile(join(wanted, 'DATA-IS-ELSEWHERE.txt'), 'utf8')).toContain(`data: ${real}`)
      expect(first.logMessages.join()).toContain(`the data is in ${real}`)
    }
    await first.stop()

    // The data stays where it is, although PostgreSQL can enter the requested directory again.
    await chmod(closed, 0o755)
    const second = await start(wanted, options)
    expect(await query(second.url, 'select one from kept')).toEqual([{ one: 1 }])
  })

  test('data is not relocated if a directory above it is closed later: a start by root fails with a remedy', async () => {
    const base = await scratchDirectory()
    const parent = join(base, 'parent')
    const home = await newHome(parent)
    await (await start(home)).stop()
    await chmod(parent, 0o700)
    const relocateTo = join(base, 'relocated')
    if (weAreRoot()) await expect(start(home, { relocateTo })).rejects.toThrow(`chmod o+x ${parent}`)
    else expect(await start(home, { relocateTo })).toMatchObject({ adopted: false })
    await expect(readdir(relocateTo)).rejects.toThrow('ENOENT')
  })

  test('a directory that others can write to is not used for root’s data', async () => {
    const base = await scratchDirectory()
    const closed = join(base, 'closed')
    const home = await newHome(closed)
    await mkdir(closed, { mode: 0o700 })
    const relocateTo = join(base, 'open')
    await mkdir(relocateTo)
    await chmod(relocateTo, 0o777)
    if (weAreRoot()) await expect(start(home, { relocateTo })).rejects.toThrow('nobody else can write to')
    else expect(await start(home, { relocateTo })).toMatchObject({ adopted: false })
    expect(await readdir(relocateTo)).toEqual([])
  })
})

describe('the pointer file of relocated data', () => {
  test('is rejected if it names a directory outside the relocation directory: otherwise root would change the mode of a directory that a stranger chose', async () => {
    const base = await scratchDirectory()
    const home = await newHome(base)
    const victim = join(base, 'victim')
    await mkdir(victim, { mode: 0o700 })
    await mkdir(home)
    await writeFile(join(home, 'DATA-IS-ELSEWHERE.txt'), `data: ${victim}\n`)
    await expect(start(home, { relocateTo: join(base, 'relocated') })).rejects.toThrow(
      weAreRoot() ? `points to ${victim}, which is not in` : `The data in ${victim} belongs to root`,
    )
    expect((await stat(victim)).mode & 0o777).toBe(0o700)
  })
})

describe('a package that cannot run as it was installed', () => {
  async function packageWithoutLinks(): Promise<string> {
    const directory = join(await scratchDirectory(), 'native')
    const isFile = async (path: string) => !(await lstat(path)).isSymbolicLink()
    await cp(bundledBinaries().directory, directory, { recursive: true, filter: isFile })
    return directory
  }

  test('gets its library links in its own directory if the install script did not run', async () => {
    const directory = await packageWithoutLinks()
    const home = await newHome()
    await start(home, { binaries: { directory } })
    expect(await readdir(join(directory, 'lib'))).toContain('libpq.so.5')
    expect(await readdir(home)).not.toContain('binaries')
  })

  test('is copied if a shell would misread its path, because initdb uses a shell', async () => {
    const directory = join(await scratchDirectory(), '$(touch hacked) "native"')
    await cp(bundledBinaries().directory, directory, { recursive: true, verbatimSymlinks: true })
    const home = await newHome()
    await start(home, { binaries: { directory } })
    expect(await readdir(home)).toContain('binaries')
    // The path of the copy has the same problem, so the start fails with the reason.
    const strange = await newHome(join(await scratchDirectory(), '"quoted"'))
    await expect(start(strange, { binaries: { directory } })).rejects.toThrow('initdb cannot run from a path')
  })

  test('is copied if its links are missing and it is read-only', async () => {
    const directory = await packageWithoutLinks()
    const lib = join(directory, 'lib')
    const files = await readdir(lib)
    await chmod(lib, 0o555)
    const home = await newHome(await ordinaryDirectory())
    const becomeUser = await ordinaryUser()
    const options = { ...OPTIONS, dataDirectory: home, binaries: { directory } }
    const server = await startedInChild({ options, ...(becomeUser && { becomeUser }) })
    expect(server.logMessages.join()).toContain('using a copy')
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await readdir(lib)).toEqual(files)
    await server.stop()
    await chmod(lib, 0o755)
  })
})
