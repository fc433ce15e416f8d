import { execFile } from 'node:child_process'
import { access, chmod, mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inject } from 'vitest'

const POLL_INTERVAL_MS = 50

type Fill = (emptyDirectory: string) => Promise<void>

/**
 * Returns a directory that is slow to create and that several test files use or copy. The first test file that needs
 * the directory, in any worker, creates it. Do not change the directory, because other test files use it later. It is
 * removed at the end of the run.
 */
export async function madeOnce(name: string, fill: Fill): Promise<string> {
  const finished = join(inject('sharedDirectory'), name)
  const lock = `${finished}.turn`
  while (!(await exists(finished))) {
    if (!(await takeLock(lock))) {
      await sleep(POLL_INTERVAL_MS)
      continue
    }
    try {
      if (!(await exists(finished))) await createDirectory(finished, fill)
    } finally {
      // The lock is released after a failure, too. Then the next file tries, and reports its own error.
      await rmdir(lock)
    }
  }
  return finished
}

/**
 * The directory has another name until it is complete. Other users can read it, because a PostgreSQL that root starts
 * runs as another operating-system user.
 */
async function createDirectory(whole: string, fill: Fill): Promise<void> {
  const draft = `${whole}.draft`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft)
  await chmod(draft, 0o755)
  await fill(draft)
  await rename(draft, whole)
}

/**
 * Copies owners and modes too, because the files of a PostgreSQL that root started belong to another operating-system
 * user.
 */
export async function copyDirectory(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to])
}

/** Creating a directory succeeds for exactly one process. */
async function takeLock(turn: string): Promise<boolean> {
  return mkdir(turn).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
