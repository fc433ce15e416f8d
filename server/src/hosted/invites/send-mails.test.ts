import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { userIn } from '#access/installations/testing/site.ts'
import { aPartner, openPartnerSite, type PartnerSite } from '#hosted/sessions/investment-api/testing/partner-stage.ts'
import { newId } from '#kernel/ids.ts'
import { MailRejected, openMailer } from '#mail/index.ts'
import { type CollectedMail, collectingMailer, NO_TOKENS, TEST_BRAND } from '#mail/testing/collecting-mailer.ts'
import { recordInvestment } from '#market/investments/index.ts'
import { openLog } from '#system/log.ts'
import { occasionAt } from '#test/caused-events.ts'
import { mailServer } from '#test/mail-server.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '../../../test/contract/sender.ts'
import { listUnsentInvitations, retryInvitation, sendInviteMails, useLink } from './index.ts'
import { takeMails } from './mail-store.ts'

let site: PartnerSite
beforeAll(async () => {
  site = await openPartnerSite()
})
afterAll(() => site.close())

/** Sends all due mails and returns them; `first` runs before each mail, and may throw. */
async function mailed(first?: (to: string) => Promise<void>): Promise<CollectedMail[]> {
  const { mailer, sent } = collectingMailer(first)
  const { links, db } = site
  await sendInviteMails({ db: db.databases.test, links, brand: 'wefunder', mailer, log: openLog('silent') }, 100)
  return sent
}

type Partner = Awaited<ReturnType<typeof aPartner>>

/** The invitations whose mail was given up. */
const aside = async () =>
  (await listUnsentInvitations(site.db.databases.platform.reads, 'test', '', 100)).map(({ id }) => id)
const retry = (id: string) => site.db.databases.platform.transaction((tx) => retryInvitation(tx, 'test', id))

async function invited(partner: Partner, invite_link: object) {
  const path = `/partner/spvs/${partner.offering}/invite_links`
  const { data } = await partner.send('POST', path, { invite_link })
  return { id: data.id, url: String(data.attributes['url']), path: `${path}/${data.id}` }
}

