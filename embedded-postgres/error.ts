/** Any failure of the embedded server. The message says what is wrong, in which directory, and what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

export const WAY_OUT = 'choose another data directory, or set DATABASE_URL to use a PostgreSQL server of your own'

/** Node reports a failure as an errno, initdb and postgres report it as a sentence. This table covers both forms. */
const REMEDIES: ReadonlyArray<readonly [symptom: RegExp, remedy: string]> = [
  [/ENOSPC|No space left on device/i, 'Free some space on that disk'],
  [/EDQUOT|quota exceeded/i, 'Raise the disk quota of this user'],
  [/EROFS|Read-only file system/i, 'Mount that file system writable'],
  [/could not look up effective user ID/i, 'Give this user an entry in /etc/passwd, which initdb needs'],
  [/setuid|setgid|EPERM|Operation not permitted/i, 'Run as an ordinary user, or as a root that may change users'],
  [/EACCES|Permission denied/i, 'Give the user who runs this process the right to write there'],
  [/ENOTDIR|EEXIST|Not a directory/i, 'Move away the file at this path, where a directory is needed'],
]

function remedyFor(symptoms: string): string {
  const known = REMEDIES.find(([symptom]) => symptom.test(symptoms))
  return known ? known[1] : 'Look into the cause above'
}

/** `trouble` names the failed step and the directory. `symptoms` is the raw message, which is quoted unchanged. */
export function failure(trouble: string, symptoms: string, cause?: unknown): EmbeddedPostgresError {
  const message = `${trouble}: ${symptoms.trim() || 'no reason given'}\n${remedyFor(symptoms)}, ${WAY_OUT}.`
  return new EmbeddedPostgresError(message, { cause })
}

/** Converts an error of a file operation to an EmbeddedPostgresError. Returns our own errors and bugs unchanged. */
export function explain(error: unknown, directory: string): unknown {
  if (errorCode(error) === undefined || error instanceof EmbeddedPostgresError) return error
  return failure(`Cannot use the data directory ${directory}`, messageOf(error), error)
}

/** The errno name or SQLSTATE of an error, if any. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
