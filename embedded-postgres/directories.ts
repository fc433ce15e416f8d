import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { errorCode } from './error.ts'
import type { UnixUser } from './run.ts'

type Entry = { readonly mode: number; readonly uid: number; readonly gid: number }

/**
 * Whether the permission bits let this user pass through a directory. The first matching class decides, as in the kernel: an
 * owner without the bit is rejected even if others have it.
 */
export function letsThrough(directory: Entry, user: UnixUser): boolean {
  if (directory.uid === user.uid) return (directory.mode & 0o100) !== 0
  if (directory.gid === user.gid) return (directory.mode & 0o010) !== 0
  return (directory.mode & 0o001) !== 0
}

/**
 * The outermost directory on the path (`path` included) that this user cannot enter; undefined if there is none. `path` must be
 * a real path, without symbolic links.
 */
export async function closedDoor(path: string, user: UnixUser): Promise<string | undefined> {
  for (const directory of wayTo(path)) {
    if (!letsThrough(await stat(directory), user)) return directory
  }
  return undefined
}

/** '/a/b' → '/', '/a', '/a/b' */
export function wayTo(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [path] : [...wayTo(parent), path]
}

/** One directory after the other: Node's recursive mkdir reports a read-only file system as ENOENT. */
export async function makeDirectory(path: string, mode: number): Promise<void> {
  for (const directory of wayTo(resolve(path))) {
    if (await isDirectory(directory)) continue
    try {
      await mkdir(directory, { mode })
    } catch (error) {
      // Another process may have created it first; a file in its place is an error.
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