describe('an invitation is mailed', () => {
  test('once, with the link, with the partner’s message as a quotation, and without terms of the offering', async () => {
    const { url } = await invited(await aPartner(site), {
      email: 'ada@example.org',
      first_name: 'Ada',
      last_name: 'Lovelace',
      message: 'Line one\nFrom: evil@example.org',
    })
    const [mail, ...more] = await mailed()
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      to: 'ada@example.org',
      subject: '[Sandbox] Fieldbook CRM invites you to an offering of Tidepool Robotics',
    })
    expect(mail?.text).toContain('Hello Ada Lovelace,')
    expect(mail?.text).toContain('> Line one\n> From: evil@example.org')
    expect(mail?.text).toContain(url)
    expect(mail?.text).not.toMatch(/8,?000,?000|SAFE/)
    expect(await mailed()).toEqual([])
  })

  test('to the address of an account, which only the mail contains; with the word “reserve” if the offering tests the waters', async () => {
    const person = await site.person()
    const partner = await aPartner(site, { offering: { testing_the_waters: true } })
    await invited(partner, { platform_user_id: userIn(person) })
    const [row] = await site.db.sql<{ email: string }>('select email from test.users where id = $1', [userIn(person)])
    const [mail] = await mailed()
    expect(mail?.to).toBe(row?.email)
    expect(mail?.text).toContain('reserve')
    expect(mail?.text.replaceAll(/https?:\S+/g, '')).not.toMatch(/invest/i)
  })

  test('not with send_email false until the app resends it, and not after a cancellation', async () => {
    const partner = await aPartner(site)
    const quiet = await invited(partner, { email: 'quiet@example.org', send_email: false })
    const canceled = await invited(partner, { email: 'gone@example.org' })
    await partner.send('DELETE', canceled.path)
    expect(await mailed()).toEqual([])
    expect((await partner.send('POST', `${quiet.path}/resend`)).status).toBe(200)
    expect(await noted(partner, quiet)).toEqual([])
    expect((await mailed()).map(({ to }) => to)).toEqual(['quiet@example.org'])
  })

  test('again later if sending failed', async () => {
    await invited(await aPartner(site), { email: 'later@example.org' })
    await mailed(async () => {
      throw new Error('no')
    })
    expect(await mailed()).toEqual([])
    await site.db.sql('update test.invite_links set mail_due_at = now() where mail_due_at is not null')
    expect((await mailed()).map(({ to }) => to)).toEqual(['later@example.org'])
  })

  test('not again if the mail server rejected it for good, until an operator retries it', async () => {
    const { id } = await invited(await aPartner(site), { email: 'nobody@example.org' })
    await mailed(async () => {
      throw new MailRejected('550 no such user')
    })
    expect(await site.db.sql('select id from test.invite_links where mail_due_at is not null')).toEqual([])
    expect(await aside()).toContain(id)
    expect(await retry(id)).toBe(id)
    expect(await aside()).not.toContain(id)
    expect(await retry(id)).toBeNull()
    expect((await mailed()).map((mail) => mail.to)).toEqual(['nobody@example.org'])
  })

  test('not again after the last try failed; an operator cannot retry a canceled invitation', async () => {
    const partner = await aPartner(site)
    const { id, path } = await invited(partner, { email: 'last@example.org' })
    await site.db.sql('update test.invite_links set mail_attempts = 11 where id = $1', [id])
    await mailed(async () => {
      throw new Error('no')
    })
    expect(await aside()).toContain(id)
    await partner.send('DELETE', path)
    expect(await aside()).not.toContain(id)
    expect(await retry(id)).toBeNull()
  })

  test.each([
    [550, 0, { level: 40, error: 'MailRejected', smtp_status: 550 }],
    [451, 0, { level: 50, error: 'Error', error_code: 'EENVELOPE', smtp_status: 451 }],
    [451, 11, { level: 50, error: 'Error', error_code: 'EENVELOPE', smtp_status: 451 }],
  ])(
    'without success: the log has the status %i of the mail server, but no word of its response, which repeats the address',
    async (status, attempts, entry) => {
      const partner = await aPartner(site)
      const { id, path } = await invited(partner, { email: 'secret@example.org' })
      await site.db.sql('update test.invite_links set mail_attempts = $2 where id = $1', [id, attempts])
      const server = await mailServer({
        onRcptTo: ({ address }, _session, done) =>
          done(Object.assign(new Error(`mailbox of ${address} is unknown`), { responseCode: status })),
      })
      onTestFinished(() => server.close())
      const settings = {
        kind: 'smtp',
        url: server.url,
        from: 'Portico <no-reply@platform.example>',
        dkim: null,
      } as const
      const mailer = openMailer(settings, { brand: TEST_BRAND, tokens: NO_TOKENS })
      onTestFinished(() => mailer.close())
      const lines: string[] = []
      const log = openLog('debug', { write: (line: string) => void lines.push(line) })
      const { links, db } = site
      await sendInviteMails({ db: db.databases.test, links, brand: 'wefunder', mailer, log }, 100)
      expect(lines.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ ...entry, invite_link: id })])
      expect(lines.join()).not.toMatch(/secret|mailbox/)
      // Canceled, so that its mail is not retried in other tests.
      await partner.send('DELETE', path)
    },
  )

  test('not again after the process died during the last try, until an operator retries it', async () => {
    const { id } = await invited(await aPartner(site), { email: 'died@example.org' })
    await site.db.sql('update test.invite_links set mail_attempts = 11 where id = $1', [id])
    expect(await takeMails(site.db.databases.test.reads, 100)).toMatchObject([{ id, attempt: 12 }])
    expect(await aside()).not.toContain(id)
    await site.db.sql('update test.invite_links set mail_due_at = now() where id = $1 and mail_due_at is not null', [
      id,
    ])
    expect(await mailed()).toEqual([])
    expect(await aside()).toContain(id)
    expect(await retry(id)).toBe(id)
    expect((await mailed()).map((mail) => mail.to)).toEqual(['died@example.org'])
  })

  test('once if the app resends it while the last try is running: the resend gets 422', async () => {
    const partner = await aPartner(site)
    const { id, path } = await invited(partner, { email: 'once@example.org' })
    await site.db.sql('update test.invite_links set mail_attempts = 11 where id = $1', [id])
    const resent: number[] = []
    const sent = await mailed(async () => void resent.push((await partner.send('POST', `${path}/resend`)).status))
    expect([resent, sent.map(({ to }) => to)]).toEqual([[422], ['once@example.org']])
    expect(await mailed()).toEqual([])
  })

  test('again if an operator retried it while the last try was still running', async () => {
    const { id } = await invited(await aPartner(site), { email: 'twice@example.org' })
    await site.db.sql('update test.invite_links set mail_attempts = 11 where id = $1', [id])
    const retried: (string | null)[] = []
    await mailed(async () => {
      await site.db.sql('update test.invite_links set mail_due_at = now() where id = $1', [id])
      await mailed()
      retried.push(await retry(id))
    })
    expect(retried).toEqual([id])
    expect((await mailed()).map(({ to }) => to)).toEqual(['twice@example.org'])
  })

  test('once, also with three workers at the same time', async () => {
    const partner = await aPartner(site)
    for (const email of ['a@example.org', 'b@example.org', 'c@example.org']) await invited(partner, { email })
    const sent = (await Promise.all([mailed(), mailed(), mailed()])).flat()
    expect(sent.map(({ to }) => to).sort()).toEqual(['a@example.org', 'b@example.org', 'c@example.org'])
  })
})

