import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { type FileHandle, open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedPostgresError, errorCode } from './error.ts'
import { lastLines } from './run.ts'

/**
 * What lies in the data directory. The cluster is a directory of its own inside it, because PostgreSQL wants its
 * directory empty at first and owned by its own user, while the rest belongs to the user who runs Node.
 */
export type Layout = {
  readonly home: string
  readonly cluster: string
  readonly password: string
  /** There while a new cluster may not be on disk yet; see flush.ts. */
  readonly unflushed: string
  readonly lock: string
  readonly log: string
  readonly previousLog: string
  readonly socket: string
  readonly socketRecord: string
  readonly binaries: string
}

export function layoutOf(home: string): Layout {
  return {
    home,
    cluster: join(home, 'cluster'),
    password: join(home, 'password'),
    unflushed: join(home, 'unflushed'),
    lock: join(home, 'lock'),
    log: join(home, 'postgres.log'),
    previousLog: join(home, 'postgres.previous.log'),
    socket: join(home, 'socket'),
    socketRecord: join(home, 'socket-directory'),
    binaries: join(home, 'binaries'),
  }
}

/** A cluster is made in a directory of this name first, so that a half-made one is never taken for a whole one. */
export const INITIALISING_PREFIX = 'initialising-'

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

/** 256 random bits, in letters that need no escaping in a URL. */
export async function createPassword({ password }: Layout): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  // Aside and renamed, so that a crash leaves either the whole password or none.
  const draft = `${password}.draft`
  await writeFile(draft, `${secret}\n`, { mode: 0o600, flush: true })
  await rename(draft, password)
  return secret
}

export async function readPassword({ password, cluster }: Layout): Promise<string> {
  try {
    return (await readFile(password, 'utf8')).trim()
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    throw new EmbeddedPostgresError(
      `The password of the database in ${cluster} is missing: there is no file ${password}. ` +
        'Restore that file from a backup, or choose another data directory.',
      { cause: error },
    )
  }
}

/**
 * RFC 5803 form of a password, as PostgreSQL stores it. initdb takes its password from a file only; given this form
 * instead of the password it stores it as it is, so what a crash may leave behind does not open the database.
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16), iterations = 4096): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const sign = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(sign('Client Key')).digest('base64')
  const serverKey = sign('Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}
