import { type FileHandle, open, readFile, rename } from 'node:fs/promises'
import { errorCode } from './error.ts'
import type { Layout } from './layout.ts'
import { lastLines } from './run.ts'

/** One file per start, and the one before it: the log of a crash must outlive the restart, older ones need not. */
export async function startNewLog({ log, previousLog }: Layout): Promise<void> {
  try {
    await rename(log, previousLog)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

export async function openLog({ log }: Layout): Promise<FileHandle> {
  return await open(log, 'a', 0o600)
}

/** What was written after the first `skipBytes`, as far as it is worth quoting. */
export async function endOfLog({ log }: Layout, skipBytes: number): Promise<string> {
  const content = await readFile(log)
  return lastLines(content.subarray(skipBytes).toString('utf8'))
}
