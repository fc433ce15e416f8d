import { describe, expect, test } from 'vitest'
import { demoService } from './demo-service.ts'
import { type Client, type Credentials, connect } from './person.ts'

type Demo = {
  base_url: string
  operator_keys: { test: string }
  apps: { id: string; name: string; keys: (Client & { mode: string; type: string })[] }[]
  people: Record<'founder' | 'editor' | 'manager' | 'developer', Credentials & { id: string }>
}
type Fields = Record<string, unknown>
type Installation = Fields & { id: string; status: string; scopes: string[] }
type Eligible = { type: string; id: string; name: string; tier: string; installed: boolean; installation: unknown }
type Answer = {
  status: number
  data: Installation & Eligible
  list: (Installation & Eligible)[]
  meta: Fields
  token: Fields & { access_token: string; scope: string }
  error: { type: string; message: string; remediation?: string; details?: Fields }
}

let demo: Demo
let crm: Client
demoService<Demo>((made) => {
  demo = made
  const app = demo.apps.find(({ name }) => name === 'Fieldbook CRM')
  const key = app?.keys.find(({ mode, type }) => mode === 'test' && type === 'confidential')
  if (key === undefined) throw new Error('the demo has no such key')
  crm = key
})

/** Returns a function that calls the API with this token. */
const api =
  (token: string, always: Record<string, string> = {}) =>
  async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await fetch(demo.base_url + path, {
      method,
      headers: { ...always, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const parsed = (await answer.json()) as Answer
    return { ...parsed, status: answer.status, list: parsed.data as unknown as Answer['list'] }
  }

const tokenOf = async (person: Credentials, scopes = ['write:installations']) =>
  (await connect(demo.base_url, person, { client: crm, scopes })).access_token

test('a founder installs an app, whose token with fewer scopes gets 403 for a dropped scope and, after revocation, 401', async () => {
  const founder = api(await tokenOf(demo.people.founder))
  const eligible = await founder('GET', '/installations/eligible?target_type=company')
  const target = eligible.list.find(({ tier }) => tier === 'founder')
  expect(target).toMatchObject({ type: 'company', installed: false, installation: null })

  const made = await founder('POST', '/installations', { target_type: 'company', target_id: target?.id })
  expect(made.status).toBe(201)
  expect(made.data).toMatchObject({
    status: 'active',
    target: { type: 'company', id: target?.id, name: target?.name },
    tier: 'founder',
    installed_by: { role: 'founder' },
  })
  // The founder is not on the app's team, and the platform has not approved the app for investor PII.
  expect(made.data.scopes).toContain('write:installations')
  expect(made.data.scopes).not.toContain('read:investors:pii')
  expect(made.token).toMatchObject({ token_type: 'Bearer', expires_in: 7_200, installation: made.data.id })
  expect(made.token.scope.split(' ')).toEqual(made.data.scopes)

  const again = await founder('POST', '/installations', { target_type: 'company', target_id: target?.id })
  expect([again.status, again.error.type]).toEqual([409, 'already_installed'])
  expect(again.error.details).toEqual({ installation: made.data.id })

  // The app's developer, who has no role at the company, sees the installation and mints a token.
  const developer = api(await tokenOf(demo.people.developer))
  const path = `/installations/${made.data.id}`
  expect((await developer('GET', '/installations')).list.map(({ id }) => id)).toContain(made.data.id)
  const scopes = ['read:companies', 'read:installations']
  const minted = await developer('POST', `${path}/tokens`, { scopes })
  expect([minted.status, minted.token.scope]).toEqual([201, 'read:companies read:installations'])

  const app = api(minted.token.access_token)
  expect((await app('GET', path)).data).toEqual(made.data)
  expect((await app('GET', '/sandbox/clock')).status).toBe(200)
  const refused = await app('DELETE', path)
  expect([refused.status, refused.error.type]).toEqual([403, 'insufficient_scope'])
  expect(refused.error.message).toContain('write:installations')
  expect(refused.error.remediation).toContain('This operation is for user tokens')

  const revoked = await founder('DELETE', path)
  expect([revoked.status, revoked.data]).toMatchObject([200, { status: 'revoked', revoked_by: { role: 'founder' } }])
  for (const token of [made.token, minted.token]) {
    const after = await api(token.access_token)('GET', path)
    expect([after.status, after.error.type]).toEqual([401, 'invalid_token'])
  }
  const late = await developer('POST', `${path}/tokens`)
  expect([late.status, late.error.type]).toEqual([409, 'installation_revoked'])
  const free = (await founder('GET', '/installations/eligible')).list.find(({ id }) => id === target?.id)
  expect(free).toMatchObject({ installed: false, installation: null })
})

test('an editor’s installation cannot write, and a stranger sees nothing', async () => {
  const editor = api(await tokenOf(demo.people.editor))
  const [target] = (await editor('GET', '/installations/eligible?target_type=company')).list
  const { data } = await editor('POST', '/installations', { target_type: 'company', target_id: target?.id })
  expect([data.tier, data.scopes.filter((name) => name.startsWith('write:'))]).toEqual(['editor', []])
  const stranger = api(await tokenOf(demo.people.manager))
  expect((await stranger('GET', `/installations/${data.id}`)).status).toBe(404)
  expect((await stranger('DELETE', `/installations/${data.id}`)).status).toBe(404)
  expect((await editor('DELETE', `/installations/${data.id}`)).status).toBe(200)
})

describe('an older client, which requests version 2026-10-01,', () => {
  test('gets nested records, and a token that expires by the rule of the app’s pinned version', async () => {
    const token = await tokenOf(demo.people.manager)
    const manager = api(token, { 'Wefunder-Version': '2026-10-01' })
    const [target] = (await manager('GET', '/installations/eligible?target_type=syndicate')).list
    const made = await manager('POST', '/installations', { target_type: 'syndicate', target_id: target?.id })
    expect(made.status).toBe(201)
    expect(made.data).toEqual({
      id: expect.stringMatching(/^inst_/),
      type: 'installation',
      attributes: {
        target: { type: 'syndicate', id: target?.id, name: target?.name },
        tier: 'manager',
        scopes: expect.arrayContaining(['write:syndicates']),
        status: 'active',
        installed_at: expect.any(String),
        installed_by: null,
        revoked_at: null,
      },
    })
    expect(made.token).toMatchObject({ expires_in: 7_200 })
    // The list of older versions does not contain the manager's own connection.
    expect((await manager('GET', '/installations')).list).toEqual([made.data])

    const operator = api(demo.operator_keys.test)
    expect((await operator('POST', '/sandbox/clock', { advance: 'P1D' })).status).toBe(200)
    expect((await manager('GET', '/installations')).status).toBe(401)
    const app = api(made.token.access_token)
    expect((await app('GET', `/installations/${made.data.id}`)).status).toBe(401)
    const staff = await operator('DELETE', `/platform/installations/${made.data.id}`)
    expect(staff.data).toMatchObject({ status: 'revoked', revoked_by: { role: 'wefunder' } })
  })
})
