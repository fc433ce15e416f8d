import { ApiError, type FieldError, UnknownReference } from '#kernel/errors.ts'

/**
 * Returns a rejection as one line: `unknown company co_…`, `email taken, username taken`, otherwise the error's type.
 */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => new Error('the work was not rejected'),
    (error) => error,
  )
  if (error instanceof UnknownReference) return `unknown ${error.field} ${error.id}`
  if (!(error instanceof ApiError)) throw error
  const fields: unknown = error.details?.['fields']
  return Array.isArray(fields) ? fields.map(({ field, code }: FieldError) => `${field} ${code}`).join(', ') : error.type
}
