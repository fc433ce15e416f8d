import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findTeamRole } from '#access/apps/index.ts'
import { type PartnerService, partnerService, type Sender } from '#access/apps/testing/partner-service.ts'
import { aStranger, aTeam, type Team } from '#access/apps/testing/team.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { WORLDS } from '#kernel/world.ts'
import { aMember, anAccount, anApp } from '#test/apps.ts'
import { findRole, type OrganizationRole, purgeInvitations } from './index.ts'
import { INVITATIONS_MAX, TEAM_MAX } from './invitation-routes.ts'

let service: PartnerService
beforeAll(async () => {
  service = await partnerService()
})
afterAll(() => service.close())

const sql: PartnerService['db']['sql'] = (...query) => service.db.sql(...query)
const membersOf = ({ organization }: Team) => `/portal/api/organizations/${organization}/members`
const invitationsOf = ({ organization }: Team) => `/portal/api/organizations/${organization}/invitations`
const answering = ({ organization }: Team, verb: 'accept' | 'decline') =>
  `/portal/api/invitations/${organization}/${verb}`
const fieldsOf = ({ details }: { details?: object }) => (details as { fields: readonly object[] }).fields
const addressOf = (account: Id<'account'>) => `${account}@example.org`
const roleOf = ({ organization }: Team, account: Id<'account'>) =>
  findRole(service.db.databases.platform.reads, organization, account)
const auditOf = ({ organization }: Team) =>
  sql('select action, actor, details from platform.audit_entries where subject = $1 order by id', [organization])
const end = ({ organization }: Team) =>
  sql("update platform.organizations set state = 'ended', ended_at = now() where id = $1", [organization])

type Guest = { readonly account: Id<'account'>; readonly send: Sender }
type Asking = { readonly role?: OrganizationRole; readonly by?: OrganizationRole; readonly email?: string }

const aGuest = async (): Promise<Guest> => {
  const account = await anAccount(service.db, { name: 'Grace Hopper' })
  return { account, send: await service.as(account) }
}
const invite = (team: Team, { account }: Guest, { role = 'developer', by = 'owner', email }: Asking = {}) =>
  team[by].send('POST', membersOf(team), { email: email ?? addressOf(account), role })
const received = async ({ send }: Guest) => (await send('GET', '/portal/api/me')).data.attributes['invitations']

