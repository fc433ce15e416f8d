import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { envelopeSchema } from '#events/http.ts'
import type { EventName } from '#events/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { changeAmount, deactivateInvestor, executeInvestment } from '#market/investments/index.ts'
import { eraseMember, inviteMember } from '#market/syndicates/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { makeInvestmentSession, makeJoinSession } from '#test/sessions.ts'
import { makeMembership } from '#test/syndicates.ts'
import { type FanStage, openFanStage, type Place, type Sent } from '../fan-out/testing/stage.ts'

let stage: FanStage
beforeAll(async () => {
  stage = await openFanStage()
})
afterAll(() => stage.close())

/** An app that is installed on this place and has an endpoint. */
async function listening(on: Place, scopes: readonly string[], events?: readonly EventName[]) {
  const app = await stage.app()
  const installation = await stage.install(app, on, scopes)
  await stage.listen(app, events === undefined ? {} : { events })
  return { app, installation }
}

/** Returns the envelopes that the app would get, after a check against the schemas of the catalogue. */
async function envelopes(app: Id<'app'>): Promise<Sent['envelope'][]> {
  const sent = (await stage.deliveries(app)).map(({ envelope }) => envelope)
  for (const envelope of sent) {
    expect(Value.Errors(envelopeSchema(envelope['event'] as EventName), envelope)).toEqual([])
  }
  return sent
}

const ada = { name: 'Ada Lovelace', email: 'ada@example.org' }

describe('the envelope', () => {
  test('has only id, event, created_at, mode, installation (id and target) and data', async () => {
    const company = await stage.company()
    const { app, installation } = await listening({ company }, ['read:companies'])
    await stage.happen('offering.opened', { companyId: company })
    const [envelope] = await envelopes(app)
    expect(Object.keys(envelope ?? {})).toEqual(['id', 'event', 'created_at', 'mode', 'installation', 'data'])
    expect(envelope).toMatchObject({
      event: 'offering.opened',
      mode: 'test',
      installation: { id: installation, target: { type: 'company', id: company } },
    })
  })

  test('created_at is the world time at which the event was recorded; occurred_at is the event’s own time', async () => {
    const company = await stage.company()
    const { app } = await listening({ company }, ['read:companies'])
    await stage.happen('investment.created', { companyId: company })
    await stage.db.sql(`update test.world_clock set ahead = ahead + interval '720 hours'`)
    await stage.happen('investment.created', { companyId: company })
    // A move of the clock does not change the times of waiting deliveries.
    await stage.db.sql(`update test.world_clock set ahead = ahead + interval '720 hours'`)
    onTestFinished(async () => void (await stage.db.sql(`update test.world_clock set ahead = '0'`)))
    const sent = await envelopes(app)
    const recorded = await stage.db.sql<{ at: string }>(
      `select to_char((recorded_at + case when place = 2 then interval '720 hours' else '0' end) at time zone 'UTC',
                      'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
         from test.events join unnest($1::text[]) with ordinality as sent (id, place) using (id) order by place`,
      [sent.map((envelope) => envelope['id'])],
    )
    expect(sent.map((envelope) => envelope['created_at'])).toEqual(recorded.map(({ at }) => at))
    expect(sent.map(({ data }) => data['occurred_at'])).toEqual(sent.map(() => '2026-06-01T12:00:00.000000Z'))
  })
})

