import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aClient, type StagedClient } from '#access/tokens/testing/stage.ts'
import type { Id } from '#kernel/ids.ts'
import { setRole } from '#market/companies/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeUser } from '#test/people.ts'
import { openSandbox, type Sandbox } from './testing/sandbox.ts'
import { makeSyndicate } from './testing/syndicate.ts'

let sandbox: Sandbox
let client: StagedClient
beforeAll(async () => {
  sandbox = await openSandbox()
  client = await aClient(sandbox.db, { scopes: ['read:companies', 'read:webhooks'], approved: true })
})
afterAll(() => sandbox.close())

const founded = () =>
  sandbox.arrange(async (tx) => {
    const [company, user] = [await makeCompany(tx, {}), await makeUser(tx)]
    await setRole(tx, { company, user, role: 'founder' }, occasionAt())
    return { company, user }
  })

const on = (company: Id<'company'>, user: Id<'user'>) => {
  return { client_id: client.keyId, target_type: 'company', target_id: company, user }
}

describe('POST /sandbox/installations', () => {
  test('201: a founder installs the app on their company, and installation.created is sent', async () => {
    const { company, user } = await founded()
    const { status, data, names, events } = await sandbox.play('/installations', on(company, user))
    expect(status).toBe(201)
    expect(data).toMatchObject({ status: 'active', tier: 'founder', target: { type: 'company', id: company } })
    expect(data['scopes']).toEqual(['read:companies', 'read:webhooks'])
    expect([names, events[0]?.data['id']]).toEqual([['installation.created'], data.id])
  })

  test('201: a manager installs the app on their syndicate', async () => {
    const { syndicate, manager } = await sandbox.arrange((tx) => makeSyndicate(tx))
    const body = { client_id: client.keyId, target_type: 'syndicate', target_id: syndicate, user: manager }
    const { data } = await sandbox.play('/installations', body)
    expect(data).toMatchObject({ tier: 'manager', target: { type: 'syndicate', id: syndicate } })
  })

  test('of ten concurrent requests one installs the app; the others get 409 already_installed', async () => {
    const { company, user } = await founded()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => sandbox.send('POST', '/installations', { body: on(company, user) })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
  })

  test('404 for a key of the live world, an unknown key, and a company that the user does not run', async () => {
    const { company, user } = await founded()
    const stranger = await sandbox.arrange((tx) => makeUser(tx))
    const live = await aClient(sandbox.db, { world: 'live', scopes: ['read:companies'], approved: true })
    const key = (client_id: string) => ({ ...on(company, user), client_id })
    for (const body of [key(live.keyId), key('pk_test_nobody'), on(company, stranger)]) {
      expect(await sandbox.refused('/installations', body)).toMatchObject({ status: 404, type: 'not_found' })
    }
  })

  test('403 for every token of an app, and for the operator’s key of the live world', async () => {
    const { company, user } = await founded()
    for (const as of ['at_test_client', 'at_test_user', 'at_test_install', 'ok_live_operator']) {
      const refused = await sandbox.refused('/installations', on(company, user), { as })
      expect(refused.status, as).toBe(403)
    }
  })
})