describe('POST /portal/api/organizations/{id}/members', () => {
  test('201 with an invitation; the person joins the team only when they accept it', async () => {
    const [team, guest] = [await aTeam(service), await aGuest()]
    const { status, data } = await invite(team, guest, { role: 'admin' })
    expect(status).toBe(201)
    expect(data).toEqual({
      id: expect.stringMatching(/^oi_/),
      type: 'invitation',
      attributes: {
        email: addressOf(guest.account).toLowerCase(),
        role: 'admin',
        invited_at: expect.any(String),
        expires_at: expect.any(String),
      },
    })
    const { invited_at, expires_at } = data.attributes
    const days = (Date.parse(String(expires_at)) - Date.parse(String(invited_at))) / 86_400_000
    expect(Math.round(days)).toBe(14)
    expect(await roleOf(team, guest.account)).toBeNull()
    expect((await guest.send('GET', `/portal/api/organizations/${team.organization}`)).status).toBe(404)
    expect((await team.developer.send('GET', membersOf(team))).list).toHaveLength(3)
    expect(await auditOf(team)).toEqual([
      {
        action: 'organization.member_invited',
        actor: team.owner.account,
        details: { invitation: data.id, role: 'admin' },
      },
    ])
  })

  test('the response is the same whether or not the address has an account', async () => {
    const [team, guest] = [await aTeam(service), await aGuest()]
    const disabled = await anAccount(service.db)
    await sql('update platform.accounts set disabled_at = now() where id = $1', [disabled])
    const shown = async (email: string) => {
      const { status, data } = await team.owner.send('POST', membersOf(team), { email, role: 'developer' })
      const { id: _id, attributes, ...rest } = data
      const { email: _email, invited_at: _invited, expires_at: _expires, ...otherFields } = attributes
      return [status, Object.keys(attributes), rest, otherFields]
    }
    const forUnknown = await shown(`${newId('account')}@example.org`)
    expect(await shown(addressOf(guest.account))).toEqual(forUnknown)
    expect(await shown(addressOf(disabled))).toEqual(forUnknown)
    expect(JSON.stringify((await team.owner.send('GET', invitationsOf(team))).list)).not.toContain('Grace')
  })

  test.each<[OrganizationRole, OrganizationRole, number]>([
    ['owner', 'owner', 201],
    ['admin', 'admin', 201],
    ['admin', 'developer', 201],
    ['admin', 'owner', 403],
    ['developer', 'developer', 403],
  ])('%s invites %s: %i', async (by, role, status) => {
    const [team, guest] = [await aTeam(service), await aGuest()]
    expect((await invite(team, guest, { by, role })).status).toBe(status)
    expect(await received(guest)).toHaveLength(status === 201 ? 1 : 0)
  })

  test('a second invitation replaces the first if the sender of the second may manage the role of the first', async () => {
    const [team, guest] = [await aTeam(service), await aGuest()]
    const first = await invite(team, guest)
    const second = await invite(team, guest, { role: 'owner', email: addressOf(guest.account).toUpperCase() })
    expect(second.data.id).not.toBe(first.data.id)
    expect((await team.owner.send('GET', invitationsOf(team))).list).toEqual([second.data])
    expect((await invite(team, guest, { by: 'admin', role: 'developer' })).status).toBe(403)
    expect(await received(guest)).toMatchObject([{ role: 'owner' }])
  })

  test('422 for a member of the team, whose address the team can see, and for an invalid address', async () => {
    const team = await aTeam(service)
    for (const email of [addressOf(team.developer.account).toUpperCase(), 'nobody', 'a@b@c']) {
      const { status, error } = await team.owner.send('POST', membersOf(team), { email, role: 'owner' })
      expect([status, fieldsOf(error)]).toMatchObject([422, [{ field: 'email' }]])
    }
    expect(await roleOf(team, team.developer.account)).toBe('developer')
  })

  test('404 for a stranger, 401 without sign-in, 409 if the platform ended the organization', async () => {
    const team = await aTeam(service)
    const body = { email: 'somebody@example.org', role: 'owner' }
    expect((await (await aStranger(service))('POST', membersOf(team), body)).status).toBe(404)
    expect((await (await service.as(null))('POST', membersOf(team), body)).status).toBe(401)
    await end(team)
    expect((await team.owner.send('POST', membersOf(team), body)).status).toBe(409)
  })

  test(`403 for the ${INVITATIONS_MAX + 1}st open invitation; expired invitations do not count`, async () => {
    const [team, guest] = [await aTeam(service), await aGuest()]
    for (let count = 0; count < INVITATIONS_MAX; count++) {
      await sql(
        `insert into platform.organization_invitations (id, organization_id, email, role, invited_by)
         values ($1, $2, $3, 'developer', $4)`,
        [newId('organizationInvitation'), team.organization, `guest${count}@example.org`, team.owner.account],
      )
    }
    expect(await invite(team, guest)).toMatchObject({ status: 403, error: { type: 'forbidden' } })
    await runOut(team, 'guest7@example.org')
    expect((await invite(team, guest)).status).toBe(201)
    const rows = await sql('select from platform.organization_invitations where organization_id = $1', [
      team.organization,
    ])
    expect(rows).toHaveLength(INVITATIONS_MAX)
  })
})

const runOut = ({ organization }: Team, email: string) =>
  sql(
    `update platform.organization_invitations
        set created_at = now() - interval '15 days', expires_at = now() - interval '1 day'
      where organization_id = $1 and email = lower($2)`,
    [organization, email],
  )

