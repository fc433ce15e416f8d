import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forgetUser } from '#intake/facts/forget-user.ts'
import { hideMember, inviteMember, leaveSyndicate } from '#market/syndicates/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeMembership } from '#test/syndicates.ts'
import { type DealStage, openDealStage, type Run } from './testing/deal-stage.ts'

let stage: DealStage
beforeAll(async () => {
  stage = await openDealStage()
})
afterAll(() => stage.close())

const statisticsOf = async ({ syndicate, send }: Run) => (await send('GET', `/syndicates/${syndicate}/statistics`)).data

describe('GET /syndicates/{syndicate_id}/statistics', () => {
  test('200 for a new syndicate', async () => {
    const run = await stage.run()
    expect(await statisticsOf(run)).toEqual({
      id: run.syndicate,
      type: 'syndicate_statistics',
      attributes: {
        total_members: 0,
        members_by_role: {},
        total_deals: 0,
        live_deals: 0,
        currency: 'usd',
        total_raised_cents: 0,
        raised_by_currency: [],
        total_investors: 0,
        recent_activity_count: 0,
      },
    })
  })

  test('counts members by role; former, hidden and deactivated members and applicants are not in the total', async () => {
    const run = await stage.run()
    const { syndicate, manager } = run
    const [stays, leaves, hides, gone] = [
      await stage.member(syndicate),
      await stage.member(syndicate),
      await stage.member(syndicate),
      await stage.member(syndicate),
    ]
    await stage.member(syndicate, manager)
    await stage.arrange(async (tx) => {
      await leaveSyndicate(tx, { id: leaves.id }, occasionAt())
      await hideMember(tx, { id: hides.id }, occasionAt())
      await makeMembership(tx, { syndicate, status: 'pending' })
      const invited = { syndicateId: syndicate, invitedBy: manager, email: `new-${syndicate}@example.org` }
      await inviteMember(tx, invited, occasionAt())
    })
    await stage.arrange((tx) => forgetUser(tx, gone.user, occasionAt()))
    const { attributes } = await statisticsOf(run)
    expect(attributes['total_members']).toBe([stays, manager].length)
    expect(attributes['members_by_role']).toEqual({
      ...{ member: 2, manager: 1, resigned: 1, exiled: 1, applicant: 1, invitee: 1 },
    })
  })

  test('counts all deals; the amount raised is that of each company’s latest deal, without reservations', async () => {
    const run = await stage.run()
    const { syndicate } = run
    const company = await stage.arrange((tx) => makeCompany(tx))
    const [earlier, later] = [await stage.deal(syndicate, { company }), await stage.deal(syndicate, { company })]
    await stage.db.sql(`update test.offerings set opens_at = opens_at - interval '1 day' where id = $1`, [earlier])
    const [waters, euros] = [
      await stage.deal(syndicate, { testing_the_waters: true }),
      await stage.deal(syndicate, { currency: 'eur', status: 'open' }),
    ]
    await stage.deal(syndicate, { status: 'closed' })
    await stage.deal(syndicate, { status: 'upcoming' })
    const [ada, mary] = [await stage.user(), await stage.user()]
    await stage.invest({ offering: earlier, user: mary, units: 9_000, as: 'executed' })
    await stage.invest({ offering: later, user: ada, units: 100, as: 'confirmed' })
    await stage.invest({ offering: later, user: ada, units: 200, as: 'executed' })
    await stage.invest({ offering: later, user: mary, units: 5_000 })
    await stage.invest({ offering: later, user: mary, units: 7_000, as: 'hidden' })
    await stage.invest({ offering: waters, user: mary, units: 800 })
    await stage.invest({ offering: euros, user: ada, units: 50, as: 'executed' })
    await stage.figures()
    const { attributes } = await statisticsOf(run)
    expect(attributes).toMatchObject({
      total_deals: 6,
      live_deals: 4,
      currency: 'usd',
      total_raised_cents: 30_000,
      raised_by_currency: [
        { currency: 'usd', total_raised_cents: 30_000 },
        { currency: 'eur', total_raised_cents: 5000 },
      ],
      total_investors: 1,
    })
  })

  test('counts only recent events of this syndicate', async () => {
    const [run, other] = [await stage.run(), await stage.run()]
    await stage.member(other.syndicate)
    const count = async () => Number((await statisticsOf(run)).attributes['recent_activity_count'])
    expect(await count()).toBe(0)
    const { id } = await stage.member(run.syndicate)
    await stage.db.sql(
      `update test.events set occurred_at = test.world_now() - interval '1 day' where syndicate_id = $1`,
      [run.syndicate],
    )
    const before = await count()
    expect(before).toBeGreaterThan(0)
    await stage.db.sql(
      `update test.events set occurred_at = test.world_now() - interval '31 days' where membership_id = $1`,
      [id],
    )
    expect(await count()).toBe(0)
  })
})
