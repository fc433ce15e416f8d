import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { EmbeddedPostgresError, errorCode, WAY_OUT } from './error.ts'
import { identityOf, isRunning, type ProcessIdentity } from './server-process.ts'

export type Lock = { release(): void }

type Holder = ProcessIdentity & { readonly token: string }

/**
 * One Node process per data directory. PostgreSQL's own postmaster.pid cannot distinguish a server whose Node is alive (leave
 * it) from one whose Node was killed (take it over), so Node has its own lock file. The kernel does not remove a file when its
 * holder is killed; the holder's identity in the file shows whether the lock is still valid.
 * free ──link──▶ held ──release──▶ free
 * held, holder dead ──takeover (itself a lock, so that one of many wins)──▶ held by another
 */
export function acquireLock(path: string): Lock {
  const me: Holder = { ...identityOf(process.pid), token: randomUUID() }
  // Written to a temporary file and linked: the lock appears complete or not at all, and linking fails if it exists.
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
  while (!tryLink(draft, path)) {
    const holder = readHolder(path)
    if (holder === 'nobody') continue
    if (holder !== 'unreadable' && isRunning(holder)) throw heldBy(holder, path)
    if (takeOver(path, draft, holder)) return
  }
}

/**
 * Replaces the lock of a dead holder. Two processes may find it dead at once, and the slower must not replace the lock of the
 * faster: the replacing process takes a second lock and checks again. The second lock is taken in the same way, so a crash at
 * this point is harmless too.
 */
function takeOver(path: string, draft: string, dead: Holder | 'unreadable'): boolean {
  const takeover = acquireLock(`${path}.takeover`)
  try {
    const holder = readHolder(path)
    if (holder === 'nobody' || !sameHolder(holder, dead)) return false
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

function tryLink(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** A power cut may leave a file without content, which is unreadable; its writer is dead. */
function readHolder(path: string): Holder | 'nobody' | 'unreadable' {
  try {
    return parseHolder(readFileSync(path, 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'nobody'
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

function heldBy(holder: Holder, path: string): EmbeddedPostgresError {
  const who = holder.pid === process.pid ? `this very process (pid ${holder.pid})` : `process ${holder.pid}`
  return new EmbeddedPostgresError(
    `The data directory ${dirname(path)} is in use by ${who}. Stop that process first, ${WAY_OUT}.`,
  )
}
