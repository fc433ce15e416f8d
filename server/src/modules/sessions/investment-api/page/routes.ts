import { Type } from 'typebox'
import { visitor } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import type { SessionPageDeps } from './arrive.ts'
import { type Decision, decideSession, MOVES, showSession } from './decide.ts'

const Link = Type.Object({ link: Type.String({ maxLength: 100, description: 'As the session’s url has it.' }) })
const Pressed = Type.Object({
  do: Type.Unsafe<Decision['do']>(Type.Enum([...MOVES], { type: 'string' })),
  amount: Type.Optional(Type.String({ maxLength: 30 })),
})
const Page = Type.String()

const COMMON = {
  path: '/invest/session/:link',
  alias: false,
  tag: 'Investment sessions',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  access: visitor('Whoever holds the link may open it; where it is for an account, that account signs in.'),
} as const
const answers = { 200: Page, 303: Type.Null(), 403: Page, 404: Page, 409: Page, 422: Page }

/** Where the person decides. Looking begins nothing: that takes a form, which nothing sends ahead of them. */
export const sessionPageRoutes = (deps: SessionPageDeps): Route[] => [
  route({
    ...COMMON,
    operation: 'showInvestmentSession',
    method: 'GET',
    documented: true,
    summary: 'Show an investment session page',
    description: 'The hosted page of an investment session, to which the session’s link leads.',
    schema: { params: Link, response: answers },
    handler: (visit) => showSession(deps, visit),
  }),
  route({
    ...COMMON,
    operation: 'decideInvestmentSession',
    method: 'POST',
    accepts: ['application/x-www-form-urlencoded'],
    summary: 'Submit the person’s choice',
    schema: { params: Link, body: Pressed, response: answers },
    handler: (visit) => decideSession(deps, visit),
  }),
]
