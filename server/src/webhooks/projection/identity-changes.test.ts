import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateUser } from '#access/people/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { changeAmount, deactivateInvestor } from '#market/investments/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeInvestment } from '#test/investments.ts'
import { publishAll } from '#test/ledger.ts'
import { makeOffering } from '#test/offerings.ts'
import { type FanStage, openFanStage } from '../fan-out/testing/stage.ts'

let stage: FanStage
beforeAll(async () => {
  stage = await openFanStage()
})
afterAll(() => stage.close())

const INVESTMENTS = ['read:companies', 'read:investments']
const PII = [...INVESTMENTS, 'read:investors:pii']

/** A published investment, and apps whose endpoints were created after its publication. */
async function invested() {
  const company = await stage.company()
  const investor = await stage.user()
  const offering = await stage.arrange((tx) => makeOffering(tx, { company }))
  const id = await stage.arrange((tx) => makeInvestment(tx, { offering, investor }))
  await publishAll(stage.db.databases.test)
  const listening = async (on: Parameters<FanStage['install']>[1], scopes: readonly string[]) => {
    const app = await stage.app()
    const installation = await stage.install(app, on, scopes)
    await stage.listen(app, { events: ['investment.changed'] })
    const received = async () =>
      (await stage.deliveries(app)).map(({ refused, envelope }) => refused ?? envelope.data['fields'])
    return { installation, received }
  }
  return {
    ...{ id, investor },
    unnamed: await listening({ company }, INVESTMENTS),
    named: await listening({ company }, PII),
    own: await listening({ user: investor }, ['read:investments']),
    rename: () => published((tx) => updateUser(tx, { id: investor, name: 'Sam Other' }, occasionAt())),
  }
}

async function published(work: Parameters<FanStage['arrange']>[0]) {
  await stage.arrange(work)
  await publishAll(stage.db.databases.test)
}

const setScopes = (installation: Id<'installation'>, scopes: readonly string[]) =>
  stage.db.sql(`update test.installations set scopes = $2, pii_by = 'approval' where id = $1`, [installation, scopes])

describe('an investment.changed of only the identity', () => {
  test('is delivered only to installations that see the identity', async () => {
    const { unnamed, named, own, rename } = await invested()
    await rename()
    expect(await unnamed.received()).toEqual([])
    expect(await named.received()).toEqual([['investor']])
    expect(await own.received()).toEqual([['investor']])
  })

  test('is canceled if the installation lost the scope while the delivery waited', async () => {
    const { named, rename } = await invested()
    await rename()
    expect(await named.received()).toEqual([['investor']])
    await setScopes(named.installation, INVESTMENTS)
    expect(await named.received()).toEqual(['scope_missing'])
  })

  test('is delivered to an installation that gained the scope only if the change happened after the scope was granted', async () => {
    const { unnamed, rename, investor } = await invested()
    await rename()
    expect(await unnamed.received()).toEqual([])
    await setScopes(unnamed.installation, PII)
    expect(await unnamed.received()).toEqual([])
    await published((tx) => updateUser(tx, { id: investor, name: 'Third Name' }, occasionAt()))
    expect(await unnamed.received()).toEqual([['investor']])
  })

  test('has the same fields after the person was erased', async () => {
    const { unnamed, named, rename, investor } = await invested()
    await rename()
    await published((tx) => deactivateInvestor(tx, { id: investor, addresses: [] }, occasionAt()))
    expect(await unnamed.received()).toEqual([['investor']])
    expect(await named.received()).toEqual([['investor'], ['investor']])
  })
})

describe('every other investment.changed', () => {
  test('goes to all receivers; each sees only the changed fields that it may read', async () => {
    const { unnamed, named, id, investor } = await invested()
    await published(async (tx) => {
      await updateUser(tx, { id: investor, name: 'Sam Other' }, occasionAt())
      await changeAmount(tx, { id, amount_cents: 50_000 as Cents }, occasionAt())
    })
    expect(await unnamed.received()).toEqual([['amounts']])
    expect(await named.received()).toEqual([['amounts', 'investor']])
  })

  test('investor_deactivated goes to all receivers', async () => {
    const { unnamed, named, own, investor } = await invested()
    await published((tx) => deactivateInvestor(tx, { id: investor, addresses: [] }, occasionAt()))
    for (const one of [unnamed, named, own]) expect((await one.received()).flat()).toContain('investor')
  })
})
