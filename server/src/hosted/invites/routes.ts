import { Compile } from 'typebox/compile'
import { type PartnerSide, partnerSide, requireRunning, requireTaking, underField } from '#hosted/sessions/index.ts'
import { heldBy } from '#http/access.ts'
import { fieldErrors } from '#http/input/field-errors.ts'
import { inspect } from '#http/input/plain-text.ts'
import { page, pagePlaces, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { Behaviour } from '#http/versions.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound, validationError } from '#kernel/errors.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import type { InviteLink, WantedLink } from './link.ts'
import { cancelLink, changeLink, createLink, createMany, resendLink } from './manage-link.ts'
import {
  type Addresses,
  ChangeBody,
  eventRecord,
  LinkList,
  LinkParams,
  LinkQuery,
  linkRecord,
  ManyLinks,
  ManyLinksBody,
  NewLink,
  NewLinkBody,
  OfferingParam,
  OneLink,
  OneLinkWithEvents,
} from './schemas.ts'
import { eventsOf, findLink, type LinkPlace, listLinks } from './store.ts'

export type InviteLinkDeps = Addresses & { readonly cursors: CursorSealer }

const read = { tag: 'Invite links', access: heldBy(['installation'], 'read:invite_links') } as const
const write = { tag: 'Invite links', access: heldBy(['installation'], 'write:invite_links') } as const
const PATH = '/partner/spvs/:spv_id/invite_links'

/** "Used with the token of an app installed on the syndicate or company" that runs the offering. */
export const inviteLinkRoutes = (deps: InviteLinkDeps): Route[] => [
  route({
    ...read,
    operation: 'listInviteLinks',
    method: 'GET',
    path: PATH,
    summary: 'List invite links',
    description: 'Returns the app’s invite links to an offering, newest first.',
    schema: { params: OfferingParam, query: LinkQuery, response: { 200: LinkList } },
    handler: async ({ behaviour, db, caller, params: { spv_id: offering }, query, requestId: request_id }) => {
      const side = await partnerSide(db.reads, caller)
      const kind = { kind: `invite_links/${side.app}/${offering}`, version: 1 }
      const size = pageSize(query.per_page)
      const places = pagePlaces(deps.cursors, behaviour.pageCursors, kind)
      const { after, skip } = places.open(query.cursor)
      const request = { offering, before: after === null ? null : String(after[0]), skip, limit: size + 1 }
      const rows = await listLinks(db.reads, side, request)
      if (rows.length === 0) await requireRunning(db.reads, side, offering)
      const next = ({ id }: { id: string }) => places.next([id], skip + size)
      const { data, meta } = page({
        rows,
        size,
        item: (row) => linkRecord(row, db.world, { ...deps, behaviour }),
        next,
      })
      return { status: 200, body: { data, meta: { ...meta, request_id } } }
    },
  }),
  route({
    ...write,
    operation: 'createInviteLink',
    replayedAs: 'ok_before_newest',
    method: 'POST',
    path: PATH,
    summary: 'Create an invite link',
    description:
      'Creates an invite link to an offering. Without a recipient, many people can use the link. With platform_user_id, only that account can use it. With an email address, the link belongs to the first person who continues from its page while signed in, or who invests by it.',
    schema: { params: OfferingParam, body: NewLinkBody, response: { 200: OneLink, 201: OneLink } },
    transaction: async ({ behaviour, tx, caller, params: { spv_id: offering }, body, requestId: request_id }) => {
      const side = await partnerSide(tx, caller)
      await requireTaking(tx, side, offering)
      const wanted = body.invite_link ?? {}
      const request = { side, offering, wanted, origin: deps.origin() }
      const link = await underField('invite_link', () => createLink(tx, request))
      return { status: 201, body: { data: linkRecord(link, tx.world, { ...deps, behaviour }), meta: { request_id } } }
    },
  }),
  route({
    ...write,
    operation: 'createInviteLinks',
    method: 'POST',
    path: `${PATH}/bulk`,
    summary: 'Create invite links in bulk',
    description: 'Creates up to 100 links for one person each. Each item succeeds or fails on its own.',
    schema: { params: OfferingParam, body: ManyLinksBody, response: { 207: ManyLinks } },
    transaction: async ({ tx, caller, params: { spv_id: offering }, body, behaviour, requestId: request_id }) => {
      const side = await partnerSide(tx, caller)
      await requireTaking(tx, side, offering)
      const common = { side, offering, origin: deps.origin(), readItem: itemReader(behaviour) }
      const { made, refused } = await createMany(tx, { ...common, items: body.invite_links })
      const data = made.map((link) => linkRecord(link, tx.world, { ...deps, behaviour }))
      const meta = { created: made.length, failed: refused.length, request_id }
      return { status: 207, body: { data, errors: [...refused], meta } }
    },
  }),
  route({
    ...read,
    operation: 'getInviteLink',
    method: 'GET',
    path: `${PATH}/:invite_link_id`,
    summary: 'Get an invite link',
    description: 'Returns an invite link with its number of uses and its events.',
    schema: { params: LinkParams, response: { 200: OneLinkWithEvents } },
    handler: async ({
      behaviour,
      db,
      caller,
      params: { spv_id: offering, invite_link_id: id },
      requestId: request_id,
    }) => {
      const link = await requireOurs(db.reads, await partnerSide(db.reads, caller), { offering, id })
      const { attributes, ...data } = linkRecord(link, db.world, { ...deps, behaviour })
      const events = (await eventsOf(db.reads, id)).map(eventRecord)
      return { status: 200, body: { data: { ...data, attributes: { ...attributes, events } }, meta: { request_id } } }
    },
  }),
  route({
    ...write,
    operation: 'updateInviteLink',
    method: 'PATCH',
    path: `${PATH}/:invite_link_id`,
    summary: 'Update an invite link',
    description: 'Changes the allocation of a link and how often it can be used. Nothing else of a link can change.',
    schema: { params: LinkParams, body: ChangeBody, response: { 200: OneLink } },
    transaction: async ({
      behaviour,
      tx,
      caller,
      params: { spv_id: offering, invite_link_id: id },
      body,
      requestId,
    }) => {
      const side = await partnerSide(tx, caller)
      await requireRunning(tx, side, offering)
      const request = { which: { offering, id }, change: body.invite_link }
      const link = await underField('invite_link', () => changeLink(tx, side, request))
      return {
        status: 200,
        body: { data: linkRecord(link, tx.world, { ...deps, behaviour }), meta: { request_id: requestId } },
      }
    },
  }),
  route({
    ...write,
    operation: 'cancelInviteLink',
    method: 'DELETE',
    path: `${PATH}/:invite_link_id`,
    summary: 'Cancel an invite link',
    description:
      'Cancels a link. It stops working and can still be read. Repeating the request changes nothing and succeeds.',
    schema: { params: LinkParams, response: { 200: OneLink } },
    transaction: async ({ behaviour, tx, caller, params: { spv_id: offering, invite_link_id: id }, requestId }) => {
      const side = await partnerSide(tx, caller)
      await requireOurs(tx, side, { offering, id })
      const link = await cancelLink(tx, side, { offering, id })
      return {
        status: 200,
        body: { data: linkRecord(link, tx.world, { ...deps, behaviour }), meta: { request_id: requestId } },
      }
    },
  }),
  route({
    ...write,
    operation: 'resendInviteLink',
    method: 'POST',
    path: `${PATH}/:invite_link_id/resend`,
    summary: 'Resend an invite link',
    description: 'Sends the invitation mail of a link to its recipient again.',
    schema: { params: LinkParams, response: { 200: OneLink } },
    transaction: async ({ behaviour, tx, caller, params: { spv_id: offering, invite_link_id: id }, requestId }) => {
      const side = await partnerSide(tx, caller)
      await requireTaking(tx, side, offering)
      const link = await resendLink(tx, side, { which: { offering, id }, origin: deps.origin() })
      return {
        status: 200,
        body: { data: linkRecord(link, tx.world, { ...deps, behaviour }), meta: { request_id: requestId } },
      }
    },
  }),
]

/** Works even if the syndicate no longer runs the offering: an app can always read and cancel its links. */
async function requireOurs(queries: WorldQueries, side: PartnerSide, which: LinkPlace): Promise<InviteLink> {
  const link = await findLink(queries, side, which)
  if (link !== null) return link
  await requireRunning(queries, side, which.offering)
  throw notFound(`${which.id} is not of ${side.app}`)
}

const item = Compile(NewLink)

/** Validates one item of a batch as the edge validates a single link; in addition, "each needs email or platform_user_id". */
function itemReader({ unknownBodyFields }: Behaviour): (sent: unknown) => WantedLink {
  return (sent) => {
    if (inspect(sent).problem !== null)
      throw fieldError('invite_link', 'unstorable', 'contains text that cannot be stored')
    const body = unknownBodyFields === 'ignored' ? knownFields(sent) : sent
    if (!item.Check(body)) throw validationError(fieldErrors(item.Errors(body), 'invite_link'))
    if (body.email != null || body.platform_user_id != null) return body
    throw fieldError('email', 'required', 'or platform_user_id is required: every link of a batch is for one person')
  }
}

/** "A body's unknown fields are refused (422); before, ignored." */
function knownFields(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent
  return Object.fromEntries(Object.entries(sent).filter(([name]) => name in NewLink.properties))
}

function fieldError(field: string, code: string, message: string) {
  return validationError([{ field, code, message }])
}
