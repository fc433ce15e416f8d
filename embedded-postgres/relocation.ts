import { createHash } from 'node:crypto'
import { chmod, lstat, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { EmbeddedPostgresError, errorCode, WAY_OUT } from './error.ts'
import { makeDirectory } from './make-directory.ts'

/** Where root keeps what the unprivileged user cannot reach in its wanted place: the system's place for such data. */
export const RELOCATED_DATA = '/var/lib/portico'

const POINTER = 'DATA-IS-ELSEWHERE.txt'

/**
 * The place to which the data of this directory was moved, if it was. Kept in a file rather than derived anew, so
 * that a project that is renamed still finds its data.
 */
export async function readPointer(wanted: string): Promise<string | undefined> {
  try {
    return /^data: (.+)$/m.exec(await readFile(join(wanted, POINTER), 'utf8'))?.[1]
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Makes the place for the data of `wanted` below `relocateTo`, and leaves word of it in `wanted`. */
export async function relocate(wanted: string, relocateTo: string): Promise<string> {
  const known = await readPointer(wanted)
  const directory = known ?? join(relocateTo, nameFor(wanted))
  if (dirname(directory) !== relocateTo) {
    // We are root and about to change that directory: a file that others may have written does not decide which.
    throw new EmbeddedPostgresError(
      `${join(wanted, POINTER)} points to ${directory}, which is not in ${relocateTo}. Correct it, ${WAY_OUT}.`,
    )
  }
  await makeSafe(relocateTo)
  await makeSafe(directory)
  if (known === undefined) await writeFile(join(wanted, POINTER), pointerText(directory))
  return directory
}

/** Nobody but root may have made this directory or be able to put anything into it; everybody may pass through. */
async function makeSafe(path: string): Promise<void> {
  await makeDirectory(path, 0o755)
  const entry = await lstat(path)
  if (!entry.isDirectory() || entry.uid !== 0 || (entry.mode & 0o022) !== 0) {
    throw new EmbeddedPostgresError(
      `${path} must be a directory that belongs to root and that nobody else can write to. Correct it, ${WAY_OUT}.`,
    )
  }
  await chmod(path, 0o755)
}

/** The readable part is for people, the digest keeps two directories of the same name apart. */
function nameFor(wanted: string): string {
  const readable = basename(dirname(wanted)).replaceAll(/[^\w-]/g, '')
  const digest = createHash('sha256').update(wanted).digest('hex').slice(0, 12)
  return [readable, digest].filter(Boolean).join('-')
}

function pointerText(directory: string): string {
  return `PostgreSQL cannot run as root, and the unprivileged user it runs as instead cannot reach this directory.
The data is kept elsewhere. This file is how Portico finds it again: keep it.
data: ${directory}
`
}
