import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type MailServer, mailServer } from '#test/mail-server.ts'
import { MailRejected, mailDirectory, type OutgoingMail, smtpTransport } from './transports.ts'

const MAIL: OutgoingMail = {
  id: 'f1e2',
  to: 'ada@example.org',
  subject: 'Grüße, 12 €',
  text: 'Hello Ada',
  html: '<p>Hello Ada</p>',
  logo: null,
}
const FROM = 'Portico <no-reply@platform.example>'

async function smtpServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const server = await mailServer(options)
  onTestFinished(() => server.close())
  return server
}

type Overrides = Parameters<typeof smtpTransport>[1] & { dkim?: Parameters<typeof smtpTransport>[0]['dkim'] }

function transportTo(url: string, { dkim = null, ...times }: Overrides = {}) {
  const transport = smtpTransport({ kind: 'smtp', url, from: FROM, dkim }, times)
  onTestFinished(() => transport.close())
  return transport
}

const response = (code: number, message: string) => Object.assign(new Error(message), { responseCode: code })

test.each(['<ada@example.org>', 'ada@example.org>', 'x,ada@example.org', 'x:ada@example.org', '"x"ada@example.org'])(
  'a mail to %s is not sent, because nodemailer would read it as another address',
  async (to) => {
    const { port, received } = await smtpServer()
    await expect(transportTo(`smtp://127.0.0.1:${port}`).send({ ...MAIL, to })).rejects.toThrow(MailRejected)
    expect(received).toEqual([])
  },
)

