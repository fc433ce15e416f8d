import { validationError } from '#kernel/errors.ts'

/** OWASP ASVS 5, 6.2: at least 8 characters, at least 64 allowed, no rules about their kinds. Longer ones cost us work. */
export const PASSWORD_CHARS_MIN = 8
export const PASSWORD_CHARS_MAX = 200

/** A character is at most two of JavaScript's; nobody's megabyte is counted. */
export function isTooLong(password: string): boolean {
  return password.length > 2 * PASSWORD_CHARS_MAX || [...password].length > PASSWORD_CHARS_MAX
}

export function refuseBadPassword(password: string): void {
  const code =
    (isTooLong(password) && 'too_long') ||
    ([...password].length < PASSWORD_CHARS_MIN && 'too_short') ||
    (!password.isWellFormed() && 'invalid_text')
  if (code === false) return
  const message = `must have ${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters`
  throw validationError([{ field: 'password', code, message }])
}
