import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { OFFERING_MACHINE, readOffering } from '#market/offerings/index.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { describeMachine } from './testing/machine.ts'
import { openSandbox, type Sandbox } from './testing/sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.close())

const at = (id: string, move: string) => `/offerings/${id}/${move}`

/** Creates an upcoming offering, makes these moves, and returns its id. */
async function offeringAfter(...moves: string[]): Promise<string> {
  const id = await sandbox.arrange((tx) => makeOffering(tx, { status: 'upcoming' }))
  for (const move of moves) await sandbox.play(at(id, move))
  return id
}

describeMachine({
  sandbox: () => sandbox,
  machine: OFFERING_MACHINE,
  events: 'offering.',
  read: (id) => readOffering(sandbox.db.databases.test.reads, id as Id<'offering'>),
  reach: {
    upcoming: () => offeringAfter(),
    open: () => offeringAfter('open'),
    closing: () => offeringAfter('open', 'closing'),
    closed: () => offeringAfter('open', 'closing', 'close'),
    canceled: () => offeringAfter('cancel'),
  },
  ask: {
    open: (id) => ({ path: at(id, 'open') }),
    closing: (id) => ({ path: at(id, 'closing') }),
    close: (id) => ({ path: at(id, 'close') }),
    cancel: (id) => ({ path: at(id, 'cancel') }),
  },
})

describe('POST /sandbox/offerings/{id}/…', () => {
  test('200: a move returns the offering and its event', async () => {
    const id = await offeringAfter()
    const { status, data, events } = await sandbox.play(at(id, 'open'))
    expect(status).toBe(200)
    expect(data).toMatchObject({ id, type: 'offering', attributes: { status: 'open', testing_the_waters: false } })
    expect(events[0]?.data).toMatchObject({ offering: id, status: 'open' })
  })

  test('cancel sends the offering’s event, then one event for each active or reserved investment', async () => {
    const id = await offeringAfter('open')
    const investments = await Promise.all(
      [1, 2, 3].map(async () => {
        const investor = await sandbox.arrange((tx) => makeUser(tx))
        return (await sandbox.play('/investments', { offering: id, investor, amount_cents: 10_000 })).data.id
      }),
    )
    await sandbox.play(`/investments/${investments[0]}/execute`)
    const { names, events } = await sandbox.play(at(id, 'cancel'))
    expect(names).toEqual(['offering.canceled', 'investment.canceled', 'investment.canceled'])
    const canceled = events.slice(1).map(({ data }) => data['id'])
    expect(canceled.sort()).toEqual(investments.slice(1).sort())
  })

  test('the response to cancel has the first thousand events and the number of all events', async () => {
    const id = await offeringAfter('open')
    await sandbox.arrange(async (tx) => {
      const investor = await makeUser(tx)
      for (let made = 0; made < 1_001; made++) await makeInvestment(tx, { offering: id as Id<'offering'>, investor })
    })
    const response = await sandbox.send('POST', at(id, 'cancel'), { key: 'all-of-them' })
    const { meta } = (await response.json()) as { meta: { events: unknown[]; event_count: number } }
    expect([response.status, meta.events.length, meta.event_count]).toEqual([200, 1_000, 1_002])
  })

  test.each(['open', 'closing', 'close', 'cancel'])('%s: 404 for an unknown id', async (move) => {
    expect(await sandbox.refused(at(newId('offering'), move))).toMatchObject({ status: 404, type: 'not_found' })
  })
})
