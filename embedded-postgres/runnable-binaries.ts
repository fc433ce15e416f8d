import { createHash, randomUUID } from 'node:crypto'
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { EmbeddedPostgresError, failure, messageOf } from './error.ts'
import type { Layout } from './layout.ts'
import { completeLinks } from './library-links.ts'
import { type RunAs, run } from './run.ts'

export type RunnableBinaries = {
  readonly initdb: string
  readonly postgres: string
  /** As in '18.4'. */
  readonly version: string
  /** As in '18'. Data files are only good for one major version. */
  readonly major: string
}

/**
 * Binaries that the user who is to run them really can run. In place if possible; else from a copy in our data
 * directory. A copy is needed when root's project lies under a directory closed to others, or when the library links
 * are missing and node_modules is read-only. The data directory is ours and reachable already, which a fresh
 * directory under /tmp or in a home directory would first have to be proved to be.
 */
export async function makeRunnable(
  binaries: Binaries,
  layout: Layout,
  runAs: RunAs,
  log: (message: string) => void,
): Promise<RunnableBinaries> {
  const linked = await completeLinks(binaries.directory)
  const inPlace = await tryOut(binaries.directory, runAs)
  if (linked && typeof inPlace === 'object') return inPlace
  log(`The PostgreSQL binaries cannot be run from ${binaries.directory}; using a copy in ${layout.binaries}.`)
  const copy = await copyBinaries(binaries, layout.binaries)
  const copied = await tryOut(copy, runAs)
  if (typeof copied === 'object') return copied
  throw failure(`The PostgreSQL binaries in ${copy} do not run on this system`, copied)
}

/** initdb starts postgres through a shell, with nothing but double quotes around its path. */
const UNSAFE_IN_SHELL = /["$`\\]/

/** Asking for the version loads every shared library and needs every permission. A string says why it failed. */
async function tryOut(directory: string, runAs: RunAs): Promise<RunnableBinaries | string> {
  const postgres = join(directory, 'bin', 'postgres')
  if (UNSAFE_IN_SHELL.test(directory)) return `initdb cannot run from a path that contains any of " $ \` \\`
  const { ok, output } = await run(postgres, ['--version'], runAs)
  const version = /\(PostgreSQL\) (\d+)(\S*)/.exec(output)
  if (!ok || version === null) return output
  const [, major = '', rest = ''] = version
  return { initdb: join(directory, 'bin', 'initdb'), postgres, version: `${major}${rest}`, major }
}

/** Copies once per build of PostgreSQL, into a directory named by what it holds; drops the copies of other builds. */
export async function copyBinaries(binaries: Binaries, into: string): Promise<string> {
  const name = await fingerprint(binaries)
  const copy = join(into, name)
  await mkdir(into, { recursive: true })
  await chmod(into, 0o755)
  const present = await readdir(into)
  if (!present.includes(name)) {
    // Under another name until complete: a copy cut short must not be taken for a whole one.
    const draft = `${copy}.${randomUUID()}`
    await cp(binaries.directory, draft, { recursive: true, verbatimSymlinks: true })
    await openToAll(draft)
    await completeLinks(draft)
    await rename(draft, copy)
  }
  const others = present.filter((entry) => entry !== name)
  await Promise.all(others.map((entry) => rm(join(into, entry), { recursive: true, force: true })))
  return copy
}

async function fingerprint({ directory }: Binaries): Promise<string> {
  try {
    const program = await readFile(join(directory, 'bin', 'postgres'))
    return createHash('sha256').update(program).digest('hex').slice(0, 16)
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The PostgreSQL binaries in ${directory} cannot be read: ${messageOf(cause)}\n` +
        'Install the packages again, or set DATABASE_URL to use a PostgreSQL server of your own.',
      { cause },
    )
  }
}

/** With a umask of 077 npm made every file private to root; what we copied is public software. */
async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) await openToAll(path)
    if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644)
  }
}
