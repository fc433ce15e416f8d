import { type Static, Type } from 'typebox'
import { OrganizationParam, Resource, Time } from '#access/organizations/http.ts'
import { findOrganization } from '#access/organizations/index.ts'
import { operator } from '#http/access.ts'
import { listOf, openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, nullable, oneOf } from '#http/schema-fields.ts'
import type { CursorKind, CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { APP_STATES, PROGRAM_NAMES, REQUEST_KINDS } from './app.ts'
import { PlatformHistoryRecord, platformEntry, seesPeople } from './app-record.ts'
import {
  countWaitingRequests,
  type FoundPartner,
  listOrganizationHistory,
  listWaitingRequests,
  MATCHES,
  type Owners,
  type SearchPage,
  searchPartners,
  searchPartnersOfMember,
  type WaitingRequest,
} from './partner-store.ts'
import { PageOnly } from './schemas.ts'

/** Finds the owners of a record by its id, or of webhook endpoints by their host, in these worlds. */
export type FindOwners = (text: string, worlds: readonly World[]) => Promise<Owners | null>

type Deps = {
  readonly platform: PlatformDatabase
  readonly cursors: CursorSealer
  readonly findOwners: FindOwners
}

const COMMON = { method: 'GET', tag: 'Platform partners', alias: false, access: operator('viewer', 'partner') } as const

const Count = Type.Integer({ minimum: 0 })

const RequestRecord = Resource(
  { id: Type.String(), type: 'app_request', title: 'AppRequest' },
  {
    kind: oneOf(REQUEST_KINDS),
    app: exactly({ id: idOf('app'), name: Type.String() }),
    organization: exactly({ id: idOf('organization'), name: Type.String() }),
    program: nullable(oneOf(PROGRAM_NAMES)),
    tier: nullable(Type.Integer(), 'The tier that the team requests.'),
    requested_at: Time,
  },
)

function requestRecord(request: WaitingRequest): Static<typeof RequestRecord> {
  const { kind, program, tier, since: requested_at } = request
  const app = { id: request.app_id, name: request.app_name }
  const organization = { id: request.organization_id, name: request.organization_name }
  const id = [app.id, kind, ...(program === null ? [] : [program])].join('-')
  return { id, type: 'app_request', attributes: { kind, app, organization, program, tier, requested_at } }
}

const FoundRecord = Resource(
  { id: Type.Union([idOf('organization'), idOf('app')]), type: 'partner', title: 'FoundPartner' },
  {
    kind: oneOf(['organization', 'app']),
    name: Type.String(),
    status: oneOf([...APP_STATES, 'ended']),
    organization: exactly({ id: idOf('organization'), name: Type.String() }),
    matched: Type.Array(oneOf(MATCHES), { description: 'The parts of its data that the search matched.' }),
  },
)

function foundRecord({ type: kind, id, name, status, matched, ...found }: FoundPartner): Static<typeof FoundRecord> {
  const organization = { id: found.organization_id, name: found.organization_name }
  return { id, type: 'partner', attributes: { kind, name, status, organization, matched: [...matched] } }
}

const Text = (description: string) => Type.String({ minLength: 1, maxLength: 254, description })

const REQUESTS_KIND: CursorKind = { kind: 'platform_requests', version: 1 }
const HISTORY_KIND: CursorKind = { kind: 'organization_history', version: 1 }
const SEARCH_KIND: CursorKind = { kind: 'partner_search', version: 1 }
const MEMBER_KIND: CursorKind = { kind: 'partner_search_member', version: 1 }

/** Routes with which operators list waiting requests, find a partner, and read the partner's history. */
export const partnerRoutes = ({ platform, cursors, findOwners }: Deps): Route[] => [
  route({
    ...COMMON,
    operation: 'listPartnerRequests',
    path: '/platform/requests',
    summary: 'List requests that wait',
    description:
      'Returns the requests that wait for a decision, the oldest first: for the approval of an app, for investor PII and for programs. `meta.counts` counts all waiting requests by kind, whatever the filter and the page.',
    schema: {
      query: exactly({ kind: Type.Optional(oneOf(REQUEST_KINDS)), ...pageQuery() }),
      response: {
        200: listOf(RequestRecord, { counts: exactly({ approval: Count, pii: Count, program: Count }) }),
      },
    },
    handler: async ({ query }) => {
      const size = pageSize(query.per_page)
      const [since, place] = openCursor(cursors, REQUESTS_KIND, query.cursor) ?? []
      const after = since === undefined ? null : { since: String(since), place: String(place) }
      const rows = await listWaitingRequests(platform.reads, { kind: query.kind ?? null, after, limit: size + 1 })
      const next = (row: WaitingRequest) => cursors.seal(REQUESTS_KIND, [row.since, row.place])
      const { data, meta } = page({ rows, size, item: requestRecord, next })
      const counts = await countWaitingRequests(platform.reads)
      return { status: 200, body: { data, meta: { ...meta, counts } } }
    },
  }),
  route({
    ...COMMON,
    operation: 'searchPartners',
    path: '/platform/partners/search',
    summary: 'Search organizations and apps',
    description:
      'Finds organizations and apps by a part of their name or by their id; apps also by a client id, by the host of a redirect URI or of a webhook URL (a URL is searched by its host), and by the id of an installation, webhook endpoint, delivery, event, request, intent, invite link, session or referral code; organizations also by the id of an invitation. `matched` says what the search matched. In test mode, only records and webhook endpoints of the sandbox are searched.',
    schema: {
      query: exactly({ query: Text('What to find.'), ...pageQuery() }),
      response: { 200: listOf(FoundRecord) },
    },
    handler: async ({ caller, query: { query: text, ...asked } }) => {
      const query = text.trim()
      const host = hostOf(query)
      const owners = await findOwners(host, caller.world === 'live' ? WORLDS : [caller.world])
      const body = await foundPage({ cursors, kind: SEARCH_KIND, asked }, (wanted) =>
        searchPartners(platform.reads, { query, host, owners, ...wanted }),
      )
      return { status: 200, body }
    },
  }),
  route({
    ...COMMON,
    operation: 'searchPartnersOfMember',
    path: '/platform/partners/of_member',
    access: operator('support', 'person'),
    summary: 'Search organizations by a member',
    description:
      'Finds organizations whose team has a person with this email address, or with any address of a domain (`@example.org`).',
    schema: {
      query: exactly({ email: Text('An address, or `@` and a domain.'), ...pageQuery() }),
      response: { 200: listOf(FoundRecord) },
    },
    handler: async ({ query: { email, ...asked } }) => ({
      status: 200,
      body: await foundPage({ cursors, kind: MEMBER_KIND, asked }, (wanted) =>
        searchPartnersOfMember(platform.reads, { query: email.trim(), ...wanted }),
      ),
    }),
  }),
  route({
    ...COMMON,
    operation: 'readOrganizationHistory',
    path: '/platform/organizations/:organization_id/history',
    access: operator('viewer', 'person'),
    summary: 'Get an organization’s history',
    description:
      'Returns what was done to an organization and its apps and who did it, newest first. A viewer sees no names and no reasons.',
    schema: { params: OrganizationParam, query: PageOnly, response: { 200: listOf(OrganizationHistoryRecord) } },
    handler: async ({ caller, params: { organization_id: organization }, query }) => {
      if ((await findOrganization(platform.reads, organization)) === null)
        throw notFound(`organization ${organization} is unknown`)
      const size = pageSize(query.per_page)
      const [before = null] = openCursor(cursors, HISTORY_KIND, query.cursor) ?? []
      const wanted = { before: before === null ? null : String(before), limit: size + 1 }
      const rows = await listOrganizationHistory(platform.reads, organization, wanted)
      const item = (row: (typeof rows)[number]) => {
        const { id, type, attributes } = platformEntry(row, seesPeople(caller))
        return { id, type, attributes: { ...attributes, subject: row.subject } }
      }
      const next = ({ id }: (typeof rows)[number]) => cursors.seal(HISTORY_KIND, [id])
      return { status: 200, body: page({ rows, size, item, next }) }
    },
  }),
]

const OrganizationHistoryRecord = Resource(
  { id: Type.String(), type: 'history_entry', title: 'OrganizationHistoryEntry' },
  {
    ...PlatformHistoryRecord.properties.attributes.properties,
    subject: Type.String({ description: 'The id of the organization or of the app that the entry is about.' }),
  },
)

/** The host of a URL; any other text stays as it is. */
function hostOf(text: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/:?#]+)/i.exec(text)?.[1] ?? text
}

type Asked = { readonly per_page?: number; readonly cursor?: string }

async function foundPage(
  { cursors, kind, asked }: { readonly cursors: CursorSealer; readonly kind: CursorKind; readonly asked: Asked },
  find: (wanted: Omit<SearchPage, 'query'>) => Promise<readonly FoundPartner[]>,
) {
  const size = pageSize(asked.per_page)
  const [after = ''] = openCursor(cursors, kind, asked.cursor) ?? []
  const rows = await find({ after: String(after), limit: size + 1 })
  return page({ rows, size, item: foundRecord, next: ({ id }) => cursors.seal(kind, [id]) })
}
