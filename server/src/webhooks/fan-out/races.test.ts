import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { narrowInstallations, revokeInstallation } from '#access/installations/index.ts'
import type { Id } from '#kernel/ids.ts'
import { testChangeContext } from '#test/installations.ts'
import { cancelDeliveries } from '../queue/stop-deliveries.ts'
import { fanOut } from './fan-out.ts'
import { type FanStage, openFanStage } from './testing/stage.ts'

let stage: FanStage
beforeAll(async () => {
  stage = await openFanStage()
})
afterAll(() => stage.close())

async function onACompany() {
  const app = await stage.app()
  const company = await stage.company()
  const installation = await stage.install(app, { company }, ['read:companies', 'read:investments'])
  await stage.listen(app)
  return { app, company, installation }
}

const revoke = (id: Id<'installation'>, before = async () => {}) =>
  stage.arrange(async (tx) => {
    await revokeInstallation(tx, { id, role: 'partner' }, testChangeContext([cancelDeliveries]))
    await before()
  })
const canceled = (installation: Id<'installation'>) =>
  stage.db.sql<{ state: string; reason: string }>(
    'select state, reason from test.delivery_history where installation_id = $1',
    [installation],
  )
const REVOKED = [{ state: 'canceled', reason: 'installation_revoked' }]
const POLL = { interval: 20 }
const deferred = () => stage.db.sql<{ event_id: string }>('select event_id, app_id from test.deferred_events')
/** Retries deferred events and returns those that are still deferred. */
const nowDeferred = async () => {
  await stage.deliveries()
  return deferred()
}
const nowCanceled = async (installation: Id<'installation'>) => {
  await stage.deliveries()
  return canceled(installation)
}
const names = async (app: Id<'app'>) => (await stage.deliveries(app)).map(({ envelope }) => envelope['event'])

describe('a revocation at the same time as fan-out', () => {
  test('if fan-out is first, the revocation waits for it and cancels the new deliveries', async () => {
    const { app, company, installation } = await onACompany()
    await stage.happen('offering.opened', { companyId: company })
    let revoked: Promise<void> | undefined
    await stage.arrange(async (tx) => {
      await fanOut(tx, 10)
      revoked = revoke(installation)
      await stage.db.untilTransactionWaits()
    })
    await revoked
    expect(await canceled(installation)).toEqual(REVOKED)
    expect(await names(app)).toEqual(['installation.revoked'])
  })

  test('if the revocation is first, fan-out skips the installation, and records deliveries of earlier events as canceled', async () => {
    const { app, company, installation } = await onACompany()
    await stage.happen('offering.opened', { companyId: company })
    await revoke(installation, async () => {
      await stage.arrange((tx) => fanOut(tx, 10))
      expect(await canceled(installation)).toEqual([])
    })
    await expect.poll(() => nowCanceled(installation), POLL).toEqual(REVOKED)
    expect(await names(app)).toEqual(['installation.revoked'])
    expect(await deferred()).toEqual([])
  })

  test('if the revocation commits before fan-out starts, each endpoint has one canceled delivery of each earlier event', async () => {
    const { app, company, installation } = await onACompany()
    await stage.listen(app, { boundTo: installation })
    await stage.happen('offering.opened', { companyId: company })
    await revoke(installation)
    await stage.happen('offering.closed', { companyId: company })
    expect(await names(app)).toEqual(['installation.revoked'])
    expect(await canceled(installation)).toEqual([...REVOKED, ...REVOKED])
  })

  test('no delivery is recorded as canceled if the installation could not have received the event', async () => {
    const { app, company, installation } = await onACompany()
    await stage.happen('syndicate_member.joined', { companyId: company })
    await stage.db.sql(`update test.installations set scopes = '{read:investments}' where id = $1`, [installation])
    await stage.happen('offering.opened', { companyId: company })
    await revoke(installation)
    expect(await names(app)).toEqual(['installation.revoked'])
    expect(await canceled(installation)).toEqual([])
  })

  test('after revocations during fan-out, a revoked installation has only the event of its revocation in the queue', async () => {
    const installed: Awaited<ReturnType<typeof onACompany>>[] = []
    for (let n = 0; n < 6; n++) installed.push(await onACompany())
    for (const { company } of installed) {
      for (let n = 0; n < 5; n++) await stage.happen('offering.opened', { companyId: company })
    }
    const fan = async () => {
      while ((await stage.arrange((tx) => fanOut(tx, 4))) > 0);
    }
    await Promise.all([fan(), fan(), ...installed.map(({ installation }) => revoke(installation)), fan()])
    for (const { app, installation } of installed) {
      await expect.poll(() => nowCanceled(installation), POLL).toEqual(Array.from({ length: 5 }, () => REVOKED[0]))
      expect(await names(app)).toEqual(['installation.revoked'])
    }
  })
})

