import { randomBytes } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { Failure } from './failure.ts'

/**
 * Writes to a temporary file, flushes it and renames it, so that after a kill the path has either the old file or the
 * whole new file. Only the owner can read the new file.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  await rename(await writeDraft(path, text), path)
}

/** Creates a file, or returns false if it exists already. Links a complete draft to the path, so no reader sees a file without text. */
export async function createFile(path: string, text: string): Promise<boolean> {
  const draft = await writeDraft(path, text)
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (isFileError(error, 'EEXIST')) return false
    throw error
  } finally {
    await rm(draft)
  }
}

async function writeDraft(path: string, text: string): Promise<string> {
  const draft = `${path}.${randomBytes(4).toString('hex')}.new`
  await writeFile(draft, text, { mode: 0o600, flush: true })
  return draft
}

/**
 * Creates a lock file for this process. If a running process has the lock, throws the failure that `inUse`
 * returns for the id of that process. Removes the lock of a process that was killed.
 */
export async function lockFile(path: string, inUse: (pid: string) => Failure): Promise<void> {
  while (!(await createFile(path, await ownProcess()))) {
    const holder = await readHolder(path)
    if (holder === null) continue
    if (await isRunning(holder)) throw inUse(holder.split(' ')[0] ?? '')
    await removeStaleLock(path, inUse)
  }
}

/**
 * Two processes may find the same stale lock, and the slower one must not remove the new lock of the faster one. So a
 * process takes a second lock and then reads the holder again. If a process is killed while it has the second lock, that
 * lock is removed in the same way.
 */
async function removeStaleLock(path: string, inUse: (pid: string) => Failure): Promise<void> {
  const secondLock = `${path}.takeover`
  await lockFile(secondLock, inUse)
  try {
    const holder = await readHolder(path)
    if (holder !== null && !(await isRunning(holder))) await rm(path, { force: true })
  } finally {
    await rm(secondLock, { force: true })
  }
}

/** Returns null if no process has the lock. */
async function readHolder(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return null
    throw error
  }
}

export function isFileError(error: unknown, code: 'EEXIST' | 'ENOENT'): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** The id and start time of this process. The start time is needed because another process may get the same id later. */
async function ownProcess(): Promise<string> {
  return `${process.pid} ${await startTime(process.pid)}`
}

async function isRunning(holder: string): Promise<boolean> {
  const [pid = '', started] = holder.split(' ')
  if (!/^\d+$/.test(pid)) return false
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  return (await startTime(Number(pid))) === started
}

/** Field 22 of /proc/PID/stat, counted after the name, which may contain spaces. Empty on a system without /proc. */
async function startTime(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
