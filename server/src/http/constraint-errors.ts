import type { ApiError } from '#kernel/errors.ts'

/**
 * What a database constraint's refusal means to a caller, by the constraint's name. Only refusals that a correct
 * request can run into (two at once, mostly) belong here; a constraint that is not listed was broken by our own code.
 */
const ERROR_OF_CONSTRAINT: ReadonlyMap<string, () => ApiError> = new Map()

export function constraintError(
  constraint: string,
  table: ReadonlyMap<string, () => ApiError> = ERROR_OF_CONSTRAINT,
): ApiError | null {
  return table.get(constraint)?.() ?? null
}
