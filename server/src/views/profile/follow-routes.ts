import { type Static, Type } from 'typebox'
import { actingUser, forThemselves } from '#access/installations/index.ts'
import { lockUser, type User } from '#access/people/index.ts'
import { seesEveryFollow } from '#access/scopes/index.ts'
import { listOf, openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import { absoluteUrl } from '#http/response-bodies.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, nullable, time } from '#http/schema-fields.ts'
import type { Fields, VersionStep } from '#http/version-steps.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { type FollowState, followCompany, unfollowCompany } from '#market/companies/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { worldNow } from '#system/postgres/world-clock.ts'
import { isShownTo, viewerOf } from '#views/catalog/index.ts'
import { type FollowedCompany, listFollows } from './store.ts'

export const Time = time('UTC, in world time.')

export const NullableText = nullable(Type.String())

export type ProfileRouteDeps = {
  readonly cursors: CursorSealer
  /** Our public address, for pages and pictures that are stored as a path. */
  readonly origin: () => string
}

/** Deactivating a user revokes their tokens, so only a request that was authenticated shortly before gets this error. */
export function userHasLeft(): ApiError {
  return new ApiError('invalid_token', { public: 'This user was deactivated.' })
}

/**
 * Locks the user of a request, so that they cannot leave before this transaction commits. Rejects a user who has left.
 */
export async function lockCaller(tx: Tx, id: Id<'user'>): Promise<User> {
  const { user } = await lockUser(tx, 'user', id)
  if (user === null) throw userHasLeft()
  return user
}

const FollowSchema = exactly(
  {
    id: idOf('company'),
    name: Type.String(),
    tagline: NullableText,
    url: Type.String({ description: 'The company’s page.' }),
    logo_url: NullableText,
    raising: Type.Boolean({
      description: 'Whether a round that this token can see accepts investments or reservations.',
    }),
    profile_available: Type.Boolean({ description: 'Whether GET /companies/{id} returns the company to this token.' }),
    followed_at: Time,
  },
  'Follow',
)

const StateSchema = exactly({
  data: exactly(
    {
      id: idOf('company'),
      type: Type.Literal('follow_state'),
      attributes: exactly({
        followed: Type.Boolean({ description: 'Whether the user follows the company now.' }),
        changed: Type.Boolean({ description: 'False if the request changed nothing.' }),
      }),
    },
    'FollowState',
  ),
})

/** A cursor is valid for one user's list only. */
const kindOf = (user: Id<'user'>) => ({ kind: `follows/${user}`, version: 1 })
const Company = Type.Object({ company_id: idOf('company') })
const PATH = '/users/me/follows/:company_id'

export const followRoutes = ({ cursors, origin }: ProfileRouteDeps): Route[] => [
  route({
    operation: 'listFollowedCompanies',
    method: 'GET',
    path: '/users/me/follows',
    summary: 'List followed companies',
    description:
      'Returns companies that the user follows, newest follow first. A token with `write:follows`, `read:mcp` or `read:follows` gets all of them; any other token gets those whose `promotion_opt_in` is true.',
    tag: 'Follows',
    access: forThemselves('read:profile:follows'),
    schema: { query: Type.Object(pageQuery()), response: { 200: listOf(FollowSchema) } },
    handler: async ({ db, caller, query }) => {
      const userId = await actingUser(db.reads, caller)
      const [size, kind] = [pageSize(query.per_page), kindOf(userId)]
      const [followedAt, company] = openCursor(cursors, kind, query.cursor) ?? []
      const rows = await listFollows(db.reads, userId, {
        list: seesEveryFollow(caller.scopes) ? 'every' : 'public',
        viewer: await viewerOf(db.reads, caller),
        after: followedAt === undefined ? null : { followedAt: String(followedAt), company: String(company) },
        limit: size + 1,
      })
      const item = (row: FollowedCompany) => followEntry(row, origin())
      const next = ({ followed_at, id }: FollowedCompany) => cursors.seal(kind, [followed_at, id])
      return { status: 200, body: page({ rows, size, item, next }) }
    },
  }),
  route({
    operation: 'followCompany',
    method: 'PUT',
    path: PATH,
    summary: 'Follow a company',
    description: 'Makes the user follow a company. Repeating the request changes nothing and succeeds.',
    tag: 'Follows',
    action: 'follows.create',
    access: forThemselves('write:follows'),
    schema: { params: Company, response: { 200: StateSchema } },
    transaction: async ({ tx, caller, params: { company_id: company } }) => {
      const userId = await actingUser(tx, caller)
      await lockCaller(tx, userId)
      if (!(await isShownTo(tx, userId, company))) throw notFound(`${userId} may not see ${company}`)
      const state = await followCompany(tx, { user: userId, company }, { occurredAt: await worldNow(tx) })
      return { status: 200, body: { data: followState(company, state) } }
    },
  }),
  route({
    operation: 'unfollowCompany',
    method: 'DELETE',
    path: PATH,
    summary: 'Unfollow a company',
    description: 'Makes the user stop following a company, even if the user may not see the company any more.',
    tag: 'Follows',
    action: 'follows.delete',
    access: forThemselves('write:follows'),
    schema: { params: Company, response: { 200: StateSchema } },
    transaction: async ({ tx, caller, params: { company_id: company } }) => {
      const userId = await actingUser(tx, caller)
      const state = await unfollowCompany(tx, { user: userId, company })
      return { status: 200, body: { data: followState(company, state) } }
    },
  }),
]

function followEntry(row: FollowedCompany, origin: string): Static<typeof FollowSchema> {
  const { id, name, tagline, page_url, logo_url, raising, profile_available, followed_at } = row
  return {
    ...{ id, name, tagline },
    url: absoluteUrl(origin, page_url),
    logo_url: absoluteUrl(origin, logo_url),
    ...{ raising, profile_available, followed_at },
  }
}

function followState(id: Id<'company'>, { followed, changed }: FollowState) {
  return { id, type: 'follow_state', attributes: { followed, changed } } as const
}

/** Entries of the follow list are flat. In older versions they were `{id, type, attributes}`. */
export const FOLLOW_STEPS: readonly VersionStep[] = [
  {
    name: 'flat follow entries',
    before: '2026-11-01',
    operations: ['listFollowedCompanies'],
    response: (body, status) => (status === 200 ? withNestedEntries(body as FollowPage) : body),
  },
]

/** A page as the route's schema defines it. */
type FollowPage = Fields & { readonly data: readonly Fields[] }

function withNestedEntries({ data, ...rest }: FollowPage): Fields {
  return { data: data.map(({ id, ...attributes }) => ({ id, type: 'company', attributes })), ...rest }
}
