import type { Route } from '#http/route.ts'
import { type EndpointRouteDeps, endpointRoutes } from './endpoints/routes.ts'
import { type HistoryRouteDeps, historyRoutes } from './history/routes.ts'
import { type CountTest, testSendRoutes } from './test-sends/routes.ts'
import type { TestSending } from './test-sends/send-test.ts'

export type WebhookRouteDeps = EndpointRouteDeps &
  HistoryRouteDeps & {
    /** What a test is sent with, besides. */
    readonly sending: Omit<TestSending, 'databases' | 'secrets'>
    readonly countTest: CountTest
  }

/** An app's webhook endpoints: settings, tests, what became of deliveries. */
export const webhookRoutes = (deps: WebhookRouteDeps): Route[] => {
  const { databases, settings, sending, countTest } = deps
  return [
    ...endpointRoutes(deps),
    ...testSendRoutes({ databases, secrets: settings.secrets, ...sending }, countTest),
    ...historyRoutes(deps),
  ]
}
