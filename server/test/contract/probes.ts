import { Type } from 'typebox'
import { SCOPE_NAMES } from '#access/scopes/index.ts'
import { authenticateTokens } from '#access/tokens/index.ts'
import { publicRead } from '#http/access.ts'
import { route } from '#http/route.ts'
import { type ProbeApp, serveProbes } from '#http/testing/probe-app.ts'
import type { Databases } from '#system/postgres/database.ts'

/**
 * Acts like a second process of the service on the same database. It has one route for every scope, which requires only
 * this scope. So a test sees which scopes a credential has, without a product route for each scope.
 */
export function serveScopeProbes(databases: Databases): Promise<ProbeApp> {
  const routes = SCOPE_NAMES.map((scope) =>
    route({
      operation: `needs_${nameOf(scope)}`,
      method: 'GET',
      path: pathOf(scope),
      summary: `Needs ${scope}`,
      tag: 'probe',
      access: publicRead(scope),
      schema: { response: { 200: Who } },
      handler: async ({ caller }) => ({
        status: 200,
        body: {
          kind: caller.kind,
          app: caller.appId,
          user: caller.kind === 'user' ? caller.userId : null,
          installation: caller.kind === 'installation' ? caller.installationId : null,
        },
      }),
    }),
  )
  return serveProbes(routes, { ports: { databases, authenticate: authenticateTokens(databases) } })
}

const OrNull = Type.Union([Type.String(), Type.Null()])
const Who = Type.Object({ kind: Type.String(), app: Type.String(), user: OrNull, installation: OrNull })

export const pathOf = (scope: string) => `/needs/${nameOf(scope)}`

const nameOf = (scope: string) => scope.replaceAll(':', '-')
