import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readError } from '#http/testing/error-response.ts'
import { forgetUser } from '#intake/facts/index.ts'
import { type IdKind, newId } from '#kernel/ids.ts'
import { FACT_SETTINGS } from '#test/fact-settings.ts'
import { sandboxRoutes } from './http.ts'
import { GRACE_DAYS, openSandbox, type Sandbox } from './testing/sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.close())

// role-matrix.test.ts checks which roles may call the routes under /platform.
const routes = sandboxRoutes({ ...FACT_SETTINGS, reinstatementGraceDays: GRACE_DAYS, forgetUser }).filter(({ path }) =>
  path.startsWith('/sandbox'),
)

const KIND: Readonly<Record<string, IdKind>> = {
  investments: 'investment',
  users: 'user',
  offerings: 'offering',
  syndicates: 'syndicate',
  memberships: 'membership',
  join_sessions: 'joinSession',
  investment_sessions: 'investmentSession',
}

const BODY: Readonly<Record<string, object | string>> = {
  sandboxInvestmentCreate: { offering: newId('offering'), investor: newId('user'), amount_cents: 100 },
  sandboxInvestmentChangeAmount: { amount_cents: 100 },
  sandboxInvestmentMove: { offering: newId('offering') },
  sandboxUserVisit: { company: newId('company'), ref: 'spring-26' },
  sandboxSyndicateInvite: { email: 'a@example.org' },
  sandboxSyndicateReinvite: { email: 'a@example.org' },
  sandboxSyndicateApply: { user: newId('user') },
  sandboxSyndicateJoin: { user: newId('user') },
  sandboxJoinSessionCreate: { syndicate: newId('syndicate') },
  sandboxJoinSessionSignIn: { user: newId('user') },
  sandboxJoinSessionMarkIneligible: { reason: 'blocked' },
  sandboxInvestmentSessionCreate: { offering: newId('offering'), email: 'a@example.org' },
  sandboxInstallationCreate: {
    client_id: `pk_test_${'z'.repeat(24)}`,
    target_type: 'company',
    target_id: newId('company'),
    user: newId('user'),
  },
  advanceSandboxClock: { advance: 'P1D' },
}

/** Every route with a well-formed id and body, for records that do not exist. */
const requests = routes.map(({ operation, method, path, access }) => {
  const plural = /^\/sandbox\/(\w+)\/:id/.exec(path)?.[1] ?? ''
  const id = newId(KIND[plural] ?? 'user')
  const holders = access.kind === 'token' ? access.holders : []
  return { operation, method, path: path.replace('/sandbox', '').replace(':id', id), body: BODY[operation], holders }
})

const BEARER = { operator: 'ok', client: 'at', user: 'at', installation: 'at', publishable: 'pk' } as const
const NAME = {
  operator: 'operator',
  client: 'client',
  user: 'user',
  installation: 'install',
  publishable: 'public',
} as const
const KINDS = ['operator', 'client', 'user', 'installation', 'publishable'] as const
const bearer = (kind: (typeof KINDS)[number], world: 'test' | 'live') => `${BEARER[kind]}_${world}_${NAME[kind]}`

async function responseTo(request: (typeof requests)[number], as: string): Promise<string> {
  const { method, path, body } = request
  const response = await sandbox.send(method as 'GET' | 'POST', path, { as, body })
  return response.ok ? String(response.status) : `${response.status} ${(await readError(response)).type}`
}

describe.each(requests)('$operation', (request) => {
  test('403 sandbox_only for every live credential, before any other check', async () => {
    for (const kind of KINDS) {
      expect(await responseTo(request, bearer(kind, 'live')), kind).toBe('403 sandbox_only')
      if (request.method === 'GET') continue
      expect(await responseTo({ ...request, body: '{not json' }, bearer(kind, 'live')), kind).toBe('403 sandbox_only')
    }
  })

  test('403 for callers without access; 401 for an unknown token', async () => {
    for (const kind of KINDS.filter((each) => !request.holders.includes(each))) {
      // On a route that serves apps, a publishable key gets insufficient_scope, because the key can never have the
      // right scope. On a route for operators only, the key gets forbidden.
      const ofApi = request.holders.some((holder) => holder !== 'operator')
      const expectedType = kind === 'publishable' && ofApi ? 'insufficient_scope' : 'forbidden'
      expect(await responseTo(request, bearer(kind, 'test')), kind).toBe(`403 ${expectedType}`)
    }
    expect(await responseTo(request, 'at_test_unknown')).toBe('401 invalid_token')
  })

  test('in the test world every permitted caller gets 404 for the missing record, or 200 from the clock', async () => {
    const reached = request.path === '/clock' ? '200' : '404 not_found'
    for (const kind of KINDS.filter((each) => request.holders.includes(each))) {
      expect(await responseTo(request, bearer(kind, 'test')), kind).toBe(reached)
    }
  })
})
