import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { revokeInstallation } from '#access/installations/index.ts'
import { cancelInvestmentSession } from '#hosted/sessions/index.ts'
import type { Id } from '#kernel/ids.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { testChangeContext } from '#test/installations.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeInvestmentSession } from '#test/sessions.ts'
import { cancelDeliveries } from '../queue/stop-deliveries.ts'
import { fanOut } from './fan-out.ts'
import { type FanStage, openFanStage, type Place } from './testing/stage.ts'

/**
 * "Investment session events go through the app's active installation on the session's company that holds
 * read:investment_sessions, chosen per event, else through the one that created the session. … Through the one that did not
 * create it, email only with read:investors:pii."
 */

let stage: FanStage
beforeAll(async () => {
  stage = await openFanStage()
})
afterAll(() => stage.close())

const SCOPE = 'read:investment_sessions'
const PII = 'read:investors:pii'
const EMAIL = 'investor@example.org'

/** An app on a syndicate, an offering of a company, and an endpoint of the whole app. */
async function scene() {
  const app = await stage.app()
  const [company, syndicate] = [await stage.company(), await stage.syndicate()]
  const offering = await stage.arrange((tx) => makeOffering(tx, { company }))
  const creator = await stage.install(app, { syndicate }, [SCOPE])
  const endpoint = await stage.listen(app, { events: ['investment_session.*'] })
  const created = (installationId = creator) =>
    stage.arrange((tx) => makeInvestmentSession(tx, { offeringId: offering, installationId }))
  const seen = async (...apps: readonly Id<'app'>[]) =>
    (await stage.deliveries(app, ...apps)).map(({ installation, refused, envelope }) => ({
      installation,
      refused,
      email: envelope.data['email'],
    }))
  return { app, company, syndicate, offering, creator, endpoint, created, seen }
}

const revoke = (id: Id<'installation'>, beforeCommit = async () => {}) =>
  stage.arrange(async (tx) => {
    await revokeInstallation(tx, { id, role: 'partner' }, testChangeContext([cancelDeliveries]))
    await beforeCommit()
  })
const sent = (installation: Id<'installation'>, email: string | null) => ({ installation, refused: null, email })

