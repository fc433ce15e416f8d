import { type Static, Type } from 'typebox'
import {
  type App,
  type AppProgram,
  EDITORS,
  findApp,
  programsOf,
  requestedProgram,
  requireTeam,
} from '#access/apps/index.ts'
import { findInstallations, missingScopes } from '#access/installations/index.ts'
import { One, Resource } from '#access/organizations/http.ts'
import { takesEffectOn } from '#access/scopes/index.ts'
import { signedIn } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, nullable, oneOf, time } from '#http/schema-fields.ts'
import { notFound } from '#kernel/errors.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import {
  type AppFacts,
  type EndingSecret,
  type EndpointTrouble,
  findEndingSecrets,
  findEndpointTrouble,
  findFacts,
  findNearLimits,
  type NearLimit,
  newestInstallations,
} from './overview-store.ts'

/** The most urgent first. */
const SEVERITIES = ['danger', 'warning', 'info'] as const

/**
 * app_suspended            the platform suspended the app
 * app_disabled             the team disabled the app
 * endpoint_disabled        nothing is sent to the endpoint
 * endpoint_failing         deliveries have failed since the given time
 * limit_reached            requests of the last 24 hours were rejected with 429
 * limit_near               in the last 24 hours a token or key used at least four fifths of a limit
 * events_need_scope        no event is stored: the app has an endpoint, but declares no read:webhooks and no write:webhooks
 * secret_ending            a replaced client secret stops working at the given time
 * signing_secret_ending    a replaced signing secret stops signing at the given time
 * scopes_not_consented     installations lack scopes that the app declared later, or that people left out
 * approval_pending         the platform has not answered a request for an approval
 */
const ATTENTION_KINDS = [
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

type Unconsented = { readonly installations: number; readonly scopes: readonly string[] }

type Known = {
  readonly app: App
  readonly programs: readonly AppProgram[]
  readonly facts: AppFacts
  readonly endpoints: readonly EndpointTrouble[]
  readonly secrets: readonly EndingSecret[]
  readonly limits: readonly NearLimit[]
  readonly unconsented: Unconsented
}

function attentionOf(known: Known): Attention[] {
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

/** "Events are stored for apps that declare read:webhooks". The scope write:webhooks implies read:webhooks. */
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
  const waiting = programs.filter((program) => program.requested_at !== null && requestedProgram(program) !== null)
  return [...pii, ...waiting.map(({ program: name, requested_at: at }) => item(kind, { name, at }))]
}

const STEPS = ['create_key', 'call_api', 'declare_scopes', 'add_endpoint', 'install', 'receive_event'] as const

function stepsOf({ scopes }: App, facts: AppFacts): { step: (typeof STEPS)[number]; done: boolean }[] {
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

type Deps = {
  readonly databases: Readonly<Record<World, WorldDatabase>> & { readonly platform: PlatformDatabase }
}

const AttentionItem = exactly(
  {
    kind: oneOf(ATTENTION_KINDS),
    severity: oneOf(SEVERITIES),
    subject: nullable(Type.String(), 'The id of the webhook endpoint or the key.'),
    name: nullable(Type.String(), 'The endpoint’s URL, or the name of the key, the limit or the requested approval.'),
    at: nullable(
      time(),
      'When the app was suspended or disabled, when the endpoint began to fail (world time), the hour in which the limit was used, when the secret ends, or when the approval was requested.',
    ),
    reason: nullable(Type.String(), 'Why the app was suspended or the endpoint was disabled.'),
    scopes: nullable(Type.Array(Type.String()), 'Which scopes are missing.'),
    count: nullable(
      Type.Integer(),
      'How many installations lack one of the scopes, or how many requests were rejected in the hour.',
    ),
  },
  'AppAttention',
)

const Overview = Resource(
  { id: idOf('app'), type: 'app_overview', title: 'AppOverview' },
  {
    mode: oneOf(WORLDS),
    attention: Type.Array(AttentionItem, { description: 'What the team should look at now, the most urgent first.' }),
    first_steps: Type.Array(exactly({ step: oneOf(STEPS), done: Type.Boolean() }), {
      description: 'The steps from a new app to its first delivered event, in this order.',
    }),
  },
)

/** What the team of an app should do next. */
export const overviewRoutes = ({ databases }: Deps): Route[] => [
  route({
    ...{ tag: 'Portal', alias: false, access: signedIn() },
    operation: 'readAppOverview',
    method: 'GET',
    path: '/portal/api/apps/:app_id/overview',
    summary: 'Get an app’s overview',
    description:
      'Returns what needs attention at the app in one mode (`live`, if left out), and which of the first steps are done.',
    schema: {
      params: exactly({ app_id: idOf('app') }),
      query: Type.Object({ mode: Type.Optional(oneOf(WORLDS)) }),
      response: { 200: One(Overview) },
    },
    handler: async ({ caller, params: { app_id: id }, query: { mode = 'live' } }) => {
      const { reads } = databases.platform
      await requireTeam(reads, { account: caller.accountId, app: id }, EDITORS)
      const app = await findApp(reads, id)
      if (app === null) throw notFound(`app ${id} is unknown`)
      const programs = await programsOf(reads, [id])
      const [facts, endpoints, secrets, limits, unconsented] = await Promise.all([
        findFacts(reads, id, mode),
        findEndpointTrouble(reads, id, mode),
        findEndingSecrets(reads, id, mode),
        findNearLimits(reads, id, mode, NEAR_SHARE),
        unconsentedScopes(databases, app, { programs, mode }),
      ])
      const attention = attentionOf({ app, programs, facts, endpoints, secrets, limits, unconsented })
      const attributes: Static<typeof Overview>['attributes'] = { mode, attention, first_steps: stepsOf(app, facts) }
      return { status: 200, body: { data: { id, type: 'app_overview', attributes } } }
    },
  }),
]

/** A limit is near if at least this share of it is used. */
const NEAR_SHARE = 0.8

type Of = { readonly programs: readonly AppProgram[]; readonly mode: World }

/** Only this many of the newest installations are read. */
const LOOKED_AT_MAX = 100

/**
 * Scopes that people have not granted and that would have an effect, and how many of the newest installations lack at
 * least one of these scopes.
 */
async function unconsentedScopes(databases: Deps['databases'], app: App, { programs, mode }: Of): Promise<Unconsented> {
  const ids = await newestInstallations(databases.platform.reads, app.id, mode, LOOKED_AT_MAX)
  const wishes = { scopes: app.scopes, piiApproved: app.pii_approved_at !== null, programs }
  const missing = (await findInstallations(databases[mode].reads, ids)).map((installation) =>
    missingScopes(installation, wishes)
      .filter(({ scope, reason }) => reason === 'not_consented' && takesEffectOn(scope, installation.target.type))
      .map(({ scope }) => scope),
  )
  return { installations: missing.filter(({ length }) => length > 0).length, scopes: [...new Set(missing.flat())] }
}
