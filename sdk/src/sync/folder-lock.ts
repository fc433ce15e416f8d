import { randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PorticoError } from '../errors.ts'

/** Locks the folder for this process, and returns a function that releases it. Takes over the lock of a killed process. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'lock')
  await lockFile(path, path)
  return () => rm(path, { force: true })
}

/** `shown` is the lock that the error names. */
async function lockFile(path: string, shown: string): Promise<void> {
  while (!(await createFile(path, await ownProcess()))) {
    const holder = await readHolder(path)
    if (holder === null) continue
    if (await isRunning(holder)) throw alreadyOpen(holder, shown)
    await removeStaleLock(path, shown)
  }
}

function alreadyOpen(holder: string, shown: string): PorticoError {
  const [pid] = holder.split(' ')
  return new PorticoError(
    `The process ${pid} has this copy open. Wait until it ends. If it does not use this copy, delete ${shown}.`,
  )
}

/**
 * Two processes may find the same stale lock, and the slower one must not remove the new lock of the faster one. So a
 * process takes a second lock and then reads the holder again. If a process is killed while it has the second lock, that
 * lock is removed in the same way.
 */
async function removeStaleLock(path: string, shown: string): Promise<void> {
  const secondLock = `${path}.takeover`
  await lockFile(secondLock, shown)
  try {
    const holder = await readHolder(path)
    if (holder !== null && !(await isRunning(holder))) await rm(path, { force: true })
  } finally {
    await rm(secondLock, { force: true })
  }
}

/**
 * Creates a file, or returns false if it exists already. Links a complete draft to the path, because a process that reads a
 * lock before the id is in it would think that no process has the lock.
 */
async function createFile(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomBytes(4).toString('hex')}.new`
  await writeFile(draft, text)
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false
    throw error
  } finally {
    await rm(draft)
  }
}

/** Returns null if there is no lock file. The process in the file may have been killed. */
async function readHolder(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return null
    throw error
  }
}

/** The id and start time of this process. The start time is needed because another process may get the same id later. */
async function ownProcess(): Promise<string> {
  return `${process.pid} ${await startTime(process.pid)}`
}

async function isRunning(holder: string): Promise<boolean> {
  const [pid = '', started] = holder.split(' ')
  if (!/^[1-9]\d*$/.test(pid)) return false
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    return isSystemError(error, 'EPERM')
  }
  return (await startTime(Number(pid))) === started
}

/**
 * Field 22 of /proc/PID/stat. The fields are counted from the bracket that closes field 2, because that field is the
 * name and may contain spaces. Empty on a system without /proc.
 */
async function startTime(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function isSystemError(error: unknown, code: 'EEXIST' | 'ENOENT' | 'EPERM'): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
