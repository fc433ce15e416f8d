import { afterAll, beforeAll, expect, test } from 'vitest'
import { userIn } from '#access/installations/testing/site.ts'
import { aPartner, openPartnerSite, type PartnerSite } from '#hosted/sessions/investment-api/testing/partner-stage.ts'
import { eraseInvites } from './index.ts'

let site: PartnerSite
beforeAll(async () => {
  site = await openPartnerSite()
})
afterAll(() => site.close())

test('an erased user is removed from all links for them, and these links stop working; other links are unchanged', async () => {
  const partner = await aPartner(site)
  const person = await site.person()
  const path = `/partner/spvs/${partner.offering}/invite_links`
  const make = async (invite_link: object) => (await partner.send('POST', path, { invite_link })).data
  const mine = await make({ email: 'Forget.Me@example.org', first_name: 'Forget', last_name: 'Me', message: 'Dear Me' })
  const account = await make({ platform_user_id: userIn(person), first_name: 'Forget', message: 'Dear Me' })
  const other = await make({ email: 'stay@example.org', first_name: 'Stay' })
  await site.db.databases.test.transaction((tx) => eraseInvites(tx, userIn(person), ['forget.me@example.org']))
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
