import { type Static, Type } from 'typebox'
import { type App, type AppProgram, EDITORS, findApp, programsOf, requireTeam } from '#access/apps/index.ts'
import { findInstallations, missingScopes } from '#access/installations/index.ts'
import { One, Resource } from '#access/organizations/http.ts'
import { takesEffectOn } from '#access/scopes/index.ts'
import { signedIn } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf, nullable, oneOf, time } from '#http/schema-fields.ts'
import { notFound } from '#kernel/errors.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import type { PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import { ATTENTION_KINDS, attentionOf, SEVERITIES, STEPS, stepsOf, type Unconsented } from './overview.ts'
import {
  findEndingSecrets,
  findEndpointTrouble,
  findFacts,
  findNearLimits,
  newestInstallations,
} from './overview-store.ts'

type Deps = {
  readonly databases: Readonly<Record<World, WorldDatabase>> & { readonly platform: PlatformDatabase }
}

const AttentionItem = exactly(
  {
    kind: oneOf(ATTENTION_KINDS),
    severity: oneOf(SEVERITIES),
    subject: nullable(Type.String(), 'The id of the webhook endpoint or the key that it is about.'),
    name: nullable(Type.String(), 'The endpoint’s URL, or the name of the key, the limit or the program.'),
    at: nullable(time(), 'When it began, or when it ends. For a failing endpoint, by the clock of the mode’s world.'),
    reason: nullable(Type.String(), 'Why the app or the endpoint was stopped.'),
    scopes: nullable(Type.Array(Type.String()), 'Which scopes are missing.'),
    count: nullable(Type.Integer(), 'How many installations lack them, or how many requests were rejected.'),
  },
  'AppAttention',
)

const Overview = Resource(
  { id: idOf('app'), type: 'app_overview', title: 'AppOverview' },
  {
    mode: oneOf(WORLDS),
    attention: Type.Array(AttentionItem, { description: 'What the team should look at now, the most urgent first.' }),
    first_steps: Type.Array(exactly({ step: oneOf(STEPS), done: Type.Boolean() }), {
      description: 'From a new app to its first delivered event, in this order. Read from what the app has done.',
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

/** Scopes that people could grant with effect and have not, and how many of the newest installations lack them. */
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
