import { chmod, chown, lstat, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closedDoor } from './directories.ts'
import { EmbeddedPostgresError, errorCode, WAY_OUT } from './error.ts'
import type { Layout } from './layout.ts'
import type { RunAs } from './run.ts'
import { SOCKET_PORT, socketFile } from './settings.ts'

/** sockaddr_un has 108 bytes on Linux and 104 on macOS, including the closing zero. */
const SOCKET_PATH_MAX_BYTES = process.platform === 'linux' ? 107 : 103

export type SocketDirectory = { readonly path: string; close(): Promise<void> }

/** In the data directory if its path is short enough, otherwise in a private temporary directory that is recorded there. */
export async function openSocketDirectory(layout: Layout, runAs: RunAs): Promise<SocketDirectory> {
  if (fitsSocket(layout.socket)) {
    await mkdir(layout.socket, { recursive: true, mode: 0o700 })
    await handOver(layout.socket, runAs)
    return { path: layout.socket, close: async () => {} }
  }
  const path = (await readRecorded(layout, runAs)) ?? (await makeTemporary(layout, runAs))
  const close = async () => {
    for (const leftover of [path, layout.socketRecord]) await rm(leftover, { recursive: true, force: true })
  }
  return { path, close }
}

function fitsSocket(directory: string): boolean {
  return Buffer.byteLength(socketFile(directory, SOCKET_PORT)) <= SOCKET_PATH_MAX_BYTES
}

/** The same directory as last time: a server whose Node was killed still listens there. */
async function readRecorded({ socketRecord }: Layout, runAs: RunAs): Promise<string | undefined> {
  try {
    const path = (await readFile(socketRecord, 'utf8')).trim()
    return (await isPrivate(path, runAs)) ? path : undefined
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Temporary directories are cleaned up, and then any process can create something with the same name. */
async function isPrivate(path: string, runAs: RunAs): Promise<boolean> {
  const entry = await lstat(path)
  const owner = runAs?.uid ?? process.getuid?.()
  return entry.isDirectory() && entry.uid === owner && (entry.mode & 0o777) === 0o700
}

async function makeTemporary({ socketRecord }: Layout, runAs: RunAs): Promise<string> {
  for (const base of [tmpdir(), '/tmp', '/var/tmp']) {
    const reachable = runAs === undefined || (await closedDoor(await realpath(base), runAs)) === undefined
    if (!reachable || !fitsSocket(join(base, 'portico-123456'))) continue
    const path = await mkdtemp(join(base, 'portico-'))
    await handOver(path, runAs)
    await writeFile(socketRecord, `${path}\n`)
    return path
  }
  throw new EmbeddedPostgresError(
    `There is no directory for PostgreSQL's socket: the path of the data directory is longer than ` +
      `${SOCKET_PATH_MAX_BYTES} bytes and there is no usable temporary directory. Set TMPDIR, ${WAY_OUT}.`,
  )
}

async function handOver(directory: string, runAs: RunAs): Promise<void> {
  await chmod(directory, 0o700)
  if (runAs) await chown(directory, runAs.uid, runAs.gid)
}
