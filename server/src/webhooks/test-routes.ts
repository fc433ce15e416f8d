import { type Static, Type } from 'typebox'
import { EVENT_NAMES, type EventName } from '#events/index.ts'
import { heldBy } from '#http/access.ts'
import type { Counted } from '#http/rate-limit.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, nullable, oneOf } from '#http/schema-fields.ts'
import type { Id } from '#kernel/ids.ts'
import { FAILURE_WORDS } from '#system/outbound/outcome.ts'
import type { Manager } from './endpoints/endpoint.ts'
import { managerOf, requireEndpoint } from './endpoints/manager.ts'
import { EndpointParam } from './endpoints/schemas.ts'
import { eventToTest, readTested, sendTest, type TestResult, type TestSending } from './send-test.ts'

/** "Webhook test sends: 10 per minute per endpoint." Throws `rateLimited(…)`. */
export type CountTest = (endpoint: string, counted: Counted | null) => Promise<void>

const TestSchema = exactly(
  {
    type: Type.Literal('webhook_test'),
    delivered: Type.Boolean({ description: 'Whether the response was 2xx.' }),
    response_code: nullable(Type.Integer()),
    error: nullable(oneOf(FAILURE_WORDS), 'Null if there was a response.'),
    duration_ms: Type.Integer(),
    event: oneOf(EVENT_NAMES),
    payload: Type.Record(Type.String(), Type.Unknown(), { description: 'The body that was sent.' }),
  },
  'WebhookTest',
)

const TRANSPORT_ONLY =
  'This test shows transport and signature only. Whether the event arrives depends on each installation and its scopes.'

export const TestEnvelope = exactly(
  {
    data: TestSchema,
    meta: exactly({
      request_id: Type.String(),
      note: Type.Optional(
        Type.String({ description: 'Only for endpoints of the whole app: what the test does not check.' }),
      ),
    }),
  },
  'WebhookTestEnvelope',
)

export const TestBody = exactly(
  {
    event: Type.Optional(
      oneOf(EVENT_NAMES, 'An event that the endpoint is subscribed to. If left out, the first that it can receive.'),
    ),
  },
  'WebhookTestRequest',
)

export const testSendRoutes = (testing: Testing): Route[] => [
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
    handler: async ({ caller, params: { id }, body, counted, requestId }) => {
      const manager = await managerOf(testing.sending.databases.platform.reads, caller)
      return { status: 200, body: await testEndpoint(testing, manager, { id, event: body.event, counted, requestId }) }
    },
  }),
]

export type Testing = { readonly sending: TestSending; readonly countTest: CountTest }

type Wanted = {
  readonly id: Id<'webhookEndpoint'>
  readonly event: EventName | undefined
  readonly counted: Counted | null
  readonly requestId: string
}

/** A test counts against the limit only if it is sent. */
export async function testEndpoint({ sending, countTest }: Testing, manager: Manager, wanted: Wanted) {
  const { id, counted, requestId: request_id } = wanted
  const endpoint = await requireEndpoint(sending.databases.platform.reads, manager, id)
  const tested = await readTested(sending, endpoint)
  const event = eventToTest(tested, wanted.event)
  await countTest(id, counted)
  const data = testRecord(await sendTest(sending, tested, event))
  const meta = endpoint.installation_id === null ? { request_id, note: TRANSPORT_ONLY } : { request_id }
  return { data, meta }
}

function testRecord(result: TestResult): Static<typeof TestSchema> {
  const { delivered, responseCode, error, durationMs, event, payload } = result
  return {
    ...{ type: 'webhook_test', delivered, response_code: responseCode, duration_ms: durationMs, event },
    error,
    payload: JSON.parse(payload) as Record<string, unknown>,
  }
}