/** The names of the link's events, as the partner reads them. */
async function noted(partner: Partner, { path }: { readonly path: string }): Promise<readonly string[]> {
  const { attributes } = (await partner.send('GET', path)).data
  return (attributes['events'] as { event: string }[]).map(({ event }) => event)
}

const to = (mails: readonly CollectedMail[]) => mails.map((mail) => mail.to)

describe('no person gets more mails than allowed', () => {
  test('send and resend are recorded after the mail was sent; a resend is 422 within an hour and 200 later', async () => {
    const partner = await aPartner(site)
    const link = await invited(partner, { email: 'often@example.org' })
    const resend = () => partner.send('POST', `${link.path}/resend`)
    const message =
      'is for a person whom you mailed about this offering within the last hour, or to whom such a mail is queued'
    const tooSoon = { fields: [{ field: 'invite_link', code: 'too_soon', message }] }
    expect((await resend()).error.details).toMatchObject(tooSoon)
    expect(await noted(partner, link)).toEqual([])
    await mailed()
    expect((await resend()).error.details).toMatchObject(tooSoon)
    await anHourAgo(link.id)
    expect((await resend()).status).toBe(200)
    await mailed()
    expect(await noted(partner, link)).toEqual(['send', 'resend'])
  })

  test('a hundred links to one address for one offering cause one mail, as do ten concurrent requests; a link to another offering causes another mail', async () => {
    const partner = await aPartner(site)
    const invite_links = Array.from({ length: 100 }, (_, nth) => ({
      email: nth % 2 === 0 ? 'one@example.org' : 'ONE@example.org',
    }))
    const path = `/partner/spvs/${partner.offering}/invite_links`
    expect((await partner.send('POST', `${path}/bulk`, { invite_links })).meta['created']).toBe(100)
    await Promise.all(Array.from({ length: 10 }, () => invited(partner, { email: 'two@example.org' })))
    const other = await site.db.databases.test.transaction((tx) => makeOffering(tx, { company: partner.company }))
    await invited({ ...partner, offering: other }, { email: 'one@example.org' })
    expect(
      to(await mailed())
        .map((each) => each.toLowerCase())
        .sort(),
    ).toEqual(['one@example.org', 'one@example.org', 'two@example.org'])
  })

  test('a person who declined a link gets no more mail from that app, but still from other apps', async () => {
    const partner = await aPartner(site)
    const person = await site.person()
    for (const recipient of [{ email: 'no@example.org' }, { platform_user_id: userIn(person) }]) {
      const first = await invited(partner, recipient)
      await mailed()
      await site.db.sql('update test.invite_links set declined_at = now() where id = $1', [first.id])
      await anHourAgo(first.id)
      const again = await invited(partner, recipient)
      expect(await mailed()).toEqual([])
      expect(await noted(partner, again)).toEqual([])
      const resent = await partner.send('POST', `${again.path}/resend`)
      expect(resent.error.details).toMatchObject({ fields: [{ code: 'declined' }] })
      await invited(await aPartner(site), recipient)
      expect(await mailed()).toHaveLength(1)
    }
  })

  test('a queued mail is dropped if the app was suspended or removed, the offering is closing, or the person has invested', async () => {
    const partners = [await aPartner(site), await aPartner(site), await aPartner(site), await aPartner(site)] as const
    const [suspended, removed, closing, invested] = partners
    const links: Awaited<ReturnType<typeof invited>>[] = []
    for (const partner of partners) links.push(await invited(partner, { email: 'meanwhile@example.org' }))
    await site.db.sql(`update platform.apps set suspended_at = now(), suspended_reason = 'Because.' where id = $1`, [
      suspended.app,
    ])
    await site.db.sql(
      `update test.installations set state = 'revoked', revoked_at = now(), revoked_by_role = 'founder' where id = $1`,
      [removed.installation],
    )
    await site.db.sql(`update test.offerings set status = 'closing' where id = $1`, [closing.offering])
    await site.db.databases.test.transaction(async (tx) => {
      const investment = newId('investment')
      const made = { id: investment, offering: invested.offering, investor: await makeUser(tx) }
      await recordInvestment(tx, { ...made, amount_cents: 10_000 as never }, occasionAt())
      await useLink(tx, { link: links[3]?.id as never, investment }, occasionAt())
    })
    expect(await mailed()).toEqual([])
    expect(refusalOf(await invested.send('POST', `${links[3]?.path}/resend`))).toBe('422 validation_error')
    expect(refusalOf(await closing.send('POST', `${links[2]?.path}/resend`))).toBe('422 validation_error')
    // No mail is queued any more, so none is sent later.
    const due = await site.db.sql('select id from test.invite_links where mail_due_at is not null')
    expect(due).toEqual([])
  })
})

const anHourAgo = (id: string) =>
  site.db.sql(`update test.invite_links set mailed_at = mailed_at - interval '61 minutes' where id = $1`, [id])
