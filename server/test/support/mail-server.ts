import { SMTPServer } from 'smtp-server'
import { expect } from 'vitest'

export type ReceivedMail = { readonly to: string; readonly subject: string; readonly text: string }

export type MailServer = {
  /** For PORTICO_SMTP_URL. */
  readonly url: string
  readonly received: readonly ReceivedMail[]
  /** Waits for a mail to this address whose subject matches, and returns the address that its text asks the reader to open. */
  linkIn(to: string, subject: RegExp): Promise<string>
  close(): Promise<void>
}

/** A real SMTP server on this machine, which stores what it receives. */
export async function mailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const [recipient] = session.envelope.rcptTo
        received.push(readMail(recipient?.address ?? '', Buffer.concat(chunks).toString()))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    linkIn: async (to, subject) => {
      const find = () => received.findLast((mail) => mail.to === to && subject.test(mail.subject))
      await expect.poll(() => find()?.subject, { message: `a mail to ${to}, ${subject}` }).toBeDefined()
      return /^https?:\/\/\S+$/m.exec(find()?.text ?? '')?.[0] ?? 'the mail has no link'
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The subject and the text part, whose transfer encoding is quoted-printable or none. */
function readMail(to: string, message: string): ReceivedMail {
  const unfolded = message.replaceAll('\r\n', '\n')
  const subject = /^Subject: (.*(?:\n[ \t].*)*)$/m.exec(unfolded)?.[1] ?? ''
  const part = /Content-Type: text\/plain[\s\S]*?\n\n([\s\S]*?)\n--/.exec(unfolded)
  const encoded = /quoted-printable/i.test(part?.[0] ?? '')
  return { to, subject: decodedWords(subject), text: encoded ? quotedPrintable(part?.[1] ?? '') : (part?.[1] ?? '') }
}

const quotedPrintable = (text: string) => bytesOf(text.replaceAll(/=\n/g, ''))
const bytesOf = (text: string) =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

/** RFC 2047, as far as our own mails use it. */
function decodedWords(subject: string): string {
  return subject
    .replaceAll(/\?=\n?[ \t]+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString() : bytesOf(text.replaceAll('_', ' ')),
    )
}
