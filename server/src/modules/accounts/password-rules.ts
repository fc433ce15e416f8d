import { validationError } from '#kernel/errors.ts'

/** OWASP ASVS 5, 6.2: at least 8 characters, at least 64 allowed, no rules about their kinds. Longer ones cost us work. */
export const PASSWORD_CHARS_MIN = 8
export const PASSWORD_CHARS_MAX = 200

export function refuseBadPassword(password: string): void {
  const chars = [...password].length
  const code =
    (chars < PASSWORD_CHARS_MIN && 'too_short') ||
    (chars > PASSWORD_CHARS_MAX && 'too_long') ||
    (!password.isWellFormed() && 'invalid_text')
  if (code === false) return
  const message = `must have ${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters`
  throw validationError([{ field: 'password', code, message }])
}
