import { createHash } from 'node:crypto'
import { chmod, lstat, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { firstClosedDirectory, makeDirectory } from './directories.ts'
import { EmbeddedPostgresError, errorCode, WAY_OUT } from './error.ts'
import { type Layout, layoutOf } from './layout.ts'
import { type RunAs, run, type UnixUser } from './run.ts'

/** The paths of the data, and the user who runs PostgreSQL there. */
export type Home = { readonly layout: Layout; readonly runAs: RunAs }

export async function openHome(wanted: string, relocateTo: string, log: (message: string) => void): Promise<Home> {
  await makeDirectory(wanted, weAreRoot() ? 0o755 : 0o700)
  const directory = await realpath(wanted)
  if (!weAreRoot()) return await openAsOurselves(directory)

  const original = await openAsRoot(directory, log)
  if (original.closed === undefined) return original
  const elsewhere = await openAsRoot(await relocate(directory, relocateTo), log)
  const { name } = elsewhere.runAs
  if (elsewhere.closed === undefined) {
    log(`${name} runs PostgreSQL for root and cannot reach ${directory}; the data is in ${elsewhere.layout.home}.`)
    return elsewhere
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL cannot run as root, and ${name} can reach neither ${directory} nor ${elsewhere.layout.home} ` +
      `(stopped by ${elsewhere.closed}). Run Portico as an ordinary user, ${WAY_OUT}.`,
  )
}

async function openAsOurselves(directory: string): Promise<Home> {
  const layout = layoutOf(directory)
  const elsewhere = await readPointer(directory)
  const owner = await ownerOf(layout.cluster)
  if (elsewhere === undefined && (owner === undefined || owner.uid === process.getuid?.())) {
    return { layout, runAs: undefined }
  }
  throw new EmbeddedPostgresError(
    `The data in ${elsewhere ?? layout.cluster} belongs to ${owner?.name ?? 'root'}, not to this user. ` +
      `Start as the user who made it, ${WAY_OUT}.`,
  )
}

/**
 * `closed` is undefined if the data can be in this directory. Otherwise `closed` is the directory that the unprivileged user cannot
 * enter, or the directory to which the data was relocated.
 */
async function openAsRoot(directory: string, log: (message: string) => void) {
  const layout = layoutOf(directory)
  const owner = await ownerOf(layout.cluster)
  // Existing data keeps its owner, so that a user who was created again with another uid does not lock us out.
  const runAs = owner ?? (await unprivilegedUser(log))
  // Relocated data stays where it is, even if the user can enter the requested directory by now.
  const closed = (await readPointer(directory)) ?? (await firstClosedDirectory(directory, runAs))
  if (owner !== undefined && closed !== undefined) {
    // With another directory, the start would create a new cluster there, and all data would seem to be lost.
    throw new EmbeddedPostgresError(
      `The data in ${layout.cluster} belongs to ${runAs.name}, who cannot enter ${closed}. ` +
        `Open that directory again (chmod o+x ${closed}), ${WAY_OUT}.`,
    )
  }
  return { layout, runAs, closed }
}

async function ownerOf(cluster: string): Promise<UnixUser | undefined> {
  try {
    const { uid, gid } = await stat(cluster)
    return { name: `the user with uid ${uid}`, uid, gid }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * PostgreSQL gets its own user, because every process that runs as `nobody` on this machine could read the database files and
 * signal the server. The user is not called `portico`, because an operator may use that name for Portico itself.
 */
const DEDICATED_USER = 'portico-postgres'

/** The tools differ by distribution: shadow-utils nearly everywhere, BusyBox in small images. */
const CREATE_COMMANDS: ReadonlyArray<readonly [tool: string, ...args: string[]]> = [
  ['useradd', '--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/bin/false'],
  ['adduser', '-S', '-D', '-H', '-h', '/nonexistent', '-s', '/bin/false'],
]

/** Returns the user who runs PostgreSQL, because it refuses to run as root. Creates the user the first time. */
async function unprivilegedUser(log: (message: string) => void): Promise<UnixUser> {
  const existing = await findUser(DEDICATED_USER)
  if (existing) return existing
  for (const [tool, ...args] of CREATE_COMMANDS) {
    await run(tool, [...args, DEDICATED_USER])
    // We check the result instead of the exit code: another process may have created the user at the same moment.
    const created = await findUser(DEDICATED_USER)
    if (created) {
      log(`Created the system user ${DEDICATED_USER} to run PostgreSQL, which refuses to run as root.`)
      return created
    }
  }
  const nobody = await findUser('nobody')
  if (nobody) {
    log(`Could not create the system user ${DEDICATED_USER}; PostgreSQL will run as nobody.`)
    return nobody
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root. Portico cannot create a user for it, and this system has no user `nobody`. ' +
      `Run Portico as an ordinary user, ${WAY_OUT}.`,
  )
}

export async function findUser(name: string): Promise<UnixUser | undefined> {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
  if (!uid.ok || !gid.ok) return undefined
  // spawn needs signed 32-bit numbers: on macOS the uid of `nobody` is 4294967294, which means -2.
  const user = { name, uid: Number(uid.output) | 0, gid: Number(gid.output) | 0 }
  return user.uid === 0 ? undefined : user
}

export function weAreRoot(): boolean {
  return process.getuid?.() === 0
}

/** Where root stores the data if the unprivileged user cannot enter the requested directory. Services store their data in /var/lib. */
export const RELOCATED_DATA = '/var/lib/portico'

const POINTER = 'DATA-IS-ELSEWHERE.txt'

/**
 * Returns the directory to which the data of this directory was relocated, if it was. A file stores the path, so that a renamed
 * project still finds its data.
 */
export async function readPointer(wanted: string): Promise<string | undefined> {
  try {
    return /^data: (.+)$/m.exec(await readFile(join(wanted, POINTER), 'utf8'))?.[1]
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Creates a directory below `relocateTo` for the data of `wanted`, and writes its path into a pointer file in `wanted`. */
async function relocate(wanted: string, relocateTo: string): Promise<string> {
  const known = await readPointer(wanted)
  const directory = known ?? join(relocateTo, directoryNameFor(wanted))
  if (dirname(directory) !== relocateTo) {
    // As root we change the mode of that directory and write into it. Another user may have written the pointer file,
    // so it may only name a directory in `relocateTo`.
    throw new EmbeddedPostgresError(
      `${join(wanted, POINTER)} points to ${directory}, which is not in ${relocateTo}. Correct it, ${WAY_OUT}.`,
    )
  }
  await ensureOnlyRootWrites(relocateTo)
  await ensureOnlyRootWrites(directory)
  if (known === undefined) await writeFile(join(wanted, POINTER), pointerText(directory))
  return directory
}

/**
 * Creates a directory that every user can enter. Rejects a path that root does not own or that other users can write
 * to.
 */
async function ensureOnlyRootWrites(path: string): Promise<void> {
  await makeDirectory(path, 0o755)
  const entry = await lstat(path)
  if (!entry.isDirectory() || entry.uid !== 0 || (entry.mode & 0o022) !== 0) {
    throw new EmbeddedPostgresError(
      `${path} must be a directory that belongs to root and that nobody else can write to. Correct it, ${WAY_OUT}.`,
    )
  }
  await chmod(path, 0o755)
}

/** The readable part is for people; the digest distinguishes directories with the same name. */
function directoryNameFor(wanted: string): string {
  const readable = basename(dirname(wanted)).replaceAll(/[^\w-]/g, '')
  const digest = createHash('sha256').update(wanted).digest('hex').slice(0, 12)
  return [readable, digest].filter(Boolean).join('-')
}

function pointerText(directory: string): string {
  return `PostgreSQL cannot run as root. It runs as an unprivileged user, and this user cannot enter this directory.
The data is in another directory. Portico finds the data through this file, so do not delete the file.
data: ${directory}
`
}
