import { mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMailer } from '@portico/server/mail/index.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openMailbox } from './sent-mail.ts'

const BRAND = { name: 'Portico', accent: null, logo: null, links: { support: null, terms: null, privacy: null } }
const LETTER = {
  subject: 'Grüße, 12 €',
  greeting: 'Hello Ada,',
  paragraphs: ['Welcome.'],
  action: { label: 'Confirm', url: 'http://localhost:4400/sign-up/link/abc' },
}

async function newDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'portico-mail-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

describe('the demo’s mailbox', () => {
  test('reads the mails of the mail directory unchanged', async () => {
    const at = await newDirectory()
    const mailer = openMailer(
      { kind: 'directory', directory: at, from: 'Portico <no-reply@portico.invalid>' },
      { brand: BRAND, tokens: { tokenOf: () => '' } },
    )
    await mailer.send({ id: 'one', to: 'ada@example.org', letter: LETTER })
    const [head] = await openMailbox(at).list()
    expect(head).toMatchObject({ subject: 'Grüße, 12 €', to: 'ada@example.org' })
    const mail = await openMailbox(at).read(head?.file ?? '')
    expect(mail?.from).toBe('Portico <no-reply@portico.invalid>')
    expect(mail?.text).toContain('Confirm:\nhttp://localhost:4400/sign-up/link/abc')
    expect(mail?.html).toContain('<a class="action" href="http://localhost:4400/sign-up/link/abc">')
  })

  test('shows the logo that a mail contains, and leaves other text with cid: unchanged', async () => {
    const at = await newDirectory()
    const logo = { mediaType: 'image/png', bytes: new Uint8Array(Buffer.from('a picture')) }
    const mailer = openMailer(
      { kind: 'directory', directory: at, from: 'Portico <no-reply@portico.invalid>' },
      { brand: { ...BRAND, logo }, tokens: { tokenOf: () => '' } },
    )
    const paragraphs = ['It says cid:other here.']
    await mailer.send({ id: 'one', to: 'ada@example.org', letter: { ...LETTER, paragraphs } })
    const [head] = await openMailbox(at).list()
    const mail = await openMailbox(at).read(head?.file ?? '')
    expect(mail?.html).toContain(`src="data:image/png;base64,${Buffer.from('a picture').toString('base64')}"`)
    expect(mail?.html).toContain('It says cid:other here.')
  })

  test('lists the newest mail first, and at most a hundred mails', async () => {
    const at = await newDirectory()
    for (let number = 100; number <= 210; number++) {
      await writeFile(join(at, `${number}.eml`), `Subject: ${number}\r\n\r\nHello`)
    }
    const subjects = (await openMailbox(at).list()).map(({ subject }) => subject)
    expect([subjects.length, subjects[0], subjects.at(-1)]).toEqual([100, '210', '111'])
  })

  test('is empty if no mail was sent', async () => {
    expect(await openMailbox(join(await newDirectory(), 'none')).list()).toEqual([])
  })

  test.each(['../secret.eml', '..%2fsecret.eml', 'a/b.eml', '.eml', 'secret', 'draft.eml.draft', 'a\0.eml', ''])(
    'finds no mail under %j',
    async (file) => {
      const at = await newDirectory()
      await writeFile(join(at, '..', 'secret.eml'), 'Subject: secret\r\n\r\n')
      onTestFinished(() => rm(join(at, '..', 'secret.eml'), { force: true }))
      expect(await openMailbox(at).read(file)).toBeNull()
    },
  )

  test('does not follow a link to another file', async () => {
    const at = await newDirectory()
    await writeFile(join(at, 'target'), 'Subject: secret\r\n\r\n')
    await symlink(join(at, 'target'), join(at, 'link.eml'))
    expect(await openMailbox(at).read('link.eml')).toBeNull()
    expect(await openMailbox(at).list()).toEqual([])
  })

  test('lists a file that is too large without reading it, and a file that is not a mail', async () => {
    const at = await newDirectory()
    await writeFile(join(at, '1-huge.eml'), Buffer.alloc(2 * 1_048_576, 'x'))
    await writeFile(join(at, '2-broken.eml'), Buffer.from([0, 255, 254, 13, 10, 0]))
    await utimes(join(at, '1-huge.eml'), 0, 0)
    const mailbox = openMailbox(at)
    expect((await mailbox.list()).map(({ file }) => file)).toEqual(['2-broken.eml', '1-huge.eml'])
    const sentAt = '1970-01-01T00:00:00.000Z'
    expect(await mailbox.read('1-huge.eml')).toMatchObject({ subject: null, text: null, html: null, sentAt })
    expect(await mailbox.read('2-broken.eml')).toMatchObject({ subject: null })
  })
})