describe('a mail by SMTP', () => {
  test('arrives with both parts, its subject, its sender, and a constant id', async () => {
    const { port, received } = await smtpServer()
    const transport = transportTo(`smtp://127.0.0.1:${port}`)
    await transport.send(MAIL)
    await transport.send(MAIL)
    expect(received.map(({ recipients }) => recipients)).toEqual([['ada@example.org'], ['ada@example.org']])
    const text = received[0]?.message ?? ''
    expect(text).toMatch(/^From: Portico <no-reply@platform\.example>\r$/m)
    expect(text).toMatch(/^Message-ID: <f1e2@platform\.example>\r$/m)
    expect(text).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(text).toMatch(/^Content-Type: multipart\/alternative;/m)
    expect(text).toContain('text/plain; charset=utf-8')
    expect(text).toContain('<p>Hello Ada</p>')
    expect(text).toMatch(/^Subject: =\?UTF-8\?/m)
  })

  test('has the platform’s logo in the part with the HTML', async () => {
    const { port, received } = await smtpServer()
    const bytes = new Uint8Array(Buffer.from('a picture'))
    await transportTo(`smtp://127.0.0.1:${port}`).send({ ...MAIL, logo: { mediaType: 'image/png', bytes } })
    const text = received[0]?.message ?? ''
    expect(text).toMatch(
      /multipart\/alternative[\s\S]*text\/plain[\s\S]*multipart\/related[\s\S]*text\/html[\s\S]*image\/png/,
    )
    expect(text).toMatch(/^Content-I[dD]: <logo>\r$/m)
    expect(text).toMatch(/^Content-Disposition: inline; filename=logo\.png\r$/m)
    expect(text).toContain(Buffer.from(bytes).toString('base64'))
  })

  test('is sent with the user and password in the URL of the server, where they are percent-encoded', async () => {
    const seen: unknown[] = []
    const { port, received } = await smtpServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        seen.push([username, password])
        done(null, { user: username })
      },
    })
    await transportTo(`smtp://mail%40platform:p%3Ass@127.0.0.1:${port}`).send(MAIL)
    expect(seen).toEqual([['mail@platform', 'p:ss']])
    expect(received).toHaveLength(1)
  })

  test('is signed by DKIM with the key, the domain and the selector', async () => {
    const { port, received } = await smtpServer()
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const dkim = { domain: 'platform.example', selector: 'portico', privateKey: pem }
    await transportTo(`smtp://127.0.0.1:${port}`, { dkim }).send(MAIL)
    expect(received[0]?.message).toMatch(/^DKIM-Signature: [\s\S]*d=platform\.example;[\s\S]*s=portico;/m)
  })

  test('is rejected for good if the recipient does not exist', async () => {
    const { port } = await smtpServer({ onRcptTo: (_to, _session, done) => done(response(550, 'no such user')) })
    await expect(transportTo(`smtp://127.0.0.1:${port}`).send(MAIL)).rejects.toBeInstanceOf(MailRejected)
  })

  test.each([
    [
      'the server asks to try again later',
      { onRcptTo: (_to, _session, done) => done(response(451, 'try again later')) },
    ],
    [
      'the server does not allow the sender’s address',
      { onMailFrom: (_from, _session, done) => done(response(550, 'not yours')) },
    ],
    [
      'the password is wrong',
      { authOptional: false, allowInsecureAuth: true, onAuth: (_auth, _session, done) => done(response(535, 'no')) },
    ],
  ] satisfies [string, SMTPServerOptions][])('fails and can be retried if %s', async (_what, options) => {
    const { port } = await smtpServer(options)
    const sending = transportTo(`smtp://user:pass@127.0.0.1:${port}`).send(MAIL)
    await expect(sending).rejects.toThrow()
    await expect(sending).rejects.not.toBeInstanceOf(MailRejected)
  })

  test('fails within the timeout if the server is silent or missing', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const address = silent.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await expect(transportTo(`smtp://127.0.0.1:${port}`, { greetingTimeout: 200 }).send(MAIL)).rejects.toThrow(
      /reeting/,
    )
    await expect(transportTo('smtp://127.0.0.1:9').send(MAIL)).rejects.toThrow('ECONNREFUSED')
  })

  test('fails within the timeout if the server hangs after it received the mail', async () => {
    const { port } = await smtpServer({ onData: (stream) => void stream.resume() })
    await expect(transportTo(`smtp://127.0.0.1:${port}`, { socketTimeout: 300 }).send(MAIL)).rejects.toThrow(/imeout/)
  })

  test('is not sent unencrypted to another machine, or to a server with a certificate that no authority signed', async () => {
    const { port, received } = await smtpServer()
    // This address is this machine's too, but the transport knows only the usual loopback names and so requires
    // encryption.
    await expect(transportTo(`smtp://127.0.0.2:${port}`).send(MAIL)).rejects.toThrow()
    const encrypted = await smtpServer({ secure: true })
    await expect(transportTo(`smtps://127.0.0.1:${encrypted.port}`).send(MAIL)).rejects.toThrow(/certificate/)
    expect([...received, ...encrypted.received]).toEqual([])
  })

  test('is not sent to a second recipient in its address, and its subject cannot add a header', async () => {
    const { port, received } = await smtpServer()
    const transport = transportTo(`smtp://127.0.0.1:${port}`)
    const subject = 'Bad\r\nBcc: eve@example.org'
    await transport.send({ ...MAIL, to: 'ada@example.org,eve@example.org', subject }).catch(() => {})
    await transport.send({ ...MAIL, subject })
    expect(received.flatMap(({ recipients }) => recipients)).not.toContain('eve@example.org')
    expect(received.every(({ message }) => !/^Bcc:/im.test(message))).toBe(true)
    expect(received.length).toBeGreaterThan(0)
  })
})

test('a directory transport writes one file per mail, which only the service’s own user can read', async () => {
  const home = await mkdtemp(join(tmpdir(), 'portico-mail-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const directory = join(home, 'mail')
  await mailDirectory({ directory, from: FROM }).send(MAIL)
  const [name = ''] = await readdir(directory)
  expect(name).toMatch(/^\d{4}-.*-f1e2\.eml$/)
  const text = await readFile(join(directory, name), 'utf8')
  expect(text).toMatch(/^To: ada@example\.org\r$/m)
  expect(text).toContain('<p>Hello Ada</p>')
  expect((await stat(join(directory, name))).mode & 0o077).toBe(0)
})
