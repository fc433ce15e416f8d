import { Type } from 'typebox'
import { readClient } from '#access/apps/index.ts'
import { InstallationSchema, installationRecord, installTargetOf } from '#access/installations/http.ts'
import { installApp } from '#access/installations/index.ts'
import { inSandbox, operator } from '#http/access.ts'
import type { Route } from '#http/route.ts'
import { exactly, idOf, oneOf } from '#http/schema-fields.ts'
import { notFound } from '#kernel/errors.ts'
import { parseClientId } from '#kernel/ids.ts'
import { operationOf, playRoute } from './play-route.ts'

const NewSandboxInstallation = exactly(
  {
    client_id: Type.String({ minLength: 1, maxLength: 100, description: 'A test key of the app, `pk_test_…`.' }),
    target_type: oneOf(['company', 'syndicate']),
    target_id: Type.String({ minLength: 1, maxLength: 100, examples: ['co_0V3xkQ2b9TzQ4mYcW8sLr7Hp'] }),
    user: idOf('user', 'Who installs it: one who runs the company, or a manager of the syndicate.'),
  },
  'NewSandboxInstallation',
)

/**
 * What a person does on the install page. Only the operator may: an installation shows records, and what a token may read
 * is decided by people even in the test world.
 */
export const installationRoutes: readonly Route[] = [
  playRoute({
    operation: operationOf('installation', 'create'),
    path: '/installations',
    summary: 'Create a sandbox installation',
    description:
      'The user installs the app on a company that they run or a syndicate that they manage, with everything that the app declares and they may grant. The app gets no token here: it mints one with its server key.',
    access: inSandbox(operator()),
    body: NewSandboxInstallation,
    record: InstallationSchema,
    status: 201,
    play: async (tx, { body: { client_id, target_type, target_id, user } }, occasion) => {
      const key = parseClientId(client_id)
      const client = key === null ? null : await readClient(tx, key.id)
      if (client === null) throw notFound(`${client_id} is no key of this world`)
      const target = installTargetOf(target_type, target_id)
      const wanted = { keyId: client.keyId, appId: client.appId, userId: user, target, scopes: null, tier: null }
      const { installation } = await installApp(tx, wanted, { ...occasion, onRevoked: [] })
      return installationRecord(installation)
    },
  }),
]
