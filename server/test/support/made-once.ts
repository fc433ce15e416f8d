import { execFile } from 'node:child_process'
import { access, chmod, mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inject } from 'vitest'

const LOOK_EVERY_MS = 50

type Fill = (emptyDirectory: string) => Promise<void>

/**
 * A directory that is slow to create and that several files copy: created by the first file that asks, in any worker, and
 * removed with the run. Never use it directly: the next file would find it changed.
 */
export async function madeOnce(name: string, fill: Fill): Promise<string> {
  const whole = join(inject('sharedDirectory'), name)
  const turn = `${whole}.turn`
  while (!(await exists(whole))) {
    if (!(await takeTurn(turn))) {
      await sleep(LOOK_EVERY_MS)
      continue
    }
    try {
      if (!(await exists(whole))) await make(whole, fill)
    } finally {
      // Released also after a failure: then the next one tries, and reports its own error.
      await rmdir(turn)
    }
  }
  return whole
}

/**
 * Under another name until it is complete. Open to other users, because a PostgreSQL that root starts runs as another
 * operating-system user.
 */
async function make(whole: string, fill: Fill): Promise<void> {
  const draft = `${whole}.draft`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft)
  await chmod(draft, 0o755)
  await fill(draft)
  await rename(draft, whole)
}

/** With owners and modes, because the files of a PostgreSQL that root started belong to another operating-system user. */
export async function copyDirectory(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to])
}

/** Creating a directory succeeds for exactly one process. */
async function takeTurn(turn: string): Promise<boolean> {
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