test('a person sees their valid invitations, also behind a hundred newer ones that are invalid', async () => {
  const [team, guest] = [await aTeam(service), await aGuest()]
  for (const role of ['owner', 'admin'] as const) {
    const other = await aTeam(service)
    expect((await invite(other, guest, { role: 'admin', by: role })).status).toBe(201)
  }
  expect((await invite(team, guest)).status).toBe(201)
  expect(await received(guest)).toHaveLength(3)
  const left = await anAccount(service.db)
  await sql(
    `with made as (
       insert into platform.organizations (id, name) select 'org_' || lpad(n::text, 24, '0'), 'Team ' || n
         from generate_series(1, 100) n returning id)
     insert into platform.organization_invitations (id, organization_id, email, role, invited_by)
     select 'oi_' || right(id, 24), id, lower($1), 'developer', $2 from made`,
    [addressOf(guest.account), left],
  )
  expect(await received(guest)).toHaveLength(3)
  await sql(`update platform.organization_members set role = 'admin' where organization_id = $1 and account_id = $2`, [
    team.organization,
    team.owner.account,
  ])
  expect(await received(guest)).toHaveLength(3)
  await sql(`update platform.organization_invitations set role = 'owner' where organization_id = $1`, [
    team.organization,
  ])
  expect(await received(guest)).toHaveLength(2)
})

describe('GET and DELETE /portal/api/organizations/{id}/invitations', () => {
  test('200 for every member; 404 for a stranger and for the invited person', async () => {
    const [team, guest] = [await aTeam(service), await aGuest()]
    const { data } = await invite(team, guest)
    expect((await team.developer.send('GET', invitationsOf(team))).list).toEqual([data])
    expect((await (await aStranger(service))('GET', invitationsOf(team))).status).toBe(404)
    expect((await guest.send('GET', invitationsOf(team))).status).toBe(404)
  })

  test('204: a withdrawn invitation cannot be accepted', async () => {
    const [team, guest] = [await aTeam(service), await aGuest()]
    const { data } = await invite(team, guest)
    expect((await team.admin.send('DELETE', `${invitationsOf(team)}/${data.id}`)).status).toBe(204)
    expect(await received(guest)).toEqual([])
    expect((await guest.send('POST', answering(team, 'accept'))).status).toBe(404)
    expect((await team.admin.send('DELETE', `${invitationsOf(team)}/${data.id}`)).status).toBe(404)
    expect(await auditOf(team)).toMatchObject([{}, { action: 'organization.invitation_withdrawn' }])
  })

  test('403 for a developer, and for an admin if the invited role is owner; 404 for a stranger, and under the id of another team', async () => {
    const [team, other, guest] = [await aTeam(service), await aTeam(service), await aGuest()]
    const { data } = await invite(team, guest, { role: 'owner' })
    const path = `${invitationsOf(team)}/${data.id}`
    const tries = [
      team.developer.send('DELETE', path),
      team.admin.send('DELETE', path),
      (await aStranger(service))('DELETE', path),
      other.owner.send('DELETE', `${invitationsOf(other)}/${data.id}`),
    ]
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([403, 403, 404, 404])
    expect(await received(guest)).toHaveLength(1)
  })
})

describe('GET /portal/api/me', () => {
  test('shows the invited person the team and the role, but not the sender', async () => {
    const [team, guest] = [await aTeam(service), await aGuest()]
    const { data } = await invite(team, guest, { role: 'admin' })
    const { invited_at, expires_at } = data.attributes
    expect(await received(guest)).toEqual([
      { organization: { id: team.organization, name: 'Partner' }, role: 'admin', invited_at, expires_at },
    ])
    expect(await received(await aGuest())).toEqual([])
  })

  test('shows no expired invitation, and no invitation of an ended organization', async () => {
    const [team, ended, guest] = [await aTeam(service), await aTeam(service), await aGuest()]
    await invite(team, guest)
    await invite(ended, guest)
    await runOut(team, addressOf(guest.account))
    await end(ended)
    expect(await received(guest)).toEqual([])
  })
})

