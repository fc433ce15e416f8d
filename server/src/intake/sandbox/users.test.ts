import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateUser } from '#access/people/index.ts'
import { newId } from '#kernel/ids.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { openSandbox, type Sandbox } from './testing/sandbox.ts'
import { makeSyndicate } from './testing/syndicate.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.close())

describe('POST /sandbox/users/{id}/deactivate', () => {
  test('200: no table contains the name or address of the deactivated person', async () => {
    const offering = await sandbox.arrange((tx) => makeOffering(tx))
    const { syndicate } = await sandbox.arrange((tx) => makeSyndicate(tx))
    const email = 'ada.byron@example.org'
    const user = await sandbox.arrange((tx) => makeUser(tx, { name: 'Ada Byron', email }))
    await sandbox.play(`/syndicates/${syndicate}/invite`, { email, name: 'Ada Byron' })
    await sandbox.play('/investment_sessions', { offering, email, user })
    const { data: investment } = await sandbox.play('/investments', { offering, investor: user, amount_cents: 10_000 })
    await sandbox.play(`/syndicates/${syndicate}/join`, { user })
    await sandbox.play('/join_sessions', { syndicate, user })
    expect(await tablesWith('byron')).toContain('events')

    const { status, data } = await sandbox.play(`/users/${user}/deactivate`)
    expect(status).toBe(200)
    expect(data).toEqual({ id: user, type: 'user', attributes: { deactivated: true } })
    expect(await tablesWith('byron')).toEqual([])
    const kept = await sandbox.db.sql('select status from test.investments where id = $1', [investment.id])
    expect(kept).toEqual([{ status: 'active' }])
  })

  test('records from before the person registered lose the name and address, too', async () => {
    const offering = await sandbox.arrange((tx) => makeOffering(tx))
    const { syndicate } = await sandbox.arrange((tx) => makeSyndicate(tx))
    const email = 'c.babbage@example.org'
    await sandbox.play(`/syndicates/${syndicate}/invite`, { email, name: 'Charles Babbage' })
    await sandbox.play('/investment_sessions', { offering, email })
    const user = await sandbox.arrange((tx) => makeUser(tx, { name: 'Charles Babbage', email }))
    await sandbox.play(`/users/${user}/deactivate`)
    expect(await tablesWith('babbage')).toEqual([])
  })

  test('records with an earlier address of the person lose this address, in any letter case', async () => {
    const offering = await sandbox.arrange((tx) => makeOffering(tx))
    const { syndicate } = await sandbox.arrange((tx) => makeSyndicate(tx))
    const email = 'JOSE.Turing@EXAMPLE.org'
    await sandbox.play(`/syndicates/${syndicate}/invite`, { email, name: 'José Turing' })
    await sandbox.play('/investment_sessions', { offering, email })
    const user = await sandbox.arrange((tx) => makeUser(tx, { name: 'José Turing', email }))
    await sandbox.arrange((tx) => updateUser(tx, { id: user, email: 'new@example.org' }, occasionAt()))
    await sandbox.play(`/users/${user}/deactivate`)
    expect(await tablesWith('turing')).toEqual([])
  })

  test('records of another person who now has the former address stay', async () => {
    const { syndicate } = await sandbox.arrange((tx) => makeSyndicate(tx))
    const email = 'shared@example.org'
    const first = await sandbox.arrange((tx) => makeUser(tx, { email }))
    await sandbox.arrange((tx) => updateUser(tx, { id: first, email: 'moved@example.org' }, occasionAt()))
    await sandbox.arrange((tx) => makeUser(tx, { name: 'Grace Hopper', email }))
    await sandbox.play(`/syndicates/${syndicate}/invite`, { email, name: 'Grace Hopper' })
    await sandbox.play(`/users/${first}/deactivate`)
    expect(await tablesWith('hopper')).toContain('syndicate_invitations')
  })

  test('200 for a second deactivation', async () => {
    const user = await sandbox.arrange((tx) => makeUser(tx))
    await sandbox.play(`/users/${user}/deactivate`)
    expect((await sandbox.play(`/users/${user}/deactivate`)).data).toMatchObject({ attributes: { deactivated: true } })
  })

  test('a deactivated user cannot invest', async () => {
    const offering = await sandbox.arrange((tx) => makeOffering(tx))
    const investor = await sandbox.arrange((tx) => makeUser(tx))
    await sandbox.play(`/users/${investor}/deactivate`)
    expect(await sandbox.refused('/investments', { offering, investor, amount_cents: 100 })).toMatchObject({
      status: 422,
      details: { fields: [{ field: 'investor', code: 'deactivated' }] },
    })
  })

  test('404 for an unknown user', async () => {
    expect(await sandbox.refused(`/users/${newId('user')}/deactivate`)).toMatchObject({ status: 404 })
  })
})

/** The tables of the test world that contain this text. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await sandbox.db.sql<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'test' and table_type = 'BASE TABLE'",
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await sandbox.db.sql(`select 1 from test.${name} t where t::text ilike $1 limit 1`, [`%${text}%`])
    if (rows.length > 0) found.push(name)
  }
  return found
}