describe('the removal of a scope at the same time as fan-out', () => {
  const remove = (app: Id<'app'>, before = async () => {}) =>
    stage.db.databases.platform.transaction(async (tx) => {
      const bounds = { app, allowed: ['read:investments'], removed: ['read:companies'] }
      await narrowInstallations(
        tx,
        { ...bounds, world: 'test', role: 'partner' },
        testChangeContext([cancelDeliveries]),
      )
      await before()
    })

  test('if the removal is first, fan-out skips the app and queues no delivery that needs the scope', async () => {
    const { app, company } = await onACompany()
    await stage.happen('offering.opened', { companyId: company })
    await stage.happen('investment.changed', { companyId: company })
    await remove(app, async () => void (await stage.arrange((tx) => fanOut(tx, 10))))
    await expect.poll(() => names(app), POLL).toEqual(['investment.changed'])
  })

  test('if fan-out is first, the delivery is canceled at the send', async () => {
    const { app, company } = await onACompany()
    await stage.happen('offering.opened', { companyId: company })
    let removed: Promise<void> | undefined
    await stage.arrange(async (tx) => {
      await fanOut(tx, 10)
      removed = remove(app)
      await stage.db.untilTransactionWaits()
    })
    await removed
    expect(await stage.deliveries(app)).toMatchObject([{ refused: 'scope_missing' }])
  })
})

describe('a change of an endpoint at the same time as fan-out', () => {
  test('an endpoint that is not committed yet misses the events of this fan-out and gets all later ones', async () => {
    const { app, company } = await onACompany()
    await stage.db.sql('begin')
    const endpoint = await stage.listen(app)
    await stage.happen('offering.opened', { companyId: company })
    await stage.arrange((tx) => fanOut(tx, 10))
    await stage.db.sql('commit')
    await stage.happen('offering.closed', { companyId: company })
    const sent = (await stage.deliveries(app)).filter((one) => one.endpoint === endpoint)
    expect(sent.map(({ envelope }) => envelope['event'])).toEqual(['offering.closed'])
  })

  test('fan-out skips an endpoint that is being removed and queues no delivery for it', async () => {
    const { app, company } = await onACompany()
    await stage.happen('offering.opened', { companyId: company })
    await stage.db.sql('begin')
    await stage.db.sql(`update platform.webhook_endpoints set state = 'removed' where app_id = $1`, [app])
    expect(await stage.arrange((tx) => fanOut(tx, 10))).toBe(1)
    await stage.db.sql('commit')
    await expect.poll(nowDeferred, POLL).toEqual([])
    expect(await stage.deliveries(app)).toEqual([])
  })
})

describe('while a transaction has locked a row of an app', () => {
  /** Two apps on one company. Another transaction has locked a row of the first app. */
  async function held(table: 'test.installations' | 'platform.webhook_endpoints') {
    const { app, company } = await onACompany()
    const other = await stage.app()
    await stage.install(other, { company }, ['read:companies'])
    await stage.listen(other)
    const elsewhere = await stage.company()
    await stage.install(other, { company: elsewhere }, ['read:companies'])
    await stage.db.sql('begin')
    onTestFinished(async () => void (await stage.db.sql('rollback')))
    await stage.db.sql(`select id from ${table} where app_id = $1 for no key update`, [app])
    return { app, other, company, elsewhere }
  }

  test.each(['test.installations', 'platform.webhook_endpoints'] as const)(
    'in %s, no other app waits, even for the same event; the app’s deliveries are queued once after the lock is released',
    async (table) => {
      const { app, other, company, elsewhere } = await held(table)
      for (let n = 0; n < 7; n++) await stage.happen('offering.opened', { companyId: company })
      await stage.happen('offering.closed', { companyId: elsewhere })
      expect(await names(other)).toEqual([...Array(7).fill('offering.opened'), 'offering.closed'])
      expect(await names(app)).toEqual([])
      expect(await stage.db.sql('select event_id from test.event_queue')).toEqual([])
      expect(await deferred()).toHaveLength(7)
      await stage.db.sql('commit')
      await expect.poll(() => names(app), POLL).toEqual(Array(7).fill('offering.opened'))
      expect(await names(other)).toHaveLength(8)
      expect(await deferred()).toEqual([])
    },
  )
})

describe('workers', () => {
  test('at the same time take each event once: every endpoint gets one delivery', async () => {
    const { app, company } = await onACompany()
    await stage.listen(app)
    for (let n = 0; n < 40; n++) await stage.happen('offering.opened', { companyId: company })
    const taken = await Promise.all(Array.from({ length: 6 }, () => stage.arrange((tx) => fanOut(tx, 10))))
    const sent = await stage.deliveries(app)
    expect(taken.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(40)
    const pairs = sent.map(({ endpoint, envelope }) => `${endpoint} ${envelope['id']}`)
    expect(new Set(pairs).size).toBe(80)
    expect(pairs).toHaveLength(80)
  })

  test('skip events that another worker has locked', async () => {
    const { company } = await onACompany()
    for (let n = 0; n < 4; n++) await stage.happen('offering.opened', { companyId: company })
    let other: Promise<number> | undefined
    await stage.arrange(async (tx) => {
      expect(await fanOut(tx, 3)).toBe(3)
      other = stage.arrange((elsewhere) => fanOut(elsewhere, 3))
      // The second fan-out does not wait for the events. It only waits for the lane, which the first transaction locks
      // until its commit.
      await stage.db.untilTransactionWaits()
    })
    expect(await other).toBe(1)
  })
})
