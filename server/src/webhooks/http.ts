import type { Route } from '#http/route.ts'
import { type EndpointRouteDeps, endpointRoutes } from './endpoints/routes.ts'
import { type HistoryRouteDeps, historyRoutes } from './history/routes.ts'
import { portalDeliveryRoutes } from './portal/delivery-routes.ts'
import { portalDeliveryUsageRoutes, portalEndpointRoutes } from './portal/endpoint-routes.ts'
import { portalEventRoutes } from './portal/event-routes.ts'
import { webhookPlatformRoutes } from './portal/platform-routes.ts'
import type { TestSending } from './send-test.ts'
import { eventRoutes } from './stream/routes.ts'
import { type StreamParts, Streams } from './stream/streams.ts'
import { type CountTest, testSendRoutes } from './test-routes.ts'

export { webhookDocument } from './retry-policy.ts'

export type WebhookRouteDeps = EndpointRouteDeps &
  HistoryRouteDeps &
  StreamParts & {
    /** What sending a test needs in addition to the databases and the secrets. */
    readonly sending: Omit<TestSending, 'databases' | 'secrets'>
    readonly countTest: CountTest
  }

/** The routes for webhook endpoints (settings, tests, delivery history) and for events: API, portal and platform. */
export const webhookRoutes = (deps: WebhookRouteDeps): Route[] => {
  const { databases, settings, countTest } = deps
  const testing = { sending: { databases, secrets: settings.secrets, ...deps.sending }, countTest }
  // The routes for tokens and those for the portal share one object, because one limit counts the streams of both.
  const streams = new Streams(deps)
  return [
    ...endpointRoutes(deps),
    ...testSendRoutes(testing),
    ...historyRoutes(deps),
    ...eventRoutes(deps, streams),
    ...portalEndpointRoutes({ ...deps, testing }),
    ...portalDeliveryUsageRoutes(databases.platform),
    ...portalDeliveryRoutes(deps),
    ...portalEventRoutes(deps, streams),
    ...webhookPlatformRoutes({
      ...{ platform: databases.platform, cursors: deps.cursors },
      openStreams: (app) => streams.openOf(app),
    }),
  ]
}
