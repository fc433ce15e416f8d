import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { narrowInstallations, revokeInstallation } from '#access/installations/index.ts'
import { forgetUser } from '#intake/facts/index.ts'
import type { Id } from '#kernel/ids.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeConnection, testChangeContext } from '#test/installations.ts'
import { type FanStage, openFanStage } from '../fan-out/testing/stage.ts'
import { cancelDeliveries } from './stop-deliveries.ts'
import { FORMS, WAITING } from './testing/pack-store.ts'

describe.each(FORMS)('%s', (form) => {
  let stage: FanStage
  beforeAll(async () => {
    stage = await openFanStage(form)
  })
  afterAll(() => stage.close())

  const changeContext = () => testChangeContext([cancelDeliveries])

  /** An app on a company with an app-wide and a bound endpoint, and a waiting delivery for each. */
  async function withWaitingDeliveries() {
    const app = await stage.app()
    const company = await stage.company()
    const installation = await stage.install(app, { company }, ['read:companies'])
    const wide = await stage.listen(app)
    const bound = await stage.listen(app, { boundTo: installation })
    await stage.happen('offering.opened', { companyId: company })
    expect(await stage.deliveries(app)).toHaveLength(2)
    return { app, company, installation, wide, bound }
  }

  const history = (installation: Id<'installation'>) =>
    stage.db.sql('select endpoint_id, state, reason, attempts from test.delivery_history where installation_id = $1', [
      installation,
    ])
  const states = (endpoint: Id<'webhookEndpoint'>) =>
    stage.db.sql(
      `select w.state, w.disabled_reason, l.state as lane
         from platform.webhook_endpoints w join test.webhook_lanes l on l.endpoint_id = w.id where w.id = $1`,
      [endpoint],
    )
  const DISABLED = [{ state: 'disabled', disabled_reason: 'installation_revoked', lane: 'disabled' }]
  const ENABLED = [{ state: 'enabled', disabled_reason: null, lane: 'enabled' }]

  describe('a revocation', () => {
    test('cancels queued deliveries at once and records them in the history with the reason', async () => {
      const { installation, wide, bound } = await withWaitingDeliveries()
      await stage.arrange((tx) => revokeInstallation(tx, { id: installation, role: 'founder' }, changeContext()))
      const rows = await history(installation)
      expect(rows).toHaveLength(2)
      for (const endpoint_id of [wide, bound]) {
        expect(rows).toContainEqual({ endpoint_id, state: 'canceled', reason: 'installation_revoked', attempts: [] })
      }
      expect(await stage.db.sql(`select id from ${WAITING} q where installation_id = $1`, [installation])).toEqual([])
    })

    test('disables bound endpoints; app-wide endpoints get the event of the revocation', async () => {
      const { app, installation, wide, bound } = await withWaitingDeliveries()
      await stage.arrange((tx) => revokeInstallation(tx, { id: installation, role: 'founder' }, changeContext()))
      expect(await states(bound)).toEqual(DISABLED)
      expect(await states(wide)).toEqual(ENABLED)
      const sent = await stage.deliveries(app)
      expect(sent).toMatchObject([{ endpoint: wide, refused: null }])
      expect(sent[0]?.envelope).toMatchObject({
        event: 'installation.revoked',
        installation: { id: installation },
        data: { status: 'revoked', revoked_by: { role: 'founder' } },
      })
    })

    test('that is rolled back cancels nothing', async () => {
      const { app, installation, bound } = await withWaitingDeliveries()
      const failed = stage.arrange(async (tx) => {
        await revokeInstallation(tx, { id: installation, role: 'founder' }, changeContext())
        throw new Error('rolled back')
      })
      await expect(failed).rejects.toThrow('rolled back')
      expect(await stage.deliveries(app)).toHaveLength(2)
      expect(await states(bound)).toEqual(ENABLED)
    })

    test('keeps deliveries to other installations of the app, and to other apps on the company', async () => {
      const { app, company, installation } = await withWaitingDeliveries()
      const other = await stage.app()
      await stage.install(other, { company }, ['read:companies'])
      await stage.listen(other)
      const elsewhere = await stage.company()
      const second = await stage.install(app, { company: elsewhere }, ['read:companies'])
      const boundToSecond = await stage.listen(app, { boundTo: second })
      for (const companyId of [company, elsewhere]) await stage.happen('offering.closed', { companyId })
      await stage.deliveries()
      await stage.arrange((tx) => revokeInstallation(tx, { id: installation, role: 'founder' }, changeContext()))
      const left = await stage.deliveries(app, other)
      const names = left.map(({ envelope }) => envelope['event']).toSorted()
      expect(names).toEqual(['installation.revoked', 'offering.closed', 'offering.closed', 'offering.closed'])
      expect(await states(boundToSecond)).toEqual(ENABLED)
    })

    test('by the removal of its only scope cancels deliveries and disables endpoints in its world', async () => {
      const { app, installation, bound } = await withWaitingDeliveries()
      const narrowing = { app, allowed: [], removed: ['read:companies'], world: 'test', role: 'partner' } as const
      await stage.db.databases.platform.transaction((tx) => narrowInstallations(tx, narrowing, changeContext()))
      expect(await history(installation)).toHaveLength(2)
      expect(await states(bound)).toEqual(DISABLED)
      expect((await stage.deliveries(app)).map(({ envelope }) => envelope['event'])).toEqual(['installation.revoked'])
    })

    test('leaves a removed endpoint removed', async () => {
      const { installation, bound } = await withWaitingDeliveries()
      await stage.db.sql(`update platform.webhook_endpoints set state = 'removed' where id = $1`, [bound])
      await stage.db.sql(`update test.webhook_lanes set state = 'removed' where endpoint_id = $1`, [bound])
      await stage.arrange((tx) => revokeInstallation(tx, { id: installation, role: 'founder' }, changeContext()))
      expect(await states(bound)).toEqual([{ state: 'removed', disabled_reason: null, lane: 'removed' }])
    })
  })

  describe('a user’s connection', () => {
    test('that is superseded has its bound endpoints disabled and its queued deliveries canceled', async () => {
      const app = await stage.app()
      const userId = await stage.user()
      const connect = (scopes: readonly string[]) =>
        stage.arrange((tx) => makeConnection(tx, { appId: app, userId, scopes }, changeContext()))
      const { id } = await connect(['read:investments'])
      const bound = await stage.listen(app, { boundTo: id })
      await stage.happen('investment.changed', { userId })
      expect(await stage.deliveries(app)).toHaveLength(1)
      await connect(['read:profile', 'read:investments'])
      expect(await states(bound)).toEqual(DISABLED)
      expect(await history(id)).toHaveLength(1)
    })

    test('of a person who leaves the platform has its queued deliveries canceled', async () => {
      const app = await stage.app()
      const userId = await stage.user()
      const { id } = await stage.arrange((tx) =>
        makeConnection(tx, { appId: app, userId, scopes: ['read:investments'] }, changeContext()),
      )
      await stage.listen(app)
      await stage.happen('investment.changed', { userId })
      await stage.deliveries(app)
      await stage.arrange((tx) => forgetUser(tx, userId, occasionAt()))
      expect(await history(id)).toMatchObject([{ state: 'canceled', reason: 'installation_revoked' }])
    })
  })
})
