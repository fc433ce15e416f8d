import { type TProperties, Type } from 'typebox'
import { olderPage, olderResponse, renamedIn } from '#hosted/sessions/http.ts'
import { listOf, pageQuery } from '#http/pagination.ts'
import { exactly, idOf, maybe, nullable, time } from '#http/schema-fields.ts'
import type { VersionStep } from '#http/version-steps.ts'
import type { Behaviour } from '#http/versions.ts'
import type { Cents } from '#kernel/money.ts'
import { SEEN_PARAGRAPHS_PATTERN } from '#kernel/text.ts'
import type { World } from '#kernel/world.ts'
import type { PageLinks } from '#system/crypto/page-link.ts'
import { type InviteLink, isUsedUp, LINK_STATUSES, linkPath, statusOf } from './link.ts'
import type { NotedEvent } from './store.ts'

/**
 * A name for the greeting of a mail: letters, and the characters that names have between letters. No digit, slash or sign, and a
 * dot only at the end of a word, so that no greeting contains a web address. For `u` mode.
 */
const NAME_PATTERN = `^\\p{L}(?:[\\p{L}\\p{M}'’·-]| (?=\\S)|\\.(?= |$))*$`

const Time = time()
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: NAME_PATTERN })

const AllocationCents = Type.Unsafe<Cents>(
  Type.Integer({ minimum: 100, maximum: Number.MAX_SAFE_INTEGER, multipleOf: 100 }),
)
const LIMITS = {
  allocation_cents: maybe(
    AllocationCents,
    'The most that people may invest by a reusable link in total, or that one person may invest by a link for one person.',
  ),
  max_uses: maybe(Type.Integer({ minimum: 1, maximum: 1_000_000 }), 'Only for reusable links. No limit if omitted.'),
}

const LINKS_MAX = 100

export const NewLink = exactly(
  {
    ...LIMITS,
    email: maybe(
      Type.String({ maxLength: 254, pattern: '^[!-?A-~]+@[!-?A-~]+$' }),
      'With this address, the link is for one person. Not together with platform_user_id.',
    ),
    platform_user_id: maybe(
      idOf('user'),
      'With this id, the link is for one user. You never see the user’s email address.',
    ),
    first_name: maybe(Name, 'Used in the greeting of the mail. Only for a link for one person.'),
    last_name: maybe(
      Name,
      'Used in the greeting of the mail. Only for a link for one person; no response contains it.',
    ),
    message: maybe(
      Type.String({ minLength: 1, maxLength: 2_000, pattern: SEEN_PARAGRAPHS_PATTERN }),
      'Your message to the person, which the mail and the page show as a quotation. Only for a link for one person.',
    ),
    send_email: maybe(
      Type.Boolean(),
      'Whether we mail the link to the person; true if omitted. Only for a link for one person.',
    ),
  },
  'NewInviteLink',
)
export const NewLinkBody = exactly({ invite_link: Type.Optional(NewLink) }, 'NewInviteLinkBody')
/** Items are validated one by one, so that a bad item does not reject the others. */
export const ManyLinksBody = exactly(
  {
    invite_links: Type.Array(Type.Unknown(), {
      minItems: 1,
      maxItems: LINKS_MAX,
      description: 'Each item has the fields of a single link, and needs `email` or `platform_user_id`.',
    }),
  },
  'NewInviteLinksBody',
)
export const ChangeBody = exactly({ invite_link: exactly(LIMITS, 'InviteLinkChange') }, 'InviteLinkChangeBody')

