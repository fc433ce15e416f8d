import type { JsonSchema } from './openapi-types.ts'

/** A recorded call of an operation in the demo world. `npm run generate:examples` records the calls. */
export type OperationExamples = {
  readonly parameters: Readonly<Record<string, unknown>>
  readonly body?: unknown
  /** By status. */
  readonly responses: Readonly<Record<string, unknown>>
}

export type ApiExamples = {
  readonly operations: Readonly<Record<string, OperationExamples>>
  /** Payloads by the name of their event. */
  readonly webhooks: Readonly<Record<string, unknown>>
}

export const NO_EXAMPLES: ApiExamples = { operations: {}, webhooks: {} }

/** In examples, the first id of each kind is its prefix and this text. No record has such an id. */
export const STAND_IN = '0V3xkQ2b9TzQ4mYcW8sLr7Hp'

/** Example values of optional parameters, by name, because no single recorded call has all parameters. */
const PARAMETERS: Readonly<Record<string, unknown>> = {
  accredited: true,
  action_pattern: 'follows.*',
  app_id: `app_${STAND_IN}`,
  campaign_id: '17',
  client_id: 'pk_test_ExampleOnlyNotASecretExa',
  closing_before: '2026-12-31',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  company: `co_${STAND_IN}`,
  company_id: `co_${STAND_IN}`,
  cursor: 'ZXhhbXBsZS1vcGFxdWUtdmFsdWU',
  followed: true,
  has_invested: true,
  installation_id: `inst_${STAND_IN}`,
  investor_id: `usr_${STAND_IN}`,
  last_event_id: 'ZXhhbXBsZS1vcGFxdWUtdmFsdWU',
  limit: 8,
  location: 'Chicago',
  max_min_investment: 250,
  min_amount_raised: 10_000,
  offering_id: `ofr_${STAND_IN}`,
  offset: 0,
  open_requests: true,
  organization_id: `org_${STAND_IN}`,
  past_raises: true,
  per_page: 25,
  query: 'tove',
  redirect_uri: 'https://app.example.com/callback',
  resource_id: `syn_${STAND_IN}`,
  response_type: 'code',
  scope: 'read:profile read:investments',
  search: 'reyes',
  since: '2026-11-01T00:00:00Z',
  sort: 'name',
  spv_id: `ofr_${STAND_IN}`,
  state: 'a1b2c3',
  subject_id: `inv_${STAND_IN}`,
  tag: 'climate',
  target: `co_${STAND_IN}`,
  testing_the_waters: false,
  token: 'an-invite-of-then',
  unanswered_by_team: true,
  until: '2026-11-15T00:00:00Z',
  updated_since: '2026-11-01T00:00:00Z',
  webhook_id: '4',
}

export function parameterExampleOf(
  name: string,
  schema: JsonSchema,
  recorded: OperationExamples | undefined,
): { readonly example?: unknown } {
  const items = typeof schema.items === 'object' ? schema.items : undefined
  const listed = items?.enum?.[0] === undefined ? undefined : [items.enum[0]]
  const fixedValue = schema.enum?.[0] ?? schema.const ?? listed
  const example = recorded?.parameters[name] ?? schema.examples?.[0] ?? fixedValue ?? PARAMETERS[name] ?? schema.default
  return example === undefined ? {} : { example }
}

/** The example of every page. The content of a page is for people and not part of the API. */
export const PAGE = '<!doctype html>'

/** Server-sent events are not JSON. */
const BLOCKS = 'retry: 2000\nid: ZXhhbXBsZS1vcGFxdWUtdmFsdWU\n\n'

export function responseExampleOf(
  type: string,
  status: string,
  recorded: OperationExamples | undefined,
): { readonly example?: unknown } {
  // A repeated request returns with 200 the record that the first request created, so the example of 201 is used for both.
  const made = status === '200' ? recorded?.responses['201'] : undefined
  if (type === 'text/event-stream') return { example: BLOCKS }
  const example = type === 'text/html' ? PAGE : (recorded?.responses[status] ?? made)
  return example === undefined ? {} : { example }
}
