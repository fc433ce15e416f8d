import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { aCompanyOf, installer, type Target } from '../installing.ts'
import type { Send } from '../sender.ts'
import type { App, Person } from '../stage.ts'
import { anInvestment, anOffering, type EventStage, openEventStage } from './stage.ts'

/** Sessions and links that the API creates, and the facts that the host platform then reports about them. */

let stage: EventStage
let founder: Person
let investor: Person
let offering: string
let company: string
beforeAll(async () => {
  stage = await openEventStage()
  founder = await stage.person()
  investor = await stage.person()
  company = (await aCompanyOf(stage, founder)).target_id
  offering = await anOffering(stage, company)
})
afterAll(() => stage.close())

const SCOPES = ['write:investment_sessions', 'write:invite_links']

type Partner = { readonly app: App; readonly installation: string; readonly send: Send }

const onCompany = () => installPartner(founder, { target_type: 'company', target_id: company })

async function installPartner(by: Person, target: Target): Promise<Partner> {
  const app = await stage.partner(SCOPES)
  const installation = await stage.install(app, by, target)
  const mint = await installer(stage, app, by)
  const minted = await mint('POST', `/installations/${installation}/tokens`)
  const { access_token } = minted.token ?? (minted.data as unknown as { access_token: string })
  return { app, installation, send: stage.api(access_token) }
}

describe('Investment session events', () => {
  test('of a session go only to the app that created the session through the API, not to other apps on the company', async () => {
    const [creator, other] = [await onCompany(), await onCompany()]
    const [hears, silent] = [await stage.listen(creator.app), await stage.listen(other.app)]
    const body = { investment_session: { spv_id: offering, platform_user_id: investor.user, allocation_cents: 25_000 } }
    const { data } = await creator.send('POST', '/partner/investment_sessions', body)
    await stage.sendFact('investment_session.started', { id: data.id, user: investor.user })
    const investment = await anInvestment(stage, { offering, investor })
    await stage.sendFact('investment.confirmed', { id: investment })
    await stage.sendFact('investment_session.completed', { id: data.id, investment })
    const ours = (await hears.received()).filter(({ event }) => event.startsWith('investment_session.'))
    // Two of these events have times of the host's clock and one has a time of our clock, so their order within a
    // millisecond is undefined.
    expect(ours.map(({ event }) => event).sort()).toEqual([
      'investment_session.completed',
      'investment_session.created',
      'investment_session.started',
    ])
    expect(JSON.stringify(ours)).not.toContain(investor.email)
    expect((await silent.received()).filter(({ event }) => event.startsWith('investment_session.'))).toEqual([])
    const { attributes } = (await creator.send('GET', `/partner/investment_sessions/${data.id}`)).data
    expect(attributes).toMatchObject({ status: 'completed', investment_id: investment })
    const listed = attributes['events'] as readonly { id: string }[]
    expect(listed.map(({ id }) => id).sort()).toEqual(ours.map(({ id }) => id).sort())
  })
})

describe('On a syndicate that runs the offering', () => {
  test('events of a session are sent to the installation that created it', async () => {
    const manager = await stage.person()
    const syndicate = await stage.syndicate(manager)
    await stage.sendFact('syndicate.deal_added', { syndicate, offering })
    const creator = await installPartner(manager, { target_type: 'syndicate', target_id: syndicate })
    const other = await onCompany()
    const [hears, silent] = [await stage.listen(creator.app), await stage.listen(other.app)]
    const body = { investment_session: { spv_id: offering, platform_user_id: investor.user } }
    const { data } = await creator.send('POST', '/partner/investment_sessions', body)
    await creator.send('DELETE', `/partner/investment_sessions/${data.id}`)
    const ours = (await hears.received()).filter(({ event }) => event.startsWith('investment_session.'))
    expect(ours.map(({ event }) => event).sort()).toEqual(['investment_session.canceled', 'investment_session.created'])
    expect((await silent.received()).filter(({ event }) => event.startsWith('investment_session.'))).toEqual([])
  })
})

describe('Invite links', () => {
  const make = async ({ send }: { readonly send: Send }, invite_link: object) =>
    (await send('POST', `/partner/spvs/${offering}/invite_links`, { invite_link })).data.id
  const read = async ({ send }: { readonly send: Send }, id: string) =>
    (await send('GET', `/partner/spvs/${offering}/invite_links/${id}`)).data.attributes

  test('an investment that names its link counts as a use of the link', async () => {
    const partner = await onCompany()
    const link = await make(partner, { platform_user_id: investor.user, send_email: false })
    const id = newId('investment')
    const fact = { id, offering, investor: investor.user, amount_cents: 25_000, currency: 'usd', invite_link: link }
    await stage.sendFact('investment.created', fact)
    expect(await read(partner, link)).toMatchObject({ status: 'invested', investment_id: id, uses_count: 1 })
    await stage.sendFact('investment.canceled', { id })
    expect(await read(partner, link)).toMatchObject({ status: 'opened', investment_id: null, uses_count: 0 })
  })

  test('a fact with a link for another person, or with an unknown link, is rejected as a whole', async () => {
    const partner = await onCompany()
    const link = await make(partner, { platform_user_id: founder.user, send_email: false })
    for (const invite_link of [link, newId('inviteLink')]) {
      const id = newId('investment')
      const fact = { id, offering, investor: investor.user, amount_cents: 25_000, currency: 'usd', invite_link }
      await expect(stage.sendFact('investment.created', fact)).rejects.toThrow(/refused/)
    }
    expect(await read(partner, link)).toMatchObject({ status: 'pending', uses_count: 0 })
  })

  test('a use in the sandbox counts too', async () => {
    const partner = await onCompany()
    const invite_link = await make(partner, { max_uses: 3 })
    const body = { offering, investor: investor.user, amount_cents: 10_000, invite_link }
    expect((await partner.send('POST', '/sandbox/investments', body)).status).toBe(201)
    expect(await read(partner, invite_link)).toMatchObject({ uses_count: 1 })
  })

  test('the link for an erased user loses the email address and is revoked', async () => {
    const partner = await onCompany()
    const leaving = await stage.person()
    const link = await make(partner, { email: leaving.email, first_name: 'Ada', send_email: false })
    await stage.sendFact('user.deactivated', { id: leaving.user })
    expect(await read(partner, link)).toMatchObject({ email: null, active: false, status: 'revoked' })
  })
})
