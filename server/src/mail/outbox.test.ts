import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openLog } from '#system/log.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { deleteMailsAbout, type Mailer, purgeDeadMails, purgeUnsentMails, queueMail, sendMails } from './index.ts'
import { collectingMailer } from './testing/collecting-mailer.ts'
import { MailRejected } from './transports.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())
beforeEach(() => db.sql('delete from platform.mails'))

const letter = { subject: 'Hello', paragraphs: ['Hello.'] }
const queue = (key: string, to = `${key}@example.org`) =>
  db.databases.platform.transaction((tx) => queueMail(tx, { key, to, letter }))
const send = (mailer: Mailer, log = openLog('silent')) =>
  sendMails({ platform: db.databases.platform, mailer, log }, 10)
const rows = () =>
  db.sql<{ attempts: number; dead: boolean; error: string | null; minutes: number | null }>(
    `select attempts, failed_at is not null as dead, last_error as error,
            round(extract(epoch from due_at - clock_timestamp()) / 60)::int as minutes from platform.mails`,
  )
const dueNow = () => db.sql('update platform.mails set due_at = clock_timestamp() where due_at is not null')

describe('a queued mail', () => {
  test('is sent once, is deleted, and is not queued a second time with the same key', async () => {
    await queue('one')
    await queue('one', 'other@example.org')
    const { mailer, sent } = collectingMailer()
    expect([await send(mailer), await send(mailer)]).toEqual([1, 0])
    expect(sent).toMatchObject([{ to: 'one@example.org', subject: 'Hello' }])
    expect(await rows()).toEqual([])
  })

  test('is not sent if its transaction is rolled back', async () => {
    const failing = db.databases.platform.transaction(async (tx) => {
      await queueMail(tx, { key: 'never', to: 'never@example.org', letter })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await send(collectingMailer().mailer)).toBe(0)
  })

  test('waits longer after each failed attempt, at most two hours, and is a dead letter after twelve attempts', async () => {
    await queue('down')
    const { mailer } = collectingMailer(async () => {
      throw new Error('no answer')
    })
    const waits: (number | null)[] = []
    for (let attempt = 1; attempt <= 12; attempt++) {
      expect(await send(mailer)).toBe(1)
      waits.push((await rows())[0]?.minutes ?? null)
      await dueNow()
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 120, 120, 120, 120, null])
    expect(await rows()).toEqual([{ attempts: 12, dead: true, error: 'no answer', minutes: null }])
    expect(await send(mailer)).toBe(0)
  })

  test('becomes a dead letter at once if the server rejects it for good, and is deleted after 30 days', async () => {
    await queue('gone')
    const { mailer } = collectingMailer(async () => {
      throw new MailRejected('550 no such user')
    })
    await send(mailer)
    expect(await rows()).toMatchObject([{ attempts: 1, dead: true, error: '550 no such user' }])
    const purge = () => db.databases.platform.transaction((tx) => purgeDeadMails(tx, 10))
    expect(await purge()).toBe(0)
    await db.sql(`update platform.mails set failed_at = failed_at - interval '31 days'`)
    expect(await purge()).toBe(1)
  })

  test('is logged with the mail server’s status if the attempt fails, without the response, which repeats the address', async () => {
    await queue('secret')
    const { mailer } = collectingMailer(async (to) => {
      throw Object.assign(new Error(`451 ${to} is busy`), { code: 'EENVELOPE', responseCode: 451, rejected: [to] })
    })
    const lines: string[] = []
    await send(mailer, openLog('debug', { write: (line: string) => void lines.push(line) }))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ error_code: 'EENVELOPE', smtp_status: 451 }])
    expect(lines.join()).not.toMatch(/secret|busy/)
  })

  test('is sent later by another worker if the first worker died while sending', async () => {
    await queue('lost')
    const dying = collectingMailer(() => new Promise(() => {}))
    void send(dying.mailer)
    await expect.poll(async () => (await rows())[0]?.attempts).toBe(1)
    const { mailer, sent } = collectingMailer()
    expect(await send(mailer)).toBe(0)
    expect((await rows())[0]?.minutes).toBe(5)
    await dueNow()
    expect(await send(mailer)).toBe(1)
    expect(sent).toHaveLength(1)
  })

  test('is sent once when ten workers run concurrently', async () => {
    for (const key of ['a', 'b', 'c']) await queue(key)
    const { mailer, sent } = collectingMailer()
    await Promise.all(Array.from({ length: 10 }, () => send(mailer)))
    expect(sent.map(({ to }) => to).sort()).toEqual(['a@example.org', 'b@example.org', 'c@example.org'])
  })

  test('is deleted when its invitation or request has ended; mails with a similar key stay', async () => {
    const at = (key: string) => queue(key, `${key.replaceAll(' ', '.')}@example.org`)
    for (const key of ['invitation 1', 'invitation 1 2', 'invitation 11', 'invitation 2', 'an invitation 1'])
      await at(key)
    await deleteMailsAbout(db.databases.platform.reads, ['invitation 1 ', 'invitation 2'])
    expect(
      (await db.sql<{ key: string }>('select key from platform.mails order by key')).map(({ key }) => key),
    ).toEqual(['an invitation 1', 'invitation 1', 'invitation 11'])
  })

  test('is deleted after a day if no mail server is set up', async () => {
    await queue('new')
    await queue('old')
    await db.sql(`update platform.mails set due_at = due_at - interval '25 hours' where key = 'old'`)
    expect(await purgeUnsentMails(db.databases.platform.reads, 10)).toBe(1)
    expect(await db.sql('select key from platform.mails')).toEqual([{ key: 'new' }])
  })
})
