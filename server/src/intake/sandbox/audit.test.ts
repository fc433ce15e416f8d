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

/** Runs the work and returns the audit entries that it added. */
async function entriesAddedBy(work: () => Promise<unknown>) {
  const before = (await entries()).length
  await work()
  return (await entries()).slice(before)
}

const playInvestment = async () => {
  const [offering, investor] = await sandbox.arrange(
    async (tx) => [await makeOffering(tx), await makeUser(tx)] as const,
  )
  const { data } = await sandbox.play('/investments', { offering, investor, amount_cents: 10_000 })
  return { offering, investor, investment: data.id }
}

const WHY = 'Ticket 4711: reproduce a refund'
const by = { actor: CALLERS.ok_test_operator.actor, by_operator: true, reason: WHY }

describe('an operator’s move in the sandbox', () => {
  test('an operator’s move adds one audit entry with the operator, the operation, the reason and the people concerned', async () => {
    const { investment, investor } = await playInvestment()
    const [entry, ...others] = await entriesAddedBy(() =>
      sandbox.play(`/investments/${investment}/pay`, {}, { why: WHY }),
    )
    const details = { mode: 'test', operation: 'sandboxInvestmentPay', people: [investor] }
    expect(entry).toEqual({ ...by, subject: investment, details })
    expect(others).toEqual([])
  })

  test('the entry of a move that creates a record has the record as its subject', async () => {
    const [offering, investor] = await sandbox.arrange(
      async (tx) => [await makeOffering(tx), await makeUser(tx)] as const,
    )
    let id = ''
    const body = { offering, investor, amount_cents: 10_000 }
    const found = await entriesAddedBy(async () => {
      id = (await sandbox.play('/investments', body, { why: WHY })).data.id
    })
    const details = { mode: 'test', operation: 'sandboxInvestmentCreate', people: [investor] }
    expect(found).toEqual([{ ...by, subject: id, details }])
  })

  test('moves on people, syndicates, sessions, offerings and installations each add an entry', async () => {
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
    const found = await entriesAddedBy(async () => {
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

  test('a rejected move adds no entry; a move that is repeated with its Idempotency-Key adds one', async () => {
    const { investment } = await playInvestment()
    expect(await entriesAddedBy(() => sandbox.refused(`/investments/${investment}/reinstate`))).toEqual([])
    expect(await entriesAddedBy(() => sandbox.refused(`/investments/${newId('investment')}/pay`))).toEqual([])
    const twice = await entriesAddedBy(async () => {
      await sandbox.play(`/investments/${investment}/pay`, {}, { key: 'pay-once' })
      await sandbox.play(`/investments/${investment}/pay`, {}, { key: 'pay-once' })
    })
    expect(twice).toHaveLength(1)
  })

  test('a move is rolled back if its entry cannot be written', async () => {
    const { investment } = await playInvestment()
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

  test('a move about a person or a partner needs a reason: without a reason it is rejected and adds no entry', async () => {
    const { investment, investor, offering } = await playInvestment()
    const { company, user } = await sandbox.arrange(async (tx) => {
      const [company, user] = [await makeCompany(tx, {}), await makeUser(tx)]
      await setRole(tx, { company, user, role: 'founder' }, occasionAt())
      return { company, user }
    })
    const { keyId } = await aClient(sandbox.db, { scopes: ['read:companies'], approved: true })
    const target = { client_id: keyId, target_type: 'company', target_id: company, user }
    const found = await entriesAddedBy(async () => {
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

  test('when a person is erased, the entries about this person lose their reason; other entries keep their reason', async () => {
    const [one, other] = [await playInvestment(), await playInvestment()]
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
    'a move of %s adds no entry and needs no reason',
    async (as) => {
      const { investment, offering } = await playInvestment()
      const found = await entriesAddedBy(async () => {
        await sandbox.play(`/investments/${investment}/pay`, {}, { as, why: null })
        await sandbox.play(`/offerings/${offering}/closing`, {}, { as, why: null })
      })
      expect(found).toEqual([])
    },
  )
})
