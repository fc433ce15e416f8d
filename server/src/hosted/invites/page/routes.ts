import { Type } from 'typebox'
import { visitor } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { type Decision, decideInvitation, MOVES, showInvitation } from './decide.ts'
import type { InvitePageDeps } from './entry-guard.ts'

const Link = Type.Object({ link: Type.String({ maxLength: 100, description: 'As the link’s url has it.' }) })
const Pressed = Type.Object({
  do: Type.Unsafe<Decision['do']>(Type.Enum([...MOVES], { type: 'string' })),
  amount: Type.Optional(Type.String({ maxLength: 30 })),
})
const Page = Type.String()
const answers = { 200: Page, 303: Type.Null(), 403: Page, 404: Page, 409: Page, 422: Page }

const COMMON = {
  path: '/i/:link',
  alias: false,
  tag: 'Invite links',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  access: visitor('Whoever holds the link may open it; where it is for an account, that account signs in.'),
} as const

/** Where an invite link leads. Looking opens nothing: that takes a form, which nothing sends ahead of people. */
export const invitePageRoutes = (deps: InvitePageDeps): Route[] => [
  route({
    ...COMMON,
    operation: 'showInvitation',
    method: 'GET',
    documented: true,
    summary: 'Show an invitation page',
    description: 'The page to which an invite link leads.',
    schema: { params: Link, response: answers },
    handler: (visit) => showInvitation(deps, visit),
  }),
  route({
    ...COMMON,
    operation: 'decideInvitation',
    method: 'POST',
    accepts: ['application/x-www-form-urlencoded'],
    summary: 'Submit the person’s choice',
    schema: { params: Link, body: Pressed, response: answers },
    handler: (visit) => decideInvitation(deps, visit),
  }),
]