describe('POST /portal/api/invitations/{organization_id}/accept', () => {
  test('200: the person is on the team with the offered role; audited; a second request is 404', async () => {
    const [team, guest] = [await aTeam(service), await aGuest()]
    const { data: invitation } = await invite(team, guest, { role: 'admin' })
    const { status, data } = await guest.send('POST', answering(team, 'accept'))
    expect(status).toBe(200)
    expect(data).toMatchObject({ id: team.organization, type: 'organization', attributes: { role: 'admin' } })
    expect(await roleOf(team, guest.account)).toBe('admin')
    expect(await received(guest)).toEqual([])
    expect((await team.owner.send('GET', invitationsOf(team))).list).toEqual([])
    expect((await auditOf(team))[1]).toEqual({
      action: 'organization.member_added',
      actor: guest.account,
      details: {
        invitation: invitation.id,
        account: guest.account,
        role: 'admin',
        invited_by: team.owner.account,
      },
    })
    expect((await guest.send('POST', answering(team, 'accept'))).status).toBe(404)
  })

  test('until the person accepts, they have no role in the apps of the team', async () => {
    const [team, guest] = [await aTeam(service), await aGuest()]
    const app = await anApp(service.db, { organization: team.organization })
    const known = () => Promise.all(WORLDS.map((world) => findTeamRole(worlds[world].reads, app, guest.account)))
    const worlds = service.db.databases
    await invite(team, guest, { role: 'owner' })
    expect(await known()).toEqual([null, null])
    await guest.send('POST', answering(team, 'accept'))
    expect(await known()).toEqual(['owner', 'owner'])
  })

  test('404 for a person who was not invited: a stranger, a member of the team, a member of another team', async () => {
    const [team, other, guest] = [await aTeam(service), await aTeam(service), await aGuest()]
    await invite(team, guest, { role: 'owner' })
    const tries = [
      (await aStranger(service))('POST', answering(team, 'accept')),
      team.admin.send('POST', answering(team, 'accept')),
      other.owner.send('POST', answering(team, 'accept')),
      guest.send('POST', answering(other, 'accept')),
    ]
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect((await (await service.as(null))('POST', answering(team, 'accept'))).status).toBe(401)
    expect((await guest.send('POST', answering(team, 'accept'), undefined, { 'x-portico-csrf': 'x' })).status).toBe(403)
    expect(await roleOf(team, guest.account)).toBeNull()
    expect(await roleOf(team, team.admin.account)).toBe('admin')
  })

  test('404 for an expired invitation', async () => {
    const [team, guest] = [await aTeam(service), await aGuest()]
    await invite(team, guest)
    await runOut(team, addressOf(guest.account))
    expect((await guest.send('POST', answering(team, 'accept'))).status).toBe(404)
    expect(await roleOf(team, guest.account)).toBeNull()
  })

  test.each<[string, (team: Team) => Promise<unknown>]>([
    ['was removed', (team) => team.owner.send('DELETE', `${membersOf(team)}/${team.admin.account}`)],
    [
      'became a developer',
      (team) => team.owner.send('PATCH', `${membersOf(team)}/${team.admin.account}`, { role: 'developer' }),
    ],
    [
      'was disabled',
      (team) => sql('update platform.accounts set disabled_at = now() where id = $1', [team.admin.account]),
    ],
  ])('404 if the sender %s meanwhile, because an invitation needs its sender’s role', async (_, change) => {
    const [team, guest] = [await aTeam(service), await aGuest()]
    await invite(team, guest, { by: 'admin' })
    await change(team)
    expect(await received(guest)).toEqual([])
    expect((await team.owner.send('GET', invitationsOf(team))).list).toEqual([])
    expect((await guest.send('POST', answering(team, 'accept'))).status).toBe(404)
    expect(await roleOf(team, guest.account)).toBeNull()
    // The team can invite the person again.
    expect((await invite(team, guest)).status).toBe(201)
    expect((await guest.send('POST', answering(team, 'accept'))).status).toBe(200)
  })

  test('404 if the invited role is owner and the sender is now an admin; an invitation for a developer still works', async () => {
    const [team, guest, other] = [await aTeam(service), await aGuest(), await aGuest()]
    const sender = await aMember(service.db, { organization: team.organization, role: 'owner' })
    const send = await service.as(sender)
    await send('POST', membersOf(team), { email: addressOf(guest.account), role: 'owner' })
    await send('POST', membersOf(team), { email: addressOf(other.account), role: 'developer' })
    await team.owner.send('PATCH', `${membersOf(team)}/${sender}`, { role: 'admin' })
    expect((await guest.send('POST', answering(team, 'accept'))).status).toBe(404)
    expect((await other.send('POST', answering(team, 'accept'))).status).toBe(200)
  })

  test('409 if the platform ended the organization; 403 if the team is full', async () => {
    const [ended, full, guest] = [await aTeam(service), await aTeam(service), await aGuest()]
    await invite(ended, guest)
    await invite(full, guest)
    await end(ended)
    expect(await guest.send('POST', answering(ended, 'accept'))).toMatchObject({
      status: 409,
      error: { details: { from: 'ended', event: 'accept_invitation' } },
    })
    for (let count = 3; count < TEAM_MAX; count++) {
      await aMember(service.db, { organization: full.organization, role: 'developer' })
    }
    expect(await guest.send('POST', answering(full, 'accept'))).toMatchObject({
      status: 403,
      error: { type: 'forbidden' },
    })
    expect(await roleOf(full, guest.account)).toBeNull()
  })

  test('if a person sends two requests to accept at once, one gets 200 and the other gets 404', async () => {
    const [team, guest] = [await aTeam(service), await aGuest()]
    await invite(team, guest)
    const responses = await Promise.all([1, 2].map(() => guest.send('POST', answering(team, 'accept'))))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404])
  })
})

