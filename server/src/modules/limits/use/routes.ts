import { Type } from 'typebox'
import { signedIn } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { WORLDS } from '#kernel/world.ts'
import { EDITORS, requireTeam } from '#modules/apps/index.ts'
import { Exactly, IdOf, One, OneOf, OrNull, Resource, Time } from '#modules/organizations/http.ts'
import { LIMIT_NAMES } from '../limit-table.ts'
import { readUse, type UseDeps } from './read-use.ts'

const Limit = Exactly({
  name: OneOf(LIMIT_NAMES),
  limit: OrNull(Type.Integer({ description: 'Null where it is lifted.' })),
  period: Type.Integer({ description: 'In seconds.' }),
  resets_at: Time,
})

const Used = Type.Integer({ minimum: 0 })
const mode = OneOf(WORLDS)
const ClientIdText = Type.String()

const AppLimits = Resource(
  { id: IdOf('app'), type: 'app_limits', title: 'AppLimits' },
  {
    limits: Type.Array(Limit),
    keys: Type.Array(Exactly({ id: ClientIdText, mode, token_requests: Used, public_reads: Used }), {
      description:
        'Counted by token_client and publishable_key; token_requests are those that proved to be the key’s own.',
    }),
    webhook_endpoints: Type.Array(Exactly({ id: IdOf('webhookEndpoint'), mode, tests: Used }), {
      description: 'Counted by webhook_test.',
    }),
    tokens: Type.Array(
      Exactly({
        mode,
        kind: OneOf(['client', 'user', 'installation']),
        client_id: ClientIdText,
        installation_id: OrNull(IdOf('installation')),
        requests: Used,
        new_intents: Used,
      }),
      {
        description: 'The busiest of each mode, counted by access_token and pending_intent; the tokens are not shown.',
      },
    ),
    tokens_complete: Type.Boolean({
      description:
        'False where a mode has more than 1,000 tokens in force: then only so many, any of them, were looked at.',
    }),
  },
)

/** For the app's own team. */
export const limitUseRoutes = (deps: UseDeps): Route[] => [
  route({
    tag: 'Portal',
    alias: false,
    access: signedIn(),
    operation: 'readAppLimits',
    method: 'GET',
    path: '/portal/api/apps/:app_id/limits',
    summary: 'Get an app’s rate limits',
    description: 'Returns the limits in force and how much of them the app has used in the current windows.',
    schema: { params: Exactly({ app_id: IdOf('app') }), response: { 200: One(AppLimits) } },
    handler: async ({ caller, params: { app_id: app } }) => {
      await requireTeam(deps.databases.platform.reads, { account: caller.accountId, app }, EDITORS)
      return { status: 200, body: { data: { id: app, type: 'app_limits', attributes: await readUse(deps, app) } } }
    },
  }),
]
