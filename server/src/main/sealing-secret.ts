import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The embedded default's own secret: made on first start, readable by its owner only. */
export async function embeddedSecret(dataDirectory: string): Promise<string> {
  const path = join(dataDirectory, 'secret')
  const existing = await read(path)
  if (existing !== null) return existing
  await mkdir(dataDirectory, { recursive: true })
  // Written aside and linked into place, so that a kill half-way never leaves half a secret, and of two first
  // starts at once both end up with the same one.
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`
  try {
    await writeFile(draft, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600 })
    await link(draft, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
  const made = await read(path)
  if (made === null) throw new Error(`the sealing secret could not be kept in ${path}`)
  return made
}

async function read(path: string): Promise<string | null> {
  try {
    const secret = (await readFile(path, 'utf8')).trim()
    await chmod(path, 0o600)
    return secret
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
