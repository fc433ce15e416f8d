import { chmod, chown, lstat, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { EmbeddedPostgresError, errorCode, WAY_OUT } from './error.ts'
import type { Layout } from './layout.ts'
import type { RunAs, UnixUser } from './run.ts'
import { SOCKET_PORT, socketFile } from './settings.ts'

type Entry = { readonly mode: number; readonly uid: number; readonly gid: number }

/**
 * Whether the permission bits let this user traverse a directory. The first matching class decides, as in the kernel: a directory
 * without the owner's execute bit is closed to its owner, even if other users have the bit.
 */
export function canTraverse(directory: Entry, user: UnixUser): boolean {
  if (directory.uid === user.uid) return (directory.mode & 0o100) !== 0
  if (directory.gid === user.gid) return (directory.mode & 0o010) !== 0
  return (directory.mode & 0o001) !== 0
}

/**
 * Returns the outermost directory on the path (`path` included) that this user cannot enter, or undefined. `path` must be a real
 * path, without symbolic links.
 */
export async function firstClosedDirectory(path: string, user: UnixUser): Promise<string | undefined> {
  for (const directory of ancestorsOf(path)) {
    if (!canTraverse(await stat(directory), user)) return directory
  }
  return undefined
}

/** '/a/b' → '/', '/a', '/a/b' */
export function ancestorsOf(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [path] : [...ancestorsOf(parent), path]
}

/** Creates one directory after the other, because Node's recursive mkdir reports a read-only file system as ENOENT. */
export async function makeDirectory(path: string, mode: number): Promise<void> {
  for (const directory of ancestorsOf(resolve(path))) {
    if (await isDirectory(directory)) continue
    try {
      await mkdir(directory, { mode })
    } catch (error) {
      // Another process may have created the directory first. A file with its name is an error.
      if (!(await isDirectory(directory))) throw error
    }
  }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

/** sockaddr_un has 108 bytes on Linux and 104 on macOS, including the closing zero. */
const SOCKET_PATH_MAX_BYTES = process.platform === 'linux' ? 107 : 103

export type SocketDirectory = { readonly path: string; close(): Promise<void> }

/**
 * The socket is in the data directory if that path is short enough, otherwise in a private temporary directory, whose path is
 * recorded in the data directory.
 */
export async function openSocketDirectory(layout: Layout, runAs: RunAs): Promise<SocketDirectory> {
  if (fitsSocket(layout.socket)) {
    await mkdir(layout.socket, { recursive: true, mode: 0o700 })
    await makePrivateTo(layout.socket, runAs)
    return { path: layout.socket, close: async () => {} }
  }
  const path = (await readRecordedDirectory(layout, runAs)) ?? (await makeTemporaryDirectory(layout, runAs))
  const close = async () => {
    for (const leftover of [path, layout.socketRecord]) await rm(leftover, { recursive: true, force: true })
  }
  return { path, close }
}

function fitsSocket(directory: string): boolean {
  return Buffer.byteLength(socketFile(directory, SOCKET_PORT)) <= SOCKET_PATH_MAX_BYTES
}

/** Returns the directory of the last start, because a server may still listen there after the Node.js process that started it was killed. */
async function readRecordedDirectory({ socketRecord }: Layout, runAs: RunAs): Promise<string | undefined> {
  try {
    const path = (await readFile(socketRecord, 'utf8')).trim()
    return (await isPrivate(path, runAs)) ? path : undefined
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Whether the path is still our directory, which no other user can enter. The system may delete temporary directories. Any
 * process can then create a file or directory with the same name.
 */
async function isPrivate(path: string, runAs: RunAs): Promise<boolean> {
  const entry = await lstat(path)
  const owner = runAs?.uid ?? process.getuid?.()
  return entry.isDirectory() && entry.uid === owner && (entry.mode & 0o777) === 0o700
}

async function makeTemporaryDirectory({ socketRecord }: Layout, runAs: RunAs): Promise<string> {
  for (const base of [tmpdir(), '/tmp', '/var/tmp']) {
    const canEnter = runAs === undefined || (await firstClosedDirectory(await realpath(base), runAs)) === undefined
    if (!canEnter || !fitsSocket(join(base, 'portico-123456'))) continue
    const path = await mkdtemp(join(base, 'portico-'))
    await makePrivateTo(path, runAs)
    await writeFile(socketRecord, `${path}\n`)
    return path
  }
  throw new EmbeddedPostgresError(
    `There is no directory for PostgreSQL's socket: its path in the data directory would be longer than ` +
      `${SOCKET_PATH_MAX_BYTES} bytes, and there is no usable temporary directory. Set TMPDIR, ${WAY_OUT}.`,
  )
}

async function makePrivateTo(directory: string, runAs: RunAs): Promise<void> {
  await chmod(directory, 0o700)
  if (runAs) await chown(directory, runAs.uid, runAs.gid)
}
