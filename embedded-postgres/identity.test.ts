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
  test('is our own user, or an unprivileged one if we are root; never root', async () => {
    const home = await newHome()
    const { url } = await start(home)
    const { uid } = await stat(layoutOf(home).cluster)
    expect(uid === process.getuid?.()).toBe(!weAreRoot())
    expect(uid).not.toBe(0)
    expect(await query(url, 'select current_user')).toEqual([{ current_user: 'portico' }])
  })

  test('an ordinary user runs it under the same user, and the directory is private', async () => {
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

  test('with data of an ordinary user it runs as that user, also when root starts it', async () => {
    const home = await newHome(await ordinaryDirectory())
    const becomeUser = await ordinaryUser()
    const options = { ...OPTIONS, dataDirectory: home, binaries: await publicBinaries() }
    const first = await startedInChild({ options, ...(becomeUser && { becomeUser }) })
    await query(first.url, 'create table kept as select 1 as one')
    await first.stop()
    // The ordinary user can enter this directory, so root finds the data in place.
    const second = await start(home, options)
    expect(await query(second.url, 'select one from kept')).toEqual([{ one: 1 }])
    expect((await stat(layoutOf(home).cluster)).uid).toBe(becomeUser?.uid ?? process.getuid?.())
  })

  test('data of another user is rejected with the owner’s name, not with a permission error', async () => {
    const home = await newHome(await ordinaryDirectory())
    const { cluster } = layoutOf(home)
    await mkdir(cluster, { recursive: true })
    const becomeUser = await ordinaryUser()
    // As root we change the owner of the data; an ordinary user cannot, so root's pointer replaces it.
    if (becomeUser) await chown(cluster, 12345, 12345)
    else await mkdir(join(home, 'DATA-IS-ELSEWHERE.txt'))
    const options = { ...OPTIONS, dataDirectory: home, binaries: await publicBinaries() }
    const { report } = await startInChild({ options, ...(becomeUser && { becomeUser }) })
    expect(report).toMatchObject({ started: false, name: 'EmbeddedPostgresError' })
    expect(report).toHaveProperty('message', expect.stringContaining(becomeUser ? 'uid 12345' : home))
  })
})

describe('a project under a directory closed to others (0700)', () => {
  test('binaries and data are used where PostgreSQL can reach them, and found again', async () => {
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
      expect(first.said.join()).toContain(`the data is in ${real}`)
    }
    await first.stop()

    // The data stays in its place when its first place becomes reachable.
    await chmod(closed, 0o755)
    const second = await start(wanted, options)
    expect(await query(second.url, 'select one from kept')).toEqual([{ one: 1 }])
  })

  test('data in place is not abandoned when a directory above it is closed later', async () => {
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

  test('a place that others can write to is not used for root’s data', async () => {
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

describe('the pointer to data kept elsewhere', () => {
  test('is not followed out of the relocation directory: root would change a path that a stranger chose', async () => {
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

describe('a package that does not run where it is', () => {
  async function packageWithoutLinks(): Promise<string> {
    const directory = join(await scratchDirectory(), 'native')
    const isFile = async (path: string) => !(await lstat(path)).isSymbolicLink()
    await cp(bundledBinaries().directory, directory, { recursive: true, filter: isFile })
    return directory
  }

  test('the library links are made in place if the install script did not run', async () => {
    const directory = await packageWithoutLinks()
    const home = await newHome()
    await start(home, { binaries: { directory } })
    expect(await readdir(join(directory, 'lib'))).toContain('libpq.so.5')
    expect(await readdir(home)).not.toContain('binaries')
  })

  test('a program whose path a shell would misread is copied, because initdb uses a shell', async () => {
    const directory = join(await scratchDirectory(), '$(touch hacked) "native"')
    await cp(bundledBinaries().directory, directory, { recursive: true, verbatimSymlinks: true })
    const home = await newHome()
    await start(home, { binaries: { directory } })
    expect(await readdir(home)).toContain('binaries')
    // If the copy would have the same problem, the reason is reported.
    const strange = await newHome(join(await scratchDirectory(), '"quoted"'))
    await expect(start(strange, { binaries: { directory } })).rejects.toThrow('initdb cannot run from a path')
  })

  test('one without links that is read-only is copied', async () => {
    const directory = await packageWithoutLinks()
    const lib = join(directory, 'lib')
    const files = await readdir(lib)
    await chmod(lib, 0o555)
    const home = await newHome(await ordinaryDirectory())
    const becomeUser = await ordinaryUser()
    const options = { ...OPTIONS, dataDirectory: home, binaries: { directory } }
    const server = await startedInChild({ options, ...(becomeUser && { becomeUser }) })
    expect(server.said.join()).toContain('using a copy')
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await readdir(lib)).toEqual(files)
    await server.stop()
    await chmod(lib, 0o755)
  })
})
