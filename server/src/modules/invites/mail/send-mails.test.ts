import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userIn } from '#modules/installations/testing/site.ts'
import { aPartner, openPartnerSite, type PartnerSite } from '#modules/sessions/investment-api/testing/partner-stage.ts'
import { openLog } from '#system/log.ts'
import { sendInviteMails } from '../index.ts'

type Mail = { readonly to: string; readonly subject: string; readonly text: string }

let site: PartnerSite
beforeAll(async () => {
  site = await openPartnerSite()
})
afterAll(() => site.close())

async function mailed(send?: (mail: Mail) => Promise<void>): Promise<Mail[]> {
  const sent: Mail[] = []
  const sender = { send: send ?? (async (mail: Mail) => void sent.push(mail)) }
  const { links, db } = site
  await sendInviteMails({ db: db.databases.test, links, brand: 'wefunder', sender, log: openLog('silent') }, 100)
  return sent
}

async function invited(partner: Awaited<ReturnType<typeof aPartner>>, invite_link: object) {
  const path = `/partner/spvs/${partner.offering}/invite_links`
  const { data } = await partner.send('POST', path, { invite_link })
  return { id: data.id, url: String(data.attributes['url']), path: `${path}/${data.id}` }
}

describe('an invitation is mailed', () => {
  test('once, with the link, the partner’s words marked as theirs, and nothing of the terms', async () => {
    const { url } = await invited(await aPartner(site), {
      email: 'ada@example.org',
      first_name: 'Ada',
      message: 'Line one\nFrom: evil@example.org',
    })
    const [mail, ...more] = await mailed()
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      to: 'ada@example.org',
      subject: '[Sandbox] Fieldbook CRM invites you to an offering of Tidepool Robotics',
    })
    expect(mail?.text).toContain('Hello Ada,')
    expect(mail?.text).toContain('> Line one\n> From: evil@example.org')
    expect(mail?.text).toContain(url)
    expect(mail?.text).not.toMatch(/8,?000,?000|SAFE/)
    expect(await mailed()).toEqual([])
  })

  test('to an account’s address, which only the mail has; saying reserve where it has to', async () => {
    const person = await site.person()
    const partner = await aPartner(site, { offering: { testing_the_waters: true } })
    await invited(partner, { platform_user_id: userIn(person) })
    const [row] = await site.db.sql<{ email: string }>('select email from test.users where id = $1', [userIn(person)])
    const [mail] = await mailed()
    expect(mail?.to).toBe(row?.email)
    expect(mail?.text).toContain('reserve')
    expect(mail?.text.replaceAll(/https?:\S+/g, '')).not.toMatch(/invest/i)
  })

  test('not where it was asked not to, and not once it was canceled; again when it is resent', async () => {
    const partner = await aPartner(site)
    const quiet = await invited(partner, { email: 'quiet@example.org', send_email: false })
    const canceled = await invited(partner, { email: 'gone@example.org' })
    await partner.send('DELETE', canceled.path)
    expect(await mailed()).toEqual([])
    await partner.send('POST', `${quiet.path}/resend`)
    await partner.send('POST', `${quiet.path}/resend`)
    expect((await mailed()).map(({ to }) => to)).toEqual(['quiet@example.org'])
  })

  test('again later where sending failed', async () => {
    await invited(await aPartner(site), { email: 'later@example.org' })
    await mailed(async () => {
      throw new Error('no')
    })
    expect(await mailed()).toEqual([])
    await site.db.sql('update test.invite_links set mail_due_at = now() where mail_due_at is not null')
    expect((await mailed()).map(({ to }) => to)).toEqual(['later@example.org'])
  })

  test('again when it was resent while it was being sent', async () => {
    const partner = await aPartner(site)
    const { path } = await invited(partner, { email: 'twice@example.org' })
    await mailed(async () => void (await partner.send('POST', `${path}/resend`)))
    expect((await mailed()).map(({ to }) => to)).toEqual(['twice@example.org'])
  })

  test('by three workers at once, each once', async () => {
    const partner = await aPartner(site)
    for (const email of ['a@example.org', 'b@example.org', 'c@example.org']) await invited(partner, { email })
    const sent = (await Promise.all([mailed(), mailed(), mailed()])).flat()
    expect(sent.map(({ to }) => to).sort()).toEqual(['a@example.org', 'b@example.org', 'c@example.org'])
  })
})
