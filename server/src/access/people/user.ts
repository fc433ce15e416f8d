import type { WorldTime } from '#kernel/clock.ts'
import { validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'

export const ACCREDITATIONS = ['none', 'self_attested', 'verified'] as const
export type Accreditation = (typeof ACCREDITATIONS)[number]

/** Where a person gets their post. Shown to companies they invested in, and only with the investors' identity. */
export type Address = {
  readonly line1?: string
  readonly line2?: string
  readonly city?: string
  readonly state?: string
  readonly postal_code?: string
  readonly country?: string
}

/** The profile of an active user, with the names of columns and facts. */
export type UserProfile = {
  readonly name: string
  readonly first_name: string | null
  readonly legal_name: string | null
  readonly email: string
  readonly username: string | null
  readonly bio: string | null
  readonly avatar_url: string | null
  readonly city: string | null
  readonly state: string | null
  readonly country: string | null
  readonly location_hidden: boolean
  readonly address: Address | null
  readonly accreditation: Accreditation
  readonly certified_at: WorldTime | null
}

export type User = UserProfile & { readonly id: Id<'user'> }

/** When something happened out there. An occasion (module events, to the right of this one) is one. */
export type Moment = { readonly occurredAt: WorldTime }

/** A fact lies in the past when it is received, and so does the certification in it. */
export function rejectFutureCertification({ certified_at }: Partial<UserProfile>, { occurredAt }: Moment): void {
  if (certified_at === undefined || certified_at === null || certified_at <= occurredAt) return
  const message = 'is after occurred_at'
  throw validationError([{ field: 'certified_at', code: 'in_the_future', message }])
}