describe('investment events', () => {
  /** One investment of 250. Two apps are installed on its company, and the investor has connected two other apps. */
  async function invested() {
    const company = await stage.company()
    const investor = await stage.arrange((tx) => makeUser(tx, { ...ada, email: `${newId('user')}@example.org` }))
    const offering = await stage.arrange((tx) => makeOffering(tx, { company }))
    const seers = {
      plain: await listening({ company }, ['read:companies']),
      pii: await listening({ company }, ['read:companies', 'read:investors:pii']),
      own: await listening({ user: investor }, ['read:investments']),
      ownPii: await listening({ user: investor }, ['read:investments', 'read:investors:pii']),
    }
    const id = await stage.arrange((tx) => makeInvestment(tx, { offering, investor }))
    return { id, company, offering, investor, seers }
  }

  test('contain, for the company, amounts in whole units, the investor’s name and totals; the email only with read:investors:pii', async () => {
    const { id, offering, investor, seers } = await invested()
    const [plain] = await envelopes(seers.plain.app)
    expect(plain?.data).toEqual({
      id,
      status: 'active',
      offering,
      amounts: { committed: 250 },
      investor: { id: investor, name: 'Ada Lovelace' },
      investor_totals: {
        active_investment_count: 1,
        total_committed: 250,
        latest_applied_at: '2026-02-01T00:00:00.000000Z',
        investor_status: 'active',
      },
      occurred_at: '2026-02-01T00:00:00.000000Z',
    })
    const [pii] = await envelopes(seers.pii.app)
    expect(pii?.data['investor']).toEqual({ id: investor, name: 'Ada Lovelace', email: expect.stringContaining('@') })
  })

  test('contain, for the investor’s own apps, the name, but no totals and no email, whatever the scopes', async () => {
    const { investor, seers } = await invested()
    for (const { app, installation } of [seers.own, seers.ownPii]) {
      const [seen] = await envelopes(app)
      expect(seen?.['installation']).toEqual({ id: installation, target: { type: 'user', id: investor } })
      expect(seen?.data['investor']).toEqual({ id: investor, name: 'Ada Lovelace' })
      expect(seen?.data).not.toHaveProperty('investor_totals')
    }
  })

  test('have null in amounts only after an edit to zero, and never in previous_amounts; investment.executed has no occurred_at', async () => {
    const first = await invested()
    await stage.arrange((tx) => changeAmount(tx, { id: first.id, amount_cents: 0 as Cents }, occasionAt()))
    const zeroed = (await envelopes(first.seers.plain.app)).at(-1)
    expect(zeroed).toMatchObject({ event: 'investment.canceled', data: { amounts: { committed: null } } })
    const second = await invested()
    await stage.arrange((tx) => changeAmount(tx, { id: second.id, amount_cents: 50_000 as Cents }, occasionAt()))
    await stage.arrange((tx) => executeInvestment(tx, { id: second.id }, occasionAt()))
    const [, changed, executed] = await envelopes(second.seers.plain.app)
    expect(changed?.data).toMatchObject({ amounts: { committed: 500 }, previous_amounts: { committed: 250 } })
    expect(executed?.['event']).toBe('investment.executed')
    expect(executed?.data).not.toHaveProperty('occurred_at')
  })

  test('do not contain PII if the scope was lost while the delivery waited', async () => {
    const { seers } = await invested()
    await envelopes(seers.pii.app)
    await stage.db.sql(`update test.installations set scopes = '{read:companies}' where id = $1`, [
      seers.pii.installation,
    ])
    expect((await envelopes(seers.pii.app))[0]?.data['investor']).not.toHaveProperty('email')
  })

  test('have no name and no address once the investor was erased', async () => {
    const { investor, seers } = await invested()
    await envelopes(seers.pii.app)
    await stage.arrange((tx) => deactivateInvestor(tx, { id: investor, addresses: [] }, occasionAt()))
    expect((await envelopes(seers.pii.app))[0]?.data['investor']).toEqual({ id: investor, name: '[deleted user]' })
  })
})

describe('events of other groups, recorded by their own modules', () => {
  test('syndicate members: the event has the member’s name and address and the approver’s name', async () => {
    const syndicate = await stage.syndicate()
    const user = await stage.arrange((tx) => makeUser(tx, ada))
    const { app } = await listening({ syndicate }, ['read:syndicates'])
    await stage.arrange((tx) => makeMembership(tx, { syndicate, user, status: 'member' }))
    const seen = await envelopes(app)
    expect(seen.map((one) => one['event'])).toEqual([
      'syndicate_member.applied',
      'syndicate_member.approved',
      'syndicate_member.joined',
    ])
    for (const { data } of seen) expect(data['user']).toEqual({ id: user, ...ada })
    expect(seen.map(({ data }) => data['approved_by'])).toMatchObject([
      null,
      { name: 'Mary Manager' },
      { name: 'Mary Manager' },
    ])
  })

  test('invitations: the event has the invited address and no account', async () => {
    const syndicate = await stage.syndicate()
    const manager = await stage.user()
    const { app } = await listening({ syndicate }, ['read:syndicates'])
    const invitation = { syndicateId: syndicate, email: 'guest@example.org', name: 'Guest', invitedBy: manager }
    await stage.arrange((tx) => inviteMember(tx, invitation, occasionAt()))
    const [invited] = await envelopes(app)
    expect(invited?.data).toMatchObject({ email: 'guest@example.org', name: 'Guest', user: null })
  })

  test('erased members: queued events no longer have the name', async () => {
    const syndicate = await stage.syndicate()
    const user = await stage.user()
    const { app } = await listening({ syndicate }, ['read:syndicates'])
    await stage.arrange((tx) => makeMembership(tx, { syndicate, user }))
    await stage.arrange(async (tx) => {
      await eraseMember(tx, user, [])
      await deactivateInvestor(tx, { id: user, addresses: [] }, occasionAt())
    })
    expect((await envelopes(app))[0]?.data['user']).toEqual({ id: user, name: '[deleted user]', email: '' })
  })

  test('join sessions: the event has the person’s name once they have signed in', async () => {
    const syndicate = await stage.syndicate()
    const { app } = await listening({ syndicate }, ['read:syndicates'], ['join_session.pending_approval'])
    await stage.arrange((tx) => makeJoinSession(tx, { syndicateId: syndicate, status: 'pending_approval' }))
    expect(await envelopes(app)).toMatchObject([
      { data: { status: 'pending_approval', user: { name: 'Ada Lovelace' } } },
    ])
  })

  test('investment sessions: the installation that created the session sees the address without PII', async () => {
    const company = await stage.company()
    const offering = await stage.arrange((tx) => makeOffering(tx, { company }))
    const { app, installation } = await listening({ company }, ['read:investment_sessions'])
    await stage.arrange((tx) => makeInvestmentSession(tx, { offeringId: offering, installationId: installation }))
    expect(await envelopes(app)).toMatchObject([
      { event: 'investment_session.created', data: { email: 'investor@example.org', status: 'pending' } },
    ])
  })
})
