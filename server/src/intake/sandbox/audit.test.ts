import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aClient } from '#access/tokens/testing/stage.ts'
import { CALLERS } from '#http/testing/callers.ts'
import { newId } from '#kernel/ids.ts'
import { setRole } from '#market/companies/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { openSandbox, type Sandbox } from './testing/sandbox.ts'
import { makeSyndicate } from './testing/syndicate.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.close())

const entries = () =>
  sandbox.db.sql<{ subject: string; reason: string | null; details: { operation: string; people?: string[] } }>(
    `select actor, by_operator, subject, reason, details from platform.audit_entries
      where action = 'sandbox.played' order by id`,
  )

/** The entries that the work adds. */
async function added(work: () => Promise<unknown>) {
  const before = (await entries()).length
  await work()
  return (await entries()).slice(before)
}

const invested = async () => {
  const [offering, investor] = await sandbox.arrange(
    async (tx) => [await makeOffering(tx), await makeUser(tx)] as const,
  )
  const { data } = await sandbox.play('/investments', { offering, investor, amount_cents: 10_000 })
  return { offering, investor, investment: data.id }
}

const WHY = 'Ticket 4711: reproduce a refund'
const by = { actor: CALLERS.ok_test_operator.actor, by_operator: true, reason: WHY }

describe('an operator’s move in the sandbox', () => {
  test('has one entry: who, what, why, and which people it is about', async () => {
    const { investment, investor } = await invested()
    const [entry, ...others] = await added(() => sandbox.play(`/investments/${investment}/pay`, {}, { why: WHY }))
    const details = { mode: 'test', operation: 'sandboxInvestmentPay', people: [investor] }
    expect(entry).toEqual({ ...by, subject: investment, details })
    expect(others).toEqual([])
  })

  test('that creates a record has the record as its subject', async () => {
    const [offering, investor] = await sandbox.arrange(
      async (tx) => [await makeOffering(tx), await makeUser(tx)] as const,
    )
    let id = ''
    const wanted = { offering, investor, amount_cents: 10_000 }
    const found = await added(async () => {
      id = (await sandbox.play('/investments', wanted, { why: WHY })).data.id
    })
    const details = { mode: 'test', operation: 'sandboxInvestmentCreate', people: [investor] }
    expect(found).toEqual([{ ...by, subject: id, details }])
  })

  test('of every kind has an entry: about people, syndicates, sessions, offerings and installations', async () => {
    const { syndicate, manager } = await sandbox.arrange((tx) => makeSyndicate(tx, { auto_approval: true }))
    const [offering, user, leaving] = await sandbox.arrange(
      async (tx) => [await makeOffering(tx), await makeUser(tx), await makeUser(tx)] as const,
    )
    const client = await aClient(sandbox.db, { scopes: ['read:syndicates'], approved: true })
    const target = { client_id: client.keyId, target_type: 'syndicate', target_id: syndicate, user: manager }
    const moves = [
      [`/syndicates/${syndicate}/invite`, { email: `${newId('user')}@example.org` }],
      [`/syndicates/${syndicate}/join`, { user }],
      ['/join_sessions', { syndicate }],
      ['/investment_sessions', { offering, email: 'ada@example.org' }],
      ['/installations', target],
      [`/offerings/${offering}/closing`, {}],
      [`/users/${leaving}/deactivate`, {}],
    ] as const
    const found = await added(async () => {
      for (const [path, body] of moves) await sandbox.play(path, body, { why: WHY })
    })
    expect(found.map(({ details }) => details.operation)).toEqual([
      ...['sandboxSyndicateInvite', 'sandboxSyndicateJoin', 'sandboxJoinSessionCreate'],
      ...['sandboxInvestmentSessionCreate', 'sandboxInstallationCreate'],
      ...['sandboxOfferingClosing', 'sandboxUserDeactivate'],
    ])
    expect(found.filter(({ reason }) => reason !== WHY)).toEqual([])
    expect(found[0]).toMatchObject({ subject: syndicate })
    expect(found[1]).toMatchObject({ subject: syndicate, details: { record: expect.stringMatching(/^mem_/) } })
    expect(found.at(-1)).toMatchObject({ subject: leaving })
    expect(JSON.stringify(found)).not.toContain('example.org')
  })

  test('that is rejected has none, and a repeated one with its Idempotency-Key has one', async () => {
    const { investment } = await invested()
    expect(await added(() => sandbox.refused(`/investments/${investment}/reinstate`))).toEqual([])
    expect(await added(() => sandbox.refused(`/investments/${newId('investment')}/pay`))).toEqual([])
    const twice = await added(async () => {
      await sandbox.play(`/investments/${investment}/pay`, {}, { key: 'pay-once' })
      await sandbox.play(`/investments/${investment}/pay`, {}, { key: 'pay-once' })
    })
    expect(twice).toHaveLength(1)
  })

  test('is undone if its entry cannot be written', async () => {
    const { investment } = await invested()
    await sandbox.db.sql(
      `alter table platform.audit_entries add constraint full_disk check (action <> 'sandbox.played') not valid`,
    )
    try {
      const answer = await sandbox.send('POST', `/investments/${investment}/cancel`)
      expect(answer.status).toBe(500)
    } finally {
      await sandbox.db.sql('alter table platform.audit_entries drop constraint full_disk')
    }
    const [row] = await sandbox.db.sql('select status from test.investments where id = $1', [investment])
    expect(row).toEqual({ status: 'active' })
  })

  test('without a reason is rejected and changes nothing, if it is about a person or a partner', async () => {
    const { investment, investor, offering } = await invested()
    const { company, user } = await sandbox.arrange(async (tx) => {
      const [company, user] = [await makeCompany(tx, {}), await makeUser(tx)]
      await setRole(tx, { company, user, role: 'founder' }, occasionAt())
      return { company, user }
    })
    const { keyId } = await aClient(sandbox.db, { scopes: ['read:companies'], approved: true })
    const target = { client_id: keyId, target_type: 'company', target_id: company, user }
    const found = await added(async () => {
      for (const [path, body] of [
        [`/investments/${investment}/pay`, {}],
        [`/users/${investor}/deactivate`, {}],
        ['/installations', target],
      ] as const) {
        const error = await sandbox.refused(path, body, { why: null })
        expect(error).toMatchObject({
          status: 422,
          details: { fields: [{ field: 'X-Portico-Reason', code: 'required' }] },
        })
      }
      await sandbox.play(`/offerings/${offering}/closing`, {}, { why: null })
    })
    expect(found).toMatchObject([{ subject: offering, reason: null }])
  })

  test('loses its reason when one of its people is erased, and the others keep theirs', async () => {
    const [one, other] = [await invested(), await invested()]
    for (const { investment } of [one, other]) {
      await sandbox.play(`/investments/${investment}/pay`, {}, { why: 'About Ada Lovelace' })
    }
    await sandbox.play(`/users/${one.investor}/deactivate`)
    const reasonOf = async (subject: string) =>
      (await entries()).filter((entry) => entry.subject === subject).map(({ reason }) => reason)
    expect(await reasonOf(one.investment)).toEqual([null, null])
    expect(await reasonOf(other.investment)).toEqual(['A test', 'About Ada Lovelace'])
  })
})

describe('a move of a partner’s own credential', () => {
  test.each(['at_test_client', 'at_test_user', 'at_test_install'])(
    'is not an operator’s: %s has no entry, and needs no reason',
    async (as) => {
      const { investment, offering } = await invested()
      const found = await added(async () => {
        await sandbox.play(`/investments/${investment}/pay`, {}, { as, why: null })
        await sandbox.play(`/offerings/${offering}/closing`, {}, { as, why: null })
      })
      expect(found).toEqual([])
    },
  )
})
