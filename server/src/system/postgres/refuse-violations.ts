import { type FieldError, validationError } from '#kernel/errors.ts'
import { ConstraintViolation } from './errors.ts'

/** Which field of the input a constraint guards, by the constraint's name. */
export type GuardedFields = Readonly<Record<string, FieldError>>

/**
 * Lets the database decide what only it can (of two at once who take one name, the second waits and is refused) and
 * says so in the caller's words. The transaction is lost with the refusal, as with every other.
 */
export async function refuseViolations<T>(work: Promise<T>, guarded: GuardedFields): Promise<T> {
  try {
    return await work
  } catch (error) {
    const name = error instanceof ConstraintViolation ? error.constraint : ''
    const field = Object.hasOwn(guarded, name) ? guarded[name] : undefined
    throw field === undefined ? error : validationError([field])
  }
}