describe('POST /portal/api/invitations/{organization_id}/decline', () => {
  test('204: neither the team nor the person sees the invitation any more; 404 for any other person', async () => {
    const [team, guest] = [await aTeam(service), await aGuest()]
    await invite(team, guest)
    expect((await (await aStranger(service))('POST', answering(team, 'decline'))).status).toBe(404)
    expect(await received(guest)).toHaveLength(1)
    expect((await guest.send('POST', answering(team, 'decline'))).status).toBe(204)
    expect(await received(guest)).toEqual([])
    expect((await team.owner.send('GET', invitationsOf(team))).list).toEqual([])
    expect((await guest.send('POST', answering(team, 'accept'))).status).toBe(404)
    expect((await auditOf(team))[1]).toMatchObject({
      action: 'organization.invitation_declined',
      actor: guest.account,
    })
  })
})

test('expired invitations are purged in batches; open invitations stay', async () => {
  await sql('delete from platform.organization_invitations')
  const [team, guests] = [await aTeam(service), await Promise.all([1, 2, 3, 4].map(aGuest))]
  for (const guest of guests) await invite(team, guest)
  for (const { account } of guests.slice(1)) await runOut(team, addressOf(account))
  const purge = () => service.db.databases.platform.transaction((tx) => purgeInvitations(tx, 2))
  expect([await purge(), await purge(), await purge()]).toEqual([2, 1, 0])
  expect(await sql('select email from platform.organization_invitations')).toHaveLength(1)
})

test('an invitation to an address with the Kelvin sign (U+212A) is not for the account whose address has an ASCII k', async () => {
  const team = await aTeam(service)
  const account = await anAccount(service.db, { email: 'kelvin@example.org' })
  const send = await service.as(account)
  await team.owner.send('POST', membersOf(team), { email: '\u212aelvin@example.org', role: 'developer' })
  expect((await send('POST', answering(team, 'accept'))).status).toBe(404)
  expect(await roleOf(team, account)).toBeNull()
})
