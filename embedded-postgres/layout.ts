import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { type FileHandle, open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedPostgresError, errorCode } from './error.ts'
import { lastLines } from './run.ts'

/**
 * The paths in the data directory. The cluster has its own directory, because initdb needs an empty directory that
 * belongs to the user who runs PostgreSQL. The socket directory belongs to this user too, and everything else to the
 * user who runs Node.
 */
export type Layout = {
  readonly home: string
  readonly cluster: string
  readonly password: string
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
    lock: join(home, 'lock'),
    log: join(home, 'postgres.log'),
    previousLog: join(home, 'postgres.previous.log'),
    socket: join(home, 'socket'),
    socketRecord: join(home, 'socket-directory'),
    binaries: join(home, 'binaries'),
  }
}

/** A cluster is first created in a directory with this prefix, so that an incomplete one is never used. */
export const INITIALISING_PREFIX = 'initialising-'

/** Each start writes its own log. The previous log is stored too, so that the log of a crash survives the restart. */
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

/** The last lines of the log after the first `skipBytes`. */
export async function endOfLog({ log }: Layout, skipBytes: number): Promise<string> {
  const content = await readFile(log)
  return lastLines(content.subarray(skipBytes).toString('utf8'))
}

/** Creates a password of 256 random bits, in characters that need no escaping in a URL. */
export async function createPassword({ password }: Layout): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  // We write a temporary file and rename it, so that a crash leaves either the whole password or no file.
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
 * The RFC 5803 form of a password, as PostgreSQL stores it. initdb reads the password from a file and stores this form unchanged.
 * So if a crash leaves that file, it does not give access to the database.
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16), iterations = 4096): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const sign = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(sign('Client Key')).digest('base64')
  const serverKey = sign('Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}
