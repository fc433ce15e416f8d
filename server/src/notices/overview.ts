import type { App, AppProgram } from '#access/apps/index.ts'
import type { AppFacts, EndingSecret, EndpointTrouble, NearLimit } from './overview-store.ts'

/** The most urgent first. */
export const SEVERITIES = ['danger', 'warning', 'info'] as const

/**
 * app_suspended            the platform stopped the app
 * app_disabled             the team stopped the app
 * endpoint_disabled        nothing is sent to the endpoint
 * endpoint_failing         deliveries have failed since the given time
 * limit_reached            requests of the last 24 hours were rejected with 429
 * limit_near               four fifths of a limit were used in the last 24 hours
 * events_need_scope        there is an endpoint, but no event is recorded without read:webhooks
 * secret_ending            a replaced client secret stops working at the given time
 * signing_secret_ending    a replaced signing secret stops signing at the given time
 * scopes_not_consented     installations lack scopes that the app declared later, or that people left out
 * approval_pending         the platform has not answered a request for an approval
 */
export const ATTENTION_KINDS = [
  'app_suspended',
  'app_disabled',
  'endpoint_disabled',
  'endpoint_failing',
  'limit_reached',
  'limit_near',
  'events_need_scope',
  'secret_ending',
  'signing_secret_ending',
  'scopes_not_consented',
  'approval_pending',
] as const

type Attention = {
  readonly kind: (typeof ATTENTION_KINDS)[number]
  readonly severity: (typeof SEVERITIES)[number]
  readonly subject: string | null
  readonly name: string | null
  readonly at: string | null
  readonly reason: string | null
  readonly scopes: string[] | null
  readonly count: number | null
}

const NOTHING = { subject: null, name: null, at: null, reason: null, scopes: null, count: null } as const

type Kind = Pick<Attention, 'kind' | 'severity'>
const item = (kind: Kind, about: Partial<Attention> = {}): Attention => ({ ...NOTHING, ...about, ...kind })

export type Unconsented = { readonly installations: number; readonly scopes: readonly string[] }

export type Known = {
  readonly app: App
  readonly programs: readonly AppProgram[]
  readonly facts: AppFacts
  readonly endpoints: readonly EndpointTrouble[]
  readonly secrets: readonly EndingSecret[]
  readonly limits: readonly NearLimit[]
  readonly unconsented: Unconsented
}

export function attentionOf(known: Known): Attention[] {
  const { app, endpoints, secrets, limits, unconsented } = known
  const all = [
    ...stopped(app),
    ...endpoints.flatMap(endpointItems),
    ...limits.map(limitItem),
    ...missingWebhookScope(known),
    ...secrets.map(({ key: subject, name, ends_at: at }) =>
      item({ kind: 'secret_ending', severity: 'warning' }, { subject, name, at }),
    ),
    ...(unconsented.installations === 0
      ? []
      : [
          item(
            { kind: 'scopes_not_consented', severity: 'info' },
            { scopes: [...unconsented.scopes], count: unconsented.installations },
          ),
        ]),
    ...pending(known),
  ]
  return SEVERITIES.flatMap((severity) => all.filter((one) => one.severity === severity))
}

function stopped({ state, suspended_at, suspended_reason, disabled_at }: App): Attention[] {
  if (state === 'suspended') {
    return [item({ kind: 'app_suspended', severity: 'danger' }, { at: suspended_at, reason: suspended_reason })]
  }
  return state === 'disabled' ? [item({ kind: 'app_disabled', severity: 'danger' }, { at: disabled_at })] : []
}

function endpointItems({ id, url, state, reason, failing_since, secret_ends_at }: EndpointTrouble): Attention[] {
  const about = { subject: id, name: url }
  const health =
    state === 'disabled'
      ? [item({ kind: 'endpoint_disabled', severity: 'danger' }, { ...about, reason })]
      : failing_since === null
        ? []
        : [item({ kind: 'endpoint_failing', severity: 'danger' }, { ...about, at: failing_since })]
  if (secret_ends_at === null) return health
  return [...health, item({ kind: 'signing_secret_ending', severity: 'warning' }, { ...about, at: secret_ends_at })]
}

function limitItem({ name, begins_at: at, rejected }: NearLimit): Attention {
  return rejected > 0
    ? item({ kind: 'limit_reached', severity: 'warning' }, { name, at, count: rejected })
    : item({ kind: 'limit_near', severity: 'warning' }, { name, at })
}

const WEBHOOK_SCOPES = ['read:webhooks', 'write:webhooks']

/** "Events are stored for apps that declare read:webhooks", which write:webhooks implies. */
function missingWebhookScope({ app, facts }: Known): Attention[] {
  if (!facts.has_endpoint || app.scopes.some((scope) => WEBHOOK_SCOPES.includes(scope))) return []
  return [item({ kind: 'events_need_scope', severity: 'warning' }, { scopes: ['read:webhooks'] })]
}

function pending({ app: { pii_requested_at, pii_approved_at }, programs }: Known): Attention[] {
  const kind = { kind: 'approval_pending', severity: 'info' } as const
  const pii =
    pii_requested_at === null || pii_approved_at !== null
      ? []
      : [item(kind, { name: 'investor_pii', at: pii_requested_at })]
  const waiting = programs.filter(({ requested_at, approved_at }) => requested_at !== null && approved_at === null)
  return [...pii, ...waiting.map(({ program: name, requested_at: at }) => item(kind, { name, at }))]
}

export const STEPS = ['create_key', 'call_api', 'declare_scopes', 'add_endpoint', 'install', 'receive_event'] as const

export function stepsOf({ scopes }: App, facts: AppFacts): { step: (typeof STEPS)[number]; done: boolean }[] {
  const done = {
    create_key: facts.has_key,
    call_api: facts.has_request,
    declare_scopes: scopes.length > 0,
    add_endpoint: facts.has_endpoint,
    install: facts.has_installation,
    receive_event: facts.has_delivery,
  }
  return STEPS.map((step) => ({ step, done: done[step] }))
}
