import { mkdir, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { errorCode } from './error.ts'
import { wayTo } from './reachable.ts'

/** One directory after the other: Node's recursive mkdir reports a read-only file system as ENOENT. */
export async function makeDirectory(path: string, mode: number): Promise<void> {
  for (const directory of wayTo(resolve(path))) {
    if (await isDirectory(directory)) continue
    try {
      await mkdir(directory, { mode })
    } catch (error) {
      // Another process may have been faster; a file in the way is another matter.
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
