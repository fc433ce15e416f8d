import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anApp } from '#test/apps.ts'
import { type PartnerService, partnerService, type Sender } from './testing/partner-service.ts'
import { aTeam, type Team } from './testing/team.ts'

let service: PartnerService
beforeAll(async () => {
  service = await partnerService()
})
afterAll(() => service.close())

const LIVE_KEY = { mode: 'live', name: 'Server', client_type: 'confidential' }

/** A developer who has created a live key with an Idempotency-Key; `repeat` sends the same request again. */
async function aKeyMade(): Promise<{ team: Team; made: string; repeat: () => ReturnType<Sender> }> {
  const team = await aTeam(service)
  const app = await anApp(service.db, { organization: team.organization })
  const repeat = () =>
    team.developer.send('POST', `/portal/api/apps/${app}/keys`, LIVE_KEY, { 'idempotency-key': 'once' })
  const { status, client_secret } = await repeat()
  expect([status, client_secret]).toEqual([201, expect.stringMatching(/^sk_live_/)])
  return { team, made: String(client_secret), repeat }
}

const memberPath = ({ organization }: Team, account: string) =>
  `/portal/api/organizations/${organization}/members/${account}`

describe('a request repeated with its Idempotency-Key', () => {
  test('gets the stored response while its sender is on the team', async () => {
    const { made, repeat } = await aKeyMade()
    const again = await repeat()
    expect([again.status, again.client_secret]).toEqual([201, made])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  test('shows no secret to a person who was removed from the team', async () => {
    const { team, repeat } = await aKeyMade()
    await team.admin.send('DELETE', memberPath(team, team.developer.account))
    const again = await repeat()
    expect(again).toMatchObject({ status: 404, error: { type: 'not_found' } })
    expect(JSON.stringify(again)).not.toContain('sk_live_')
  })

  test('shows no secret to a person who left the team', async () => {
    const { team, repeat } = await aKeyMade()
    await team.developer.send('DELETE', memberPath(team, team.developer.account))
    expect((await repeat()).status).toBe(404)
  })

  test('is checked against the sender’s current role', async () => {
    const team = await aTeam(service)
    const app = await anApp(service.db, { organization: team.organization })
    const disable = () =>
      team.admin.send('POST', `/portal/api/apps/${app}/disable`, undefined, { 'idempotency-key': 'once' })
    expect((await disable()).status).toBe(200)
    await team.owner.send('PATCH', memberPath(team, team.admin.account), { role: 'developer' })
    expect((await disable()).status).toBe(403)
  })

  test('gets the stored response after another person was removed', async () => {
    const { team, made, repeat } = await aKeyMade()
    await team.owner.send('DELETE', memberPath(team, team.admin.account))
    expect((await repeat()).client_secret).toBe(made)
  })
})
