import { type Static, Type } from 'typebox'
import { EVENT_NAMES } from '#events/index.ts'
import { heldBy } from '#http/access.ts'
import type { Counted } from '#http/counted.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, nullable, oneOf } from '#http/schema-fields.ts'
import { FAILURE_WORDS } from '#system/outbound/outcome.ts'
import { managerOf, requireEndpoint } from './endpoints/manager.ts'
import { type EndpointRouteDeps, endpointRoutes } from './endpoints/routes.ts'
import { EndpointParam } from './endpoints/schemas.ts'
import { type HistoryRouteDeps, historyRoutes } from './history/routes.ts'
import { eventToTest, readTested, sendTest, type TestResult, type TestSending } from './send-test.ts'
import { eventRoutes } from './stream/routes.ts'
import type { StreamParts } from './stream/streams.ts'

export type WebhookRouteDeps = EndpointRouteDeps &
  HistoryRouteDeps &
  StreamParts & {
    /** What a test is sent with, besides. */
    readonly sending: Omit<TestSending, 'databases' | 'secrets'>
    readonly countTest: CountTest
  }

/** An app's webhook endpoints: settings, tests, what became of deliveries; and its events. */
export const webhookRoutes = (deps: WebhookRouteDeps): Route[] => {
  const { databases, settings, sending, countTest } = deps
  return [
    ...endpointRoutes(deps),
    ...testSendRoutes({ databases, secrets: settings.secrets, ...sending }, countTest),
    ...historyRoutes(deps),
    ...eventRoutes(deps),
  ]
}

/** "Webhook test sends: 10 per minute per endpoint." Throws `rateLimited(…)`. */
type CountTest = (endpoint: string, counted: Counted | null) => Promise<void>

const TestSchema = exactly(
  {
    type: Type.Literal('webhook_test'),
    delivered: Type.Boolean({ description: 'Whether the answer was 2xx.' }),
    response_code: nullable(Type.Integer()),
    error: nullable(oneOf(FAILURE_WORDS), 'Null whenever an answer came.'),
    duration_ms: Type.Integer(),
    event: oneOf(EVENT_NAMES),
    payload: Type.Record(Type.String(), Type.Unknown(), { description: 'What was posted.' }),
  },
  'WebhookTest',
)

const TRANSPORT_ONLY =
  'This test shows transport and signature only. Whether the event arrives depends on each installation and its scopes.'

const TestEnvelope = exactly(
  {
    data: TestSchema,
    meta: exactly({
      request_id: Type.String(),
      note: Type.Optional(Type.String({ description: 'On endpoints of the whole app: what the test does not show.' })),
    }),
  },
  'WebhookTestEnvelope',
)

const TestBody = exactly(
  { event: Type.Optional(oneOf(EVENT_NAMES, 'One that the endpoint is subscribed to; the first, if left out.')) },
  'WebhookTestRequest',
)

const testSendRoutes = (sending: TestSending, countTest: CountTest): Route[] => [
  route({
    tag: 'Webhooks',
    access: heldBy(['user', 'installation', 'server_key'], 'write:webhooks'),
    operation: 'testWebhookEndpoint',
    method: 'POST',
    path: '/webhook_endpoints/:id/test',
    summary: 'Test a webhook endpoint',
    description:
      'Sends a signed example to an endpoint now and returns the endpoint’s response. Nothing is recorded. On a bound endpoint an event that its installation’s scopes do not cover is rejected with `scope_missing`. On an endpoint of the whole app the test shows transport and signature only: whether the event arrives depends on each installation.',
    schema: { params: EndpointParam, body: TestBody, response: { 200: TestEnvelope } },
    errors: [409],
    handler: async ({ caller, params: { id }, body, counted, requestId: request_id }) => {
      const { reads } = sending.databases.platform
      const endpoint = await requireEndpoint(reads, await managerOf(reads, caller), id)
      const tested = await readTested(sending, endpoint)
      const event = eventToTest(tested, body.event)
      await countTest(id, counted)
      const data = testRecord(await sendTest(sending, tested, event))
      const meta = endpoint.installation_id === null ? { request_id, note: TRANSPORT_ONLY } : { request_id }
      return { status: 200, body: { data, meta } }
    },
  }),
]

function testRecord(result: TestResult): Static<typeof TestSchema> {
  const { delivered, responseCode, error, durationMs, event, payload } = result
  return {
    ...{ type: 'webhook_test', delivered, response_code: responseCode, duration_ms: durationMs, event },
    error,
    payload: JSON.parse(payload) as Record<string, unknown>,
  }
}
