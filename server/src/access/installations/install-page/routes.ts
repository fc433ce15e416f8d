import { Type } from 'typebox'
import { visitor } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { INSTALL_PATH } from './entry-guard.ts'
import { decideInstall, type InstallPageDeps, showInstall } from './install.ts'

/** For the API reference only: the page validates these parameters itself and explains errors in HTML. */
const InstallLink = Type.Object({
  state: Type.Optional(
    Type.String({ description: 'Comes back unchanged with the answer at the setup URL; at most 2,048 characters.' }),
  ),
  target: Type.Optional(
    Type.String({
      description: 'The company or syndicate to install on, `co_…` or `syn_…`, where it is known already.',
    }),
  ),
})

const ClientId = Type.Object({ client_id: Type.String({ description: 'The key’s id, `pk_…`.' }) })

const InstallForm = Type.Object({
  decision: Type.Union([Type.Literal('install'), Type.Literal('cancel')]),
  target: Type.Optional(Type.String()),
  tier: Type.Optional(Type.String()),
  scopes: Type.Optional(Type.String()),
})

const Page = Type.String()
const answers = { 200: Page, 303: Type.Null(), 400: Page, 403: Page, 404: Page, 409: Page }

const COMMON = {
  path: INSTALL_PATH,
  alias: false,
  tag: 'Installations',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  queryAs: 'raw',
  access: visitor('People are sent here by an app before they have signed in.'),
} as const

export const installPageRoutes = (deps: InstallPageDeps): Route[] => [
  route({
    ...COMMON,
    operation: 'showInstall',
    method: 'GET',
    documented: true,
    summary: 'Start the installation flow',
    description: 'The page to which an app sends a person so that they install it on their company or syndicate.',
    schema: { params: ClientId, query: InstallLink, response: answers },
    handler: (request) => showInstall(deps, request),
  }),
  route({
    ...COMMON,
    operation: 'decideInstall',
    method: 'POST',
    accepts: ['application/x-www-form-urlencoded'],
    summary: 'Submit the person’s decision',
    schema: { params: ClientId, query: InstallLink, body: InstallForm, response: answers },
    handler: (request) => decideInstall(deps, request),
  }),
]
