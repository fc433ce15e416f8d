import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { EmbeddedPostgresError, errorCode } from './error.ts'
import type { Layout } from './layout.ts'

/** 256 random bits, in letters that need no escaping in a URL. */
export async function createPassword({ password }: Layout): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  // Aside and renamed, so that a crash leaves either the whole password or none.
  const draft = `${password}.draft`
  await writeFile(draft, `${secret}\n`, { mode: 0o600 })
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
