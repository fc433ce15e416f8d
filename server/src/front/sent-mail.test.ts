import { describe, expect, onTestFinished, test } from 'vitest'
import { serveProbes } from '#http/testing/probe-app.ts'
import { parseRaw, sendRaw } from '#http/testing/raw-http.ts'
import type { SentMail } from './sent-mail-routes.ts'
import { type Mailbox, sentMailRoutes } from './sent-mail-routes.ts'

const MAIL: SentMail = {
  file: '2026-a.eml',
  subject: 'Confirm <your> address',
  to: 'ada@example.org',
  from: 'Portico <no-reply@portico.invalid>',
  sentAt: '2026-11-01T00:00:00.000Z',
  text: 'Open http://localhost:4400/sign-up/link/abc.\n<script>alert(1)</script>',
  html: '<html><head><title>x</title></head><body><script>alert(1)</script><a href="/x">Confirm</a></body></html>',
}
const UNREADABLE: SentMail = { ...MAIL, file: 'broken.eml', subject: null, to: '', text: null, html: null }

const holding = (...mails: readonly SentMail[]): Mailbox => ({
  list: async () => mails,
  read: async (file) => mails.find((mail) => mail.file === file) ?? null,
})

async function serving(mailbox: Mailbox | null) {
  const edge = await serveProbes(sentMailRoutes({ brand: 'Portico', mailbox: async () => mailbox }))
  onTestFinished(() => edge.close())
  return async (path: string, headers: readonly string[] = ['Host: localhost:4400']) =>
    parseRaw(
      await sendRaw(edge.port, `${[`GET ${path} HTTP/1.1`, 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`),
    )
}

const PATHS = ['/demo/mail', '/demo/mail/2026-a.eml', '/demo/mail/2026-a.eml/body']

describe('the page of sent mail', () => {
  test('lists the written mails, each with a link to its page', async () => {
    const get = await serving(holding(MAIL, UNREADABLE))
    const { status, body } = await get('/demo/mail')
    expect(status).toBe(200)
    expect(body).toContain('<a href="/demo/mail/2026-a.eml">Confirm &lt;your&gt; address</a>')
    expect(body).toContain('A file that cannot be read as a mail')
  })

  test('says that there is no mail yet', async () => {
    const get = await serving(holding())
    expect((await get('/demo/mail')).body).toContain('No mail yet')
  })

  test('shows a mail as text with links, and its HTML in a frame without scripts', async () => {
    const get = await serving(holding(MAIL))
    const { body, headers } = await get('/demo/mail/2026-a.eml')
    expect(body).toContain('<a href="http://localhost:4400/sign-up/link/abc" target="_blank" rel="noopener">')
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(body).toMatch(/<iframe [^>]*sandbox="allow-popups allow-popups-to-escape-sandbox">/)
    expect(headers.get('content-security-policy')).toContain("frame-src 'self'")
  })

  test('sends the HTML of a mail with a policy that allows it only to open links', async () => {
    const get = await serving(holding(MAIL))
    const { body, headers } = await get('/demo/mail/2026-a.eml/body')
    expect(body).toContain('<head><base target="_blank">')
    const policy = headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "form-action 'none'", "frame-ancestors 'self'", 'sandbox allow-popups']) {
      expect(policy).toContain(rule)
    }
    expect(policy).not.toMatch(/script-src|allow-scripts|allow-same-origin|connect-src/)
  })

  test('explains a file that cannot be read', async () => {
    const get = await serving(holding(UNREADABLE))
    expect((await get('/demo/mail/broken.eml')).body).toContain('is too large, or not in the format of mail')
  })

  test.each(['/demo/mail/nothing.eml', '/demo/mail/nothing.eml/body', '/demo/mail/..%2fsecret.eml'])(
    '404 for %s',
    async (path) => {
      const get = await serving(holding(MAIL))
      expect((await get(path)).status).toBe(404)
    },
  )

  test.each(PATHS)('%s is 404 without a demo', async (path) => {
    const get = await serving(null)
    expect((await get(path)).status).toBe(404)
  })

  test.each(PATHS)('%s is 404 under another host name, and behind a proxy', async (path) => {
    const get = await serving(holding(MAIL))
    expect((await get(path, ['Host: evil.example'])).status).toBe(404)
    expect((await get(path, ['Host: localhost', 'X-Forwarded-For: 192.0.2.1'])).status).toBe(404)
  })
})
