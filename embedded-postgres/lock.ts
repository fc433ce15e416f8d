import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { EmbeddedPostgresError, errorCode, WAY_OUT } from './error.ts'
import { identityOf, isRunning, type ProcessIdentity } from './server-process.ts'

export type Lock = { release(): void }

type Holder = ProcessIdentity & { readonly token: string }

/**
 * Makes sure that one Node process at a time uses a data directory. PostgreSQL's own postmaster.pid does not show whether the Node
 * that started the server is alive or was killed, so Node has its own lock file. The kernel does not remove the file when its
 * holder is killed. The file names the holder. The lock is valid while the holder runs.
 * unlocked ──link──▶ locked ──release──▶ unlocked
 * locked by a dead process ──takeover, under a second lock──▶ locked by another process
 */
export function acquireLock(path: string): Lock {
  const me: Holder = { ...identityOf(process.pid), token: randomUUID() }
  // We write a temporary file and link it. So the lock file is always complete, and linking fails if the lock exists.
  const draft = `${path}.${me.token}`
  try {
    writeFileSync(draft, `${JSON.stringify(me)}\n`, { mode: 0o644 })
    claim(path, draft)
  } finally {
    rmSync(draft, { force: true })
  }
  return { release: () => release(path, me) }
}

function claim(path: string, draft: string): void {
  while (!tryToLink(draft, path)) {
    const holder = readHolder(path)
    if (holder === 'unlocked') continue
    if (holder !== 'unreadable' && isRunning(holder)) throw inUseError(holder, path)
    if (takeOver(path, draft, holder)) return
  }
}

/**
 * Replaces the lock of a dead holder. Two processes may find the dead holder at the same time, and the slower one must not replace
 * the lock of the faster one. So a process takes a second lock and then reads the holder again. If a process dies with the second
 * lock, that lock is taken over in the same way.
 */
function takeOver(path: string, draft: string, dead: Holder | 'unreadable'): boolean {
  const takeover = acquireLock(`${path}.takeover`)
  try {
    const holder = readHolder(path)
    if (holder === 'unlocked' || !sameHolder(holder, dead)) return false
    renameSync(draft, path)
    return true
  } finally {
    takeover.release()
  }
}

function release(path: string, me: Holder): void {
  const holder = readHolder(path)
  if (typeof holder === 'object' && holder.token === me.token) rmSync(path, { force: true })
}

function tryToLink(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** A power cut may leave a file without content, which is 'unreadable'. The process that wrote it is dead. */
function readHolder(path: string): Holder | 'unlocked' | 'unreadable' {
  try {
    return parseHolder(readFileSync(path, 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'unlocked'
    throw error
  }
}

export function parseHolder(text: string): Holder | 'unreadable' {
  try {
    const { pid, startedAt, token }: Record<keyof Holder, unknown> = JSON.parse(text)
    if (typeof pid !== 'number' || typeof token !== 'string') return 'unreadable'
    return { pid, startedAt: typeof startedAt === 'string' ? startedAt : null, token }
  } catch {
    return 'unreadable'
  }
}

function sameHolder(one: Holder | 'unreadable', other: Holder | 'unreadable'): boolean {
  if (one === 'unreadable' || other === 'unreadable') return one === other
  return one.token === other.token
}

function inUseError(holder: Holder, path: string): EmbeddedPostgresError {
  const who = holder.pid === process.pid ? `this very process (pid ${holder.pid})` : `process ${holder.pid}`
  return new EmbeddedPostgresError(
    `The data directory ${dirname(path)} is in use by ${who}. Stop that process first, ${WAY_OUT}.`,
  )
}
