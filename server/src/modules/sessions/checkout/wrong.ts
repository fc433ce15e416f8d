import { errorSummary } from '#http/pages/elements.ts'
import type { HtmlValue } from '#http/pages/html.ts'
import { ApiError, type FieldError } from '#kernel/errors.ts'

/** What a person has to put right, with what they typed. */
export type Wrong = { readonly problems: readonly FieldError[]; readonly status: 422; readonly typed?: string }

/** What a person can do something about; null for everything else, which is ours. */
export function wrongOf(error: unknown, typed: string | undefined): Wrong | null {
  if (!(error instanceof ApiError)) return null
  const { type, details } = error
  const kept = typed === undefined ? {} : { typed }
  if (type !== 'validation_error') return null
  return { problems: (details?.['fields'] ?? []) as readonly FieldError[], status: 422, ...kept }
}

/** What was decided is over by now, by a second press or by somebody else's decision: the page itself says how it stands. */
export function isTooLate(error: unknown): boolean {
  return error instanceof ApiError && error.type === 'illegal_transition'
}

export function wrongSummary(wrong: Wrong | undefined): HtmlValue {
  const said = wrong?.problems.map(({ field, message }) =>
    field === 'amount' ? { field, message: `The amount ${message}.` } : { message },
  )
  return errorSummary(said ?? [])
}

/** Beside the field itself. */
export function wrongAmount(wrong: Wrong | undefined): { readonly value?: string; readonly error: string | undefined } {
  const message = wrong?.problems.find(({ field }) => field === 'amount')?.message
  const error = message === undefined ? undefined : `The amount ${message}.`
  return { error, ...(wrong?.typed === undefined ? {} : { value: wrong.typed }) }
}
