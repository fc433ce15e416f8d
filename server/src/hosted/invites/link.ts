import { type Recipient, readRecipient } from '#hosted/sessions/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import { type FieldError, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { World } from '#kernel/world.ts'
import type { PageLinks } from '#system/crypto/page-link.ts'

/** "pending (sent), opened, invested (matching active investment), revoked (canceled)." */
export const LINK_STATUSES = ['pending', 'opened', 'invested', 'revoked'] as const
export type LinkStatus = (typeof LINK_STATUSES)[number]

export type LinkEvent = 'send' | 'resend' | 'open' | 'decline' | 'invest' | 'cancel'

/** A link with its uses, as of now. */
export type InviteLink = {
  readonly id: Id<'inviteLink'>
  readonly offering: Id<'offering'>
  readonly installation: Id<'installation'>
  readonly perPerson: boolean
  readonly email: string | null
  /** The user who may use the link; null for a link to an email address and for a reusable link. */
  readonly userId: Id<'user'> | null
  readonly firstName: string | null
  readonly message: string | null
  /** The currency of the offering. */
  readonly currency: string
  readonly allocation: Cents | null
  readonly maxUses: number | null
  /** The number of investments by the link that are not canceled. Canceling an investment makes room for another. */
  readonly uses: number
  /** The sum of the investments that `uses` counts. */
  readonly claimed: Cents
  readonly openedAt: WorldTime | null
  readonly openedBy: Id<'user'> | null
  readonly declinedAt: WorldTime | null
  readonly canceledAt: WorldTime | null
  readonly createdAt: WorldTime
  /** When the first investment that is not canceled was made. */
  readonly investedAt: WorldTime | null
  readonly investment: Id<'investment'> | null
}

/** Derived at every read: once its investment is canceled, a link is `opened` again. */
export function statusOf(link: Pick<InviteLink, 'canceledAt' | 'investment' | 'openedAt'>): LinkStatus {
  if (link.canceledAt !== null) return 'revoked'
  if (link.investment !== null) return 'invested'
  return link.openedAt === null ? 'pending' : 'opened'
}

/** The rest of a reusable link's budget, or of one person's cap; null without a budget or cap. */
export function remaining({ allocation, claimed }: Pick<InviteLink, 'allocation' | 'claimed'>): Cents | null {
  return allocation === null ? null : (Math.max(0, allocation - claimed) as Cents)
}

/** Whether a reusable link was used as often as its limit allows. */
export function isUsedUp({ maxUses, uses }: Pick<InviteLink, 'maxUses' | 'uses'>): boolean {
  return maxUses !== null && uses >= maxUses
}

/** The path of a link's page on this server: "…/i/{token}". */
export function linkPath(links: PageLinks, world: World, id: string): string {
  return `/i/${links.make(world, id)}`
}

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
 * "No recipient = reusable; a recipient = per-person. Email and platform_user_id exclude each other; max_uses rejected for
 * per-person; recipient details and send_email need a recipient."
 */
export function checkLink(wanted: WantedLink): Recipient | null {
  const recipient = readRecipient(wanted)
  const problems = recipient === null ? withoutRecipient(wanted) : withRecipient(wanted)
  if (problems.length > 0) throw validationError(problems)
  return recipient
}

function withoutRecipient(wanted: WantedLink): readonly FieldError[] {
  return ABOUT_A_PERSON.filter((field) => wanted[field] != null).map((field) => ({
    field,
    code: 'needs_recipient',
    message: 'is only for a link to one person, so email or platform_user_id is needed too',
  }))
}

function withRecipient({ max_uses }: WantedLink): readonly FieldError[] {
  if (max_uses == null) return []
  return [{ field: 'max_uses', code: 'per_person', message: 'is not for a link to one person' }]
}