describe('the installation through which an investment session event is sent', () => {
  test('is the app’s installation on the company, and there is only one delivery', async () => {
    const it = await scene()
    const company = await stage.install(it.app, { company: it.company }, [SCOPE])
    await it.created()
    expect(await it.seen()).toEqual([sent(company, null)])
    const [{ envelope } = { envelope: { data: {} } }] = await stage.deliveries(it.app)
    expect(envelope).toMatchObject({ installation: { id: company, target: { type: 'company', id: it.company } } })
  })

  test('is the one that created the session if the app is not installed on the company, or only in the other world', async () => {
    const it = await scene()
    await stage.arrange((tx) => makeCompany(tx, { id: it.company }), 'live')
    await stage.install(it.app, { company: it.company }, [SCOPE], 'live')
    await stage.install(it.app, { company: await stage.company() }, [SCOPE])
    await stage.install(it.app, { syndicate: await stage.syndicate() }, [SCOPE])
    await it.created()
    expect(await it.seen()).toEqual([sent(it.creator, EMAIL)])
  })

  test('is the one that created the session if the company’s installation lacks read:investment_sessions', async () => {
    const it = await scene()
    await stage.install(it.app, { company: it.company }, ['read:companies', PII])
    await it.created()
    expect(await it.seen()).toEqual([sent(it.creator, EMAIL)])
  })

  test('is the company’s installation also with write:investment_sessions, which implies read:investment_sessions', async () => {
    const it = await scene()
    const company = await stage.install(it.app, { company: it.company }, ['write:investment_sessions'])
    await it.created()
    expect(await it.seen()).toEqual([sent(company, null)])
  })

  test('the installation is chosen for each event: it changes if the company’s installation is created, and again if that installation loses the scope', async () => {
    const it = await scene()
    const session = await it.created()
    const company = await stage.install(it.app, { company: it.company }, [SCOPE])
    await it.created()
    await stage.deliveries(it.app)
    await stage.db.sql(`update test.installations set scopes = '{read:companies}' where id = $1`, [company])
    await it.created()
    expect(await it.seen()).toEqual([
      sent(it.creator, EMAIL),
      // The waiting delivery of the company's installation is canceled, because that installation lost the scope.
      { installation: company, refused: 'scope_missing', email: undefined },
      sent(it.creator, EMAIL),
    ])
    await revoke(company)
    await stage.arrange((tx) => cancelInvestmentSession(tx, { id: session }, occasionAt()))
    expect((await it.seen()).at(-1)).toEqual(sent(it.creator, EMAIL))
  })

  test('is the one that created the session if the company’s installation is revoked before fan-out; nothing is canceled', async () => {
    const it = await scene()
    const company = await stage.install(it.app, { company: it.company }, [SCOPE])
    await it.created()
    await revoke(company)
    expect(await it.seen()).toEqual([sent(it.creator, EMAIL)])
    const history = await stage.db.sql('select id from test.delivery_history where installation_id = $1', [company])
    expect(history).toEqual([])
  })

  test('while the company’s installation is being revoked, the event is deferred, then sent through the one that created the session', async () => {
    const it = await scene()
    const company = await stage.install(it.app, { company: it.company }, [SCOPE])
    await it.created()
    await revoke(company, async () => {
      await stage.arrange((tx) => fanOut(tx, 10))
      expect(await stage.db.sql('select id from test.delivery_queue where endpoint_id = $1', [it.endpoint])).toEqual([])
    })
    await expect.poll(() => it.seen(), { interval: 20 }).toEqual([sent(it.creator, EMAIL)])
  })

  test('is the company’s installation if the one that created the session was revoked', async () => {
    const it = await scene()
    const session = await it.created()
    const company = await stage.install(it.app, { company: it.company }, [SCOPE])
    await stage.deliveries(it.app)
    await revoke(it.creator)
    await stage.arrange((tx) => cancelInvestmentSession(tx, { id: session }, occasionAt()))
    expect(await it.seen()).toEqual([sent(company, null)])
  })

  test('no installation receives the event if the company’s and the creating installation are revoked; an earlier delivery is canceled once', async () => {
    const it = await scene()
    const company = await stage.install(it.app, { company: it.company }, [SCOPE])
    await it.created()
    await revoke(company)
    await revoke(it.creator)
    await it.created()
    expect(await it.seen()).toEqual([])
    const history = await stage.db.sql(
      'select installation_id, reason from test.delivery_history where endpoint_id = $1',
      [it.endpoint],
    )
    expect(history).toEqual([{ installation_id: company, reason: 'installation_revoked' }])
  })

  test('is the current installation on the syndicate if the app was installed there again', async () => {
    const it = await scene()
    const session = await it.created()
    await stage.deliveries(it.app)
    await revoke(it.creator)
    const again = await stage.install(it.app, { syndicate: it.syndicate }, [SCOPE])
    await stage.arrange((tx) => cancelInvestmentSession(tx, { id: session }, occasionAt()))
    expect(await it.seen()).toEqual([sent(again, null)])
  })

  test('an endpoint that is bound to another installation does not receive the event', async () => {
    const it = await scene()
    const company = await stage.install(it.app, { company: it.company }, [SCOPE])
    const [toCompany, toCreator] = [
      await stage.listen(it.app, { boundTo: company }),
      await stage.listen(it.app, { boundTo: it.creator }),
    ]
    await it.created()
    const endpoints = (await stage.deliveries(it.app)).map(({ endpoint }) => endpoint)
    expect(endpoints.toSorted()).toEqual([it.endpoint, toCompany].toSorted())
    expect(endpoints).not.toContain(toCreator)
  })

  test('a suspended app receives nothing', async () => {
    const it = await scene()
    await stage.install(it.app, { company: it.company }, [SCOPE])
    await it.created()
    await stage.db.sql(
      `update platform.apps set suspended_at = clock_timestamp(), suspended_reason = 'Because.' where id = $1`,
      [it.app],
    )
    expect((await it.seen()).map(({ refused }) => refused)).toEqual(['app_inactive'])
  })

  test('other apps receive nothing, wherever they are installed', async () => {
    const it = await scene()
    const rival = await stage.app()
    const places: readonly Place[] = [
      { company: it.company },
      { syndicate: it.syndicate },
      { user: await stage.user() },
    ]
    for (const place of places) await stage.install(rival, place, [SCOPE, PII])
    await stage.listen(rival)
    await it.created()
    expect(await stage.deliveries(rival)).toEqual([])
  })
})

describe('the address in the event', () => {
  test('the address is shown through a company’s installation that did not create the session only with read:investors:pii', async () => {
    const it = await scene()
    const company = await stage.install(it.app, { company: it.company }, [SCOPE, PII])
    await it.created()
    expect(await it.seen()).toEqual([sent(company, EMAIL)])
    // The right to see the address is checked again at every send.
    await stage.db.sql('update test.installations set scopes = $2, pii_by = null where id = $1', [company, [SCOPE]])
    expect(await it.seen()).toEqual([sent(company, null)])
  })

  test('is always shown through the company’s installation if that installation created the session', async () => {
    const it = await scene()
    const company = await stage.install(it.app, { company: it.company }, [SCOPE])
    await it.created(company)
    expect(await it.seen()).toEqual([sent(company, EMAIL)])
  })

  test('is shown through a company’s new installation only with read:investors:pii', async () => {
    const it = await scene()
    const first = await stage.install(it.app, { company: it.company }, [SCOPE])
    const session = await it.created(first)
    await stage.deliveries(it.app)
    await revoke(first)
    const again = await stage.install(it.app, { company: it.company }, [SCOPE])
    await stage.arrange((tx) => cancelInvestmentSession(tx, { id: session }, occasionAt()))
    expect(await it.seen()).toEqual([sent(again, null)])
  })
})
