import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userIn } from '#access/installations/testing/site.ts'
import { addressesOf, updateUser } from '#access/people/index.ts'
import { aPartner, openPartnerSite, type PartnerSite } from '#hosted/sessions/investment-api/testing/partner-stage.ts'
import type { Id } from '#kernel/ids.ts'
import { deactivateInvestor } from '#market/investments/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeUser } from '#test/people.ts'
import { eraseInvites } from './index.ts'
import { createLink, createMany } from './manage-link.ts'

let site: PartnerSite
beforeAll(async () => {
  site = await openPartnerSite()
})
afterAll(() => site.close())

const run = <T>(work: (tx: Tx) => Promise<T>) => site.db.databases.test.transaction(work)

test('an erased user is removed from all links for them, and these links stop working; other links are unchanged', async () => {
  const partner = await aPartner(site)
  const person = await site.person()
  const path = `/partner/spvs/${partner.offering}/invite_links`
  const make = async (invite_link: object) => (await partner.send('POST', path, { invite_link })).data
  const mine = await make({ email: 'Forget.Me@example.org', first_name: 'Forget', last_name: 'Me', message: 'Dear Me' })
  const account = await make({ platform_user_id: userIn(person), first_name: 'Forget', message: 'Dear Me' })
  const other = await make({ email: 'stay@example.org', first_name: 'Stay' })
  await run((tx) => eraseInvites(tx, userIn(person), ['forget.me@example.org']))
  const remaining = await site.db.sql<Record<string, unknown>>(
    `select id, email, first_name, last_name, message, mail_due_at from test.invite_links
      where offering_id = $1 order by canceled_at is null, id`,
    [partner.offering],
  )
  expect(remaining.map(({ id }) => id).sort()).toEqual([mine.id, account.id, other.id].sort())
  const gone = { email: null, first_name: null, last_name: null, message: null, mail_due_at: null }
  expect(remaining.slice(0, 2)).toEqual([expect.objectContaining(gone), expect.objectContaining(gone)])
  expect(remaining[2]).toMatchObject({ id: other.id, email: 'stay@example.org', first_name: 'Stay' })
  const { attributes } = (await partner.send('GET', `${path}/${mine.id}`)).data
  expect(attributes).toMatchObject({ email: null, status: 'revoked', active: false })
  expect((attributes['events'] as { event: string }[]).map(({ event }) => event)).toEqual(['cancel'])
  const page = await site.browser().open(String(mine.attributes['url']).slice(site.url.length))
  expect(page.text).toContain('withdrawn')
})

/** Creates a person with this address. `isFormer`: the person then gets another address. */
async function personWith(email: string, isFormer: boolean): Promise<Id<'user'>> {
  return run(async (tx) => {
    const id = await makeUser(tx, { email })
    if (isFormer) await updateUser(tx, { id, email: `${randomUUID()}@now.example` }, occasionAt())
    return id
  })
}

async function erase(tx: Tx, id: Id<'user'>): Promise<void> {
  const addresses = await addressesOf(tx, id)
  await eraseInvites(tx, id, addresses)
  await deactivateInvestor(tx, { id, addresses }, occasionAt())
}

/** Runs `work`, calls `meanwhile` before the commit, and commits as soon as `meanwhile` waits for a lock. */
async function open<T>(work: (tx: Tx) => Promise<unknown>, meanwhile: () => Promise<T>): Promise<T> {
  const [done, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const working = run(async (tx) => {
    await work(tx)
    done.resolve()
    await mayEnd.promise
  })
  await done.promise
  const waiting = meanwhile()
  await site.db.untilTransactionWaits().finally(mayEnd.resolve)
  await working
  return waiting
}

describe.each([
  { whose: 'current', isFormer: false },
  { whose: 'former', isFormer: true },
])('a link to the $whose address of a person', ({ isFormer }) => {
  test('is rejected if it is requested during the person’s erasure', async () => {
    const partner = await aPartner(site)
    const email = `ada.${randomUUID()}@example.org`
    const user = await personWith(email, isFormer)
    const response = await open(
      (tx) => erase(tx, user),
      () => partner.send('POST', `/partner/spvs/${partner.offering}/invite_links`, { invite_link: { email } }),
    )
    expect(response.status).toBe(422)
    expect(JSON.stringify(response)).toContain('"field":"invite_link.email","code":"deactivated"')
    expect(await site.db.sql('select id from test.invite_links where email = $1', [email])).toEqual([])
  })

  test.each(['alone', 'in a batch'])('is erased and not mailed if it is created %s before the erasure', async (how) => {
    const { company, installation, app, offering } = await aPartner(site)
    const email = `ada.${randomUUID()}@example.org`
    const user = await personWith(email, isFormer)
    const given = { side: { type: 'company', target: company, installation, app }, offering, origin: site.url } as const
    await open(
      (tx) =>
        how === 'alone'
          ? createLink(tx, { ...given, wanted: { email } })
          : createMany(tx, { ...given, items: [{ email }], readItem: () => ({ email }) }),
      () => run((tx) => erase(tx, user)),
    )
    const rows = await site.db.sql('select email, mail_due_at from test.invite_links where offering_id = $1', [
      offering,
    ])
    expect(rows).toEqual([{ email: null, mail_due_at: null }])
  })
})
