import { Type } from 'typebox'
import { type Route, route } from '#http/route.ts'
import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { findInstalled, type InstalledIn, removeInstalled } from './installed-apps.ts'
import { removePage } from './remove-page.ts'
import { COMMON, type ConnectedAppsDeps, Installation, PATH } from './routes-common.ts'

const REMOVE = `${PATH}/:installation/remove`

/** For apps on companies and syndicates, as disconnecting is for a person's own. */
export const removeRoutes = (deps: ConnectedAppsDeps): Route[] => [
  route({
    ...COMMON,
    operation: 'showRemove',
    method: 'GET',
    path: REMOVE,
    summary: 'Show the app removal page',
    description: 'The page that asks whether to remove an app from a company or syndicate.',
    schema: { params: Installation, response: { 200: Type.String(), 303: Type.Null() } },
    handler: async ({ caller, browser, params: { installation } }) => {
      const installed = await requireInstalled(deps, caller.accountId, installation)
      if (installed.installation.state === 'revoked') return removed(installation)
      const action = `${PATH}/${installation}/remove`
      const body = removePage({ brand: deps.brand, person: caller, csrf: browser.csrf, installed, action })
      return { status: 200, body }
    },
  }),
  route({
    ...COMMON,
    operation: 'removeInstalledApp',
    method: 'POST',
    path: REMOVE,
    accepts: ['application/x-www-form-urlencoded'],
    summary: 'Remove an app',
    description: 'Removes an app from a company or syndicate.',
    schema: { params: Installation, response: { 303: Type.Null() } },
    // Which world it is in is known once the installation is found, so the transaction is opened here.
    handler: async ({ caller, params: { installation }, requestId }) => {
      const installed = await requireInstalled(deps, caller.accountId, installation)
      const because = { cause: requestId, caused: [], onRevoked: deps.onRevoked }
      await deps.databases[installed.world].transaction((tx) => removeInstalled(tx, installed, because))
      return removed(installation)
    },
  }),
]

/** Back to the list, which then says what happened. */
function removed(installation: string) {
  return { status: 303 as const, body: null, headers: { Location: `${PATH}?removed=${installation}` } }
}

async function requireInstalled(
  { databases }: ConnectedAppsDeps,
  account: Id<'account'>,
  text: string,
): Promise<InstalledIn> {
  const installed = await findInstalled(databases, account, text)
  if (installed === null) throw notFound(`${text} is nothing that ${account} has a say over`)
  return installed
}
