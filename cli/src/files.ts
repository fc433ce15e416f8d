import { randomBytes } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { Failure } from './failure.ts'

/** Written aside and moved into place, flushed: a killed process leaves the old file or the new one. Readable by its owner alone. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await rename(await writeDraft(path, text), path)
}

/** False if the file is there already. Linked into place, so that it is never there without its text. */
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

/** Makes a file that only one running process has. `taken` is thrown with the id of the process that has it. */
export async function takeLock(path: string, taken: (pid: string) => Failure): Promise<void> {
  while (!(await createFile(path, await ownProcess()))) {
    const holder = await readFile(path, 'utf8').catch(() => '')
    if (await isRunning(holder)) throw taken(holder.split(' ')[0] ?? '')
    // Left behind by a process that was killed.
    await rm(path, { force: true })
  }
}

export function isFileError(error: unknown, code: 'EEXIST' | 'ENOENT'): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Process id and start time: an id alone may belong to another process by now. */
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

/** Field 22 of /proc/PID/stat, counted behind the name, which may have spaces; empty where there is no /proc. */
async function startTime(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
