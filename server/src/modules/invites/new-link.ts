import { type FieldError, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { type Recipient, readRecipient } from '#modules/sessions/index.ts'

export type WantedLink = {
  readonly email?: string | null
  readonly platform_user_id?: Id<'user'> | null
  readonly first_name?: string | null
  readonly last_name?: string | null
  readonly message?: string | null
  readonly send_email?: boolean | null
  readonly allocation_cents?: Cents | null
  readonly max_uses?: number | null
}

const ABOUT_A_PERSON = ['first_name', 'last_name', 'message', 'send_email'] as const

/**
 * "No recipient = reusable; a recipient = per-person. Email and platform_user_id exclude each other; max_uses refused for
 * per-person; recipient details and send_email need a recipient."
 */
export function judgeLink(wanted: WantedLink): Recipient | null {
  const recipient = readRecipient(wanted)
  const problems = recipient === null ? withoutRecipient(wanted) : withRecipient(wanted)
  if (problems.length > 0) throw validationError(problems)
  return recipient
}

function withoutRecipient(wanted: WantedLink): readonly FieldError[] {
  return ABOUT_A_PERSON.filter((field) => wanted[field] != null).map((field) => ({
    field,
    code: 'needs_recipient',
    message: 'is only for a link to one person: name them by email or platform_user_id',
  }))
}

function withRecipient({ max_uses }: WantedLink): readonly FieldError[] {
  if (max_uses == null) return []
  return [{ field: 'max_uses', code: 'per_person', message: 'is not for a link to one person' }]
}
