import { validationError } from '#kernel/errors.ts'
import type { Cents } from '#kernel/money.ts'

const CENTS_PER_UNIT = 100

/** "Cents that are no multiple of 100 are refused, never rounded." */
export function refuseBrokenUnits(field: string, amount: Cents, min: number = CENTS_PER_UNIT): void {
  if (Number.isSafeInteger(amount) && amount >= min && amount % CENTS_PER_UNIT === 0) return
  const message = `must be a whole number of units: a multiple of ${CENTS_PER_UNIT}, at least ${min}`
  throw validationError([{ field, code: 'not_whole_units', message }])
}
