import type { FieldError } from '#kernel/errors.ts'

/**
 * Why a fact was not taken in. `invalid_fact`: it is wrong in itself, at `field`; `unknown_reference`: it names what is
 * not there (yet); `illegal_transition`: what it tells cannot follow from the state we know, which `details` names
 * together with what could.
 */
export const REFUSAL_TYPES = ['invalid_fact', 'unknown_reference', 'illegal_transition'] as const

export type Refusal = {
  readonly type: (typeof REFUSAL_TYPES)[number]
  readonly message: string
  /** From the fact's own top: `occurred_at`, `data.investor.email`. */
  readonly field?: string
  readonly code?: string
  readonly details?: { readonly [key: string]: unknown }
}

/** Thrown to leave the fact's transaction, which thereby never was. */
export class FactRefused extends Error {
  override readonly name = 'FactRefused'
  readonly refusal: Refusal
  /** Which of many facts it was, where that is not clear. */
  readonly factId: string | null

  constructor(refusal: Refusal, factId: string | null = null) {
    super(refusal.message)
    this.refusal = refusal
    this.factId = factId
  }
}

export function invalidFact(
  fields: readonly [FieldError, ...FieldError[]],
  more: Refusal['details'] = {},
): FactRefused {
  const [{ field, code, message }] = fields
  return new FactRefused({
    type: 'invalid_fact',
    message: `${field} ${message}.`,
    field,
    code,
    details: { fields, ...more },
  })
}
