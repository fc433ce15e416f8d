import { validationError } from '#kernel/errors.ts'
import type { Cents } from '#kernel/money.ts'
import { spokenAmount } from '#modules/sessions/http.ts'
import { type InviteLink, remaining } from './link.ts'

/** "allocation_cents: reusable: budget over all claims; per-person: recipient cap." Asked while the link is held. */
export function refuseBeyondCap(
  link: Pick<InviteLink, 'allocation' | 'claimed'>,
  { amount, currency }: { readonly amount: Cents; readonly currency: string },
): void {
  const left = remaining(link)
  if (left === null || amount <= left) return
  const message = `must not be more than ${spokenAmount(left, currency)}, which is what the link allows`
  throw validationError([{ field: 'amount', code: 'too_large', message }])
}
