import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INVESTMENT_SESSION_MACHINE, readInvestmentSession } from '#hosted/sessions/index.ts'
import { CALLERS } from '#http/testing/callers.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { describeMachine } from './testing/machine.ts'
import { openSandbox, type Sandbox } from './testing/sandbox.ts'

let sandbox: Sandbox
let offering: Id<'offering'>
beforeAll(async () => {
  sandbox = await openSandbox()
  offering = await sandbox.arrange((tx) => makeOffering(tx))
})
afterAll(() => sandbox.close())

const newUser = () => sandbox.arrange((tx) => makeUser(tx))
const at = (id: string, move: string) => `/investment_sessions/${id}/${move}`

/** Creates a session for a user and an amount, makes these moves, and returns its id. */
async function sessionAfter(...moves: string[]): Promise<string> {
  const body = { offering, user: await newUser(), allocation_cents: 50_000 }
  const { data } = await sandbox.play('/investment_sessions', body)
  for (const move of moves) await sandbox.play(at(data.id, move))
  return data.id
}

describeMachine({
  sandbox: () => sandbox,
  machine: INVESTMENT_SESSION_MACHINE,
  events: 'investment_session.',
  read: (id) => readInvestmentSession(sandbox.db.databases.test.reads, id as Id<'investmentSession'>),
  reach: {
    pending: () => sessionAfter(),
    in_progress: () => sessionAfter('start'),
    completed: () => sessionAfter('start', 'complete'),
    abandoned: () => sessionAfter('start', 'abandon'),
    expired: () => sessionAfter('expire'),
    canceled: () => sessionAfter('cancel'),
  },
  ask: {
    start: (id) => ({ path: at(id, 'start') }),
    complete: (id) => ({ path: at(id, 'complete') }),
    abandon: (id) => ({ path: at(id, 'abandon') }),
    resume: (id) => ({ path: at(id, 'resume') }),
    expire: (id) => ({ path: at(id, 'expire') }),
    cancel: (id) => ({ path: at(id, 'cancel') }),
  },
})

describe('POST /sandbox/investment_sessions', () => {
  test('201: a new session for an address is pending and sends its event', async () => {
    const body = { offering, email: 'guest@example.org', allocation_cents: 10_000, metadata: { list: 7 } }
    const { status, data, names } = await sandbox.play('/investment_sessions', body)
    expect([status, names]).toEqual([201, ['investment_session.created']])
    expect(data).toMatchObject({ type: 'investment_session', attributes: { status: 'pending', user: null, ...body } })
  })

  test('with an installation token, the session and its events belong to that installation', async () => {
    const { installationId: installation } = CALLERS.at_test_install
    const body = { offering, email: 'x@example.org' }
    const { data, events } = await sandbox.play('/investment_sessions', body, { as: 'at_test_install' })
    expect(data).toMatchObject({ attributes: { installation } })
    const rows = await sandbox.db.sql('select installation_id from test.events where id = $1', [events[0]?.id])
    expect(rows).toEqual([{ installation_id: installation }])
  })

  test('404 for an unknown offering or user; 422 without a recipient', async () => {
    const email = 'guest@example.org'
    const path = '/investment_sessions'
    expect(await sandbox.refused(path, { offering: newId('offering'), email })).toMatchObject({ status: 404 })
    expect(await sandbox.refused(path, { offering, user: newId('user') })).toMatchObject({ status: 404 })
    expect(await sandbox.refused(path, { offering })).toMatchObject({ status: 422 })
    expect(await sandbox.refused(path, { offering, email, allocation_cents: 50 })).toMatchObject({ status: 422 })
  })
})

describe('POST /sandbox/investment_sessions/{id}/complete', () => {
  test('completing a session creates the recipient’s investment and confirms it', async () => {
    const id = await sessionAfter('start')
    const { data, names, events } = await sandbox.play(at(id, 'complete'))
    expect(names).toEqual(['investment.created', 'investment_session.completed'])
    const investment = events[0]?.data['id']
    expect(data).toMatchObject({ attributes: { status: 'completed', investment } })
    expect(events[1]?.data).toMatchObject({ investment })
    const rows = await sandbox.db.sql(
      'select status, amount_cents, confirmed_at is not null as confirmed from test.investments where id = $1',
      [investment],
    )
    expect(rows).toEqual([{ status: 'active', amount_cents: '50000', confirmed: true }])
  })

  test('completing a session can name an investment, which must be confirmed, the recipient’s, and in the session’s offering', async () => {
    const user = await newUser()
    const { data } = await sandbox.play('/investment_sessions', { offering, user })
    await sandbox.play(at(data.id, 'start'))
    const otherOffering = await sandbox.arrange((tx) => makeOffering(tx))
    const invest = async (into: string, investor: string) =>
      (await sandbox.play('/investments', { offering: into, investor, amount_cents: 100 })).data.id
    const wrong = [await invest(otherOffering, user), await invest(offering, await newUser())]
    for (const investment of wrong) {
      expect(await sandbox.refused(at(data.id, 'complete'), { investment })).toMatchObject({ status: 422 })
    }
    const unknown = { investment: newId('investment') }
    expect(await sandbox.refused(at(data.id, 'complete'), unknown)).toMatchObject({ status: 404 })
    const investment = await invest(offering, user)
    expect(await sandbox.refused(at(data.id, 'complete'), { investment })).toMatchObject({
      status: 422,
      details: { fields: [{ field: 'investment', code: 'not_confirmed' }] },
    })
    await sandbox.play(`/investments/${investment}/confirm`)
    const { names } = await sandbox.play(at(data.id, 'complete'), { investment })
    expect(names).toEqual(['investment_session.completed'])
  })

  test('422 for completing while the investor or the amount is unknown; no investment is created', async () => {
    const { data } = await sandbox.play('/investment_sessions', { offering, email: 'who@example.org' })
    await sandbox.play(at(data.id, 'start'))
    const count = async () => (await sandbox.db.sql('select count(*) from test.investments'))[0]
    const before = await count()
    for (const [body, field] of [
      [{ amount_cents: 100 }, 'user'],
      [{ user: await newUser() }, 'amount_cents'],
    ] as const) {
      const fields = [{ field, code: 'required' }]
      expect(await sandbox.refused(at(data.id, 'complete'), body)).toMatchObject({ status: 422, details: { fields } })
    }
    expect(await count()).toEqual(before)
    const done = await sandbox.play(at(data.id, 'complete'), { user: await newUser(), amount_cents: 100 })
    expect(done.data).toMatchObject({ attributes: { status: 'completed' } })
  })

  test('completing a session creates a reservation if the offering tests the waters', async () => {
    const waters = await sandbox.arrange((tx) => makeOffering(tx, { testing_the_waters: true }))
    const body = { offering: waters, user: await newUser(), allocation_cents: 100 }
    const { data } = await sandbox.play('/investment_sessions', body)
    await sandbox.play(at(data.id, 'start'))
    const { events } = await sandbox.play(at(data.id, 'complete'))
    expect(events[0]?.data).toMatchObject({ status: 'reserved' })
  })

  test.each(['start', 'complete', 'abandon', 'resume', 'expire', 'cancel'])(
    '%s: 404 for an unknown id',
    async (move) => {
      expect(await sandbox.refused(at(newId('investmentSession'), move))).toMatchObject({ status: 404 })
    },
  )
})
