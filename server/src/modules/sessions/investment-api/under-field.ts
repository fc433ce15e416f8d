import { ApiError, type FieldError, validationError } from '#kernel/errors.ts'

/** What is asked for stands one level below the body, and so do the names of its fields in a refusal. */
export async function underField<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.type !== 'validation_error') throw error
    const fields = (error.details?.['fields'] ?? []) as readonly FieldError[]
    throw validationError(fields.map((each) => ({ ...each, field: `${name}.${each.field}` })))
  }
}
