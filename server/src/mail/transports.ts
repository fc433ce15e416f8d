import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LOGO_ID, type Rendered } from './letter.ts'

/** A rendered mail. `id` identifies it, so that a mail program shows a mail that was sent twice only once. */
export type OutgoingMail = Rendered & { readonly id: string; readonly to: string }

/**
 * `send` resolves once the mail server has accepted the mail. If the process dies before that is recorded, the mail is
 * sent again.
 */
export type MailTransport = {
  send(mail: OutgoingMail): Promise<void>
  close(): void
}

/** Thrown if the server rejected this mail for good, for example because the address does not exist. A retry would not help. */
export class MailRejected extends Error {
  override readonly name = 'MailRejected'
  readonly responseCode: number | null

  constructor(message: string, responseCode: number | null = null) {
    super(message)
    this.responseCode = responseCode
  }
}

/**
 * What the log says about a mail that was not sent. The error itself is not logged: its message and its fields repeat the
 * mail server's response, which may contain the recipient's address.
 */
export function loggedMailError(error: unknown) {
  if (!(error instanceof Error)) return { error: typeof error }
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  return {
    error: error.name,
    ...(typeof code === 'string' ? { error_code: code } : {}),
    ...(typeof responseCode === 'number' ? { smtp_status: responseCode } : {}),
  }
}

/** Plain data, because it is passed to the workers' thread. */
export type MailSettings =
  | { readonly kind: 'directory'; readonly directory: string; readonly from: string }
  | { readonly kind: 'smtp'; readonly url: string; readonly from: string; readonly dkim: DkimSettings | null }

export type DkimSettings = { readonly domain: string; readonly selector: string; readonly privateKey: string }

export function mailTransport(settings: MailSettings): MailTransport {
  return settings.kind === 'smtp' ? smtpTransport(settings) : mailDirectory(settings)
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Nodemailer waits for minutes by default, and other mails would wait too. Short timeouts are enough, because our queue retries. */
const TIMES = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 }
const CONNECTIONS_MAX = 2

type SmtpSettings = Extract<MailSettings, { kind: 'smtp' }>

/**
 * `smtps:` encrypts from the first byte. With `smtp:` the server must offer STARTTLS, unless it is on this machine. If STARTTLS
 * were optional, an attacker on the network could suppress the offer and read the links that sign people in.
 */
export function smtpTransport({ url, from, dkim }: SmtpSettings, times: Partial<typeof TIMES> = {}): MailTransport {
  const { protocol, hostname, port, username, password } = new URL(url)
  const isEncrypted = protocol === 'smtps:'
  const login = { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  const open = once(async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      pool: true,
      maxConnections: CONNECTIONS_MAX,
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port || (isEncrypted ? 465 : 587)),
      secure: isEncrypted,
      requireTLS: !isEncrypted && !LOOPBACK.has(hostname),
      ...(username === '' ? {} : { auth: login }),
      ...(dkim === null
        ? {}
        : { dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.privateKey } }),
      ...TIMES,
      ...times,
    })
  })
  return {
    async send(mail) {
      const transport = await open()
      await transport.sendMail(messageOf(mail, from)).catch(rejectedForGood)
    },
    close: () => void open.ifCalled()?.then((transport) => transport.close()),
  }
}

/**
 * Only a rejected recipient or text is a rejection for good. If the login or the sender is rejected, the mail is retried, because
 * the operator can fix the setting.
 */
function rejectedForGood(error: unknown): never {
  const { responseCode = 0, command = '' } = error as { responseCode?: number; command?: string }
  if (responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')) {
    throw new MailRejected(error instanceof Error ? error.message : String(error), responseCode)
  }
  throw error
}

/** Writes one file per mail, for platforms without a mail server; file names sort by time. The rename prevents half-written files. */
export function mailDirectory({ directory, from }: { directory: string; from: string }): MailTransport {
  return {
    async send(mail) {
      const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
      const text = await new MailComposer(messageOf(mail, from)).compile().build()
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const path = join(directory, `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${mail.id}.eml`)
      await writeFile(`${path}.draft`, text, { mode: 0o600 })
      await rename(`${path}.draft`, path)
    },
    close() {},
  }
}

/** nodemailer removes these characters from an address, or reads only the part between them. The mail would go to another address. */
const MARKS = /[<>()[\],;:"\\\s]/

function messageOf({ id, to, subject, text, html, logo }: OutgoingMail, from: string) {
  if (MARKS.test(to)) throw new MailRejected('the address contains a character that no mailbox address has')
  const host = /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'
  return {
    ...{ from, subject, text, html },
    ...(logo === null ? {} : { attachments: [inlined(logo)] }),
    to: { name: '', address: to },
    messageId: `<${id}@${host}>`,
    // Keeps mail programs from replying automatically (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** The logo is in the same part as the HTML, so that mail programs show it in the text and not as an attachment. */
function inlined({ mediaType, bytes }: NonNullable<Rendered['logo']>) {
  const filename = `logo.${mediaType.replace('image/', '')}`
  return {
    cid: LOGO_ID,
    filename,
    contentType: mediaType,
    contentDisposition: 'inline' as const,
    content: Buffer.from(bytes),
  }
}

function once<T>(work: () => Promise<T>) {
  let result: Promise<T> | undefined
  const call = () => (result ??= work())
  return Object.assign(call, { ifCalled: () => result })
}