const attributes = {
  url: Type.String({
    format: 'uri',
    description:
      'Treat the URL as a secret: everyone who has it can open the page, unless the link is for one user (platform_user_id).',
  }),
  currency: Type.String({ description: 'ISO 4217, in lower case.', examples: ['usd'] }),
  allocation_cents: nullable(Type.Integer()),
  max_uses: nullable(Type.Integer()),
  uses_count: Type.Integer({ description: 'Investments by the link that were not canceled.' }),
  active: Type.Boolean({
    description: 'False if the link was canceled or used up. Raising max_uses activates a used-up link again.',
  }),
  created_at: Time,
  email: Type.Optional(nullable(Type.String())),
  platform_user_id: Type.Optional(nullable(idOf('user'))),
  status: Type.Optional(Type.Unsafe<(typeof LINK_STATUSES)[number]>(Type.Enum([...LINK_STATUSES], { type: 'string' }))),
  opened_at: Type.Optional(nullable(Time)),
  invested_at: Type.Optional(nullable(Time)),
  investment_id: Type.Optional(nullable(idOf('investment'))),
}
const LinkEvent = exactly({
  event: Type.String({ examples: ['send', 'resend', 'open', 'decline', 'invest', 'cancel'] }),
  city: Type.Null({ description: 'Always null: no location is stored.' }),
  country_code: Type.Null(),
  created_at: Time,
})
const resource = <P extends TProperties>(properties: P, title: string) =>
  exactly({ id: idOf('inviteLink'), type: Type.Literal('invite_link'), attributes: exactly(properties) }, title)
const Link = resource(attributes, 'InviteLink')
const LinkWithEvents = resource({ ...attributes, events: Type.Array(LinkEvent) }, 'InviteLinkWithEvents')

const Meta = exactly({ request_id: Type.String() })
export const OneLink = exactly({ data: Link, meta: Meta })
export const OneLinkWithEvents = exactly({ data: LinkWithEvents, meta: Meta })
export const LinkList = listOf(Link, { request_id: Type.String() })
export const ManyLinks = exactly(
  {
    data: Type.Array(Link),
    errors: Type.Array(
      exactly({
        index: Type.Integer({ description: 'The index of the item in the request, from 0.' }),
        type: Type.String({ examples: ['mutually_exclusive_params', 'validation_error', 'not_found'] }),
        detail: Type.String(),
      }),
    ),
    meta: exactly({ created: Type.Integer(), failed: Type.Integer(), request_id: Type.String() }),
  },
  'InviteLinks',
)

export const OfferingParam = Type.Object({ spv_id: idOf('offering') })
export const LinkParams = Type.Object({ spv_id: idOf('offering'), invite_link_id: idOf('inviteLink') })
export const LinkQuery = Type.Object(pageQuery())

export type Addresses = { readonly links: PageLinks; readonly origin: () => string }

/** "Per-person adds …": only a link for one person has the keys of `personal`. */
export function linkRecord(
  link: InviteLink,
  world: World,
  { links, origin, behaviour }: Addresses & { readonly behaviour: Behaviour },
) {
  const usedUp = behaviour.usedUpLinks === 'inactive' && isUsedUp(link)
  return {
    id: link.id,
    type: 'invite_link' as const,
    attributes: {
      url: origin() + linkPath(links, world, link.id),
      currency: link.currency,
      allocation_cents: link.allocation,
      max_uses: link.maxUses,
      uses_count: link.uses,
      active: link.canceledAt === null && !usedUp,
      created_at: link.createdAt,
      ...(link.perPerson ? personal(link) : {}),
    },
  }
}

/** "Never returns that account's email": the record shows only what the partner itself sent about the person. */
function personal(link: InviteLink) {
  return {
    email: link.email,
    platform_user_id: link.userId,
    status: statusOf(link),
    opened_at: link.openedAt,
    invested_at: link.investedAt,
    investment_id: link.investment,
  }
}

export function eventRecord({ event, created_at }: NotedEvent) {
  return { event, city: null, country_code: null, created_at }
}

/** Investment sessions name their recipient with the same fields as invite links, so both share the functions of these steps. */
export const INVITE_LINK_STEPS: readonly VersionStep[] = [
  {
    name: 'sealed cursors of invite links',
    before: '2026-11-01',
    operations: ['listInviteLinks'],
    response: olderPage,
  },
  {
    name: 'whom an invite link is for',
    before: '2026-11-01',
    operations: ['createInviteLink'],
    request: renamedIn('invite_link'),
    response: olderResponse,
  },
  {
    name: 'whom invite links are for',
    before: '2026-11-01',
    operations: ['createInviteLinks'],
    request: renamedIn('invite_links'),
    response: olderResponse,
  },
  {
    name: 'whom an invite link was for',
    before: '2026-11-01',
    operations: ['getInviteLink', 'updateInviteLink', 'cancelInviteLink', 'resendInviteLink'],
    response: olderResponse,
  },
]
