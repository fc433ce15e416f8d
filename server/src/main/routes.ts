import { logoRoutes } from '#demo/index.ts'
import { openApiDocument } from '#http/openapi.ts'
import { referenceRoutes } from '#http/reference/routes.ts'
import type { Route } from '#http/route.ts'
import { type FactRules, factRoutes } from '#modules/facts/index.ts'
import { type HealthDeps, healthRoutes } from '#modules/health/index.ts'
import { type SandboxSettings, sandboxRoutes } from '#modules/sandbox/index.ts'

export type RouteDeps = {
  readonly brand: string
  readonly health: HealthDeps
  readonly facts: FactRules
  readonly sandbox: SandboxSettings
}

/** Every route of the service, in the order of the reference. A route that is not in this table does not exist. */
export function routeTable(deps: RouteDeps): Route[] {
  const routes: Route[] = []
  routes.push(
    ...factRoutes(deps.facts),
    ...sandboxRoutes(deps.sandbox),
    ...logoRoutes(),
    ...healthRoutes(deps.health),
    ...referenceRoutes(() => describeApi(routes, deps.brand)),
  )
  return routes
}

/** A process that only works still says how it is doing. */
export function workerRouteTable(deps: RouteDeps): Route[] {
  return healthRoutes(deps.health)
}

/** The OpenAPI document of a route table, as served and as committed. */
export function describeApi(routes: readonly Route[], brand: string) {
  return openApiDocument(routes, { title: 'Portico', brand })
}
