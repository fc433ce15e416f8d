import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { expect } from 'vitest'

export type ReceivedMail = {
  /** The recipients that the sender named to the server. */
  readonly recipients: readonly string[]
  /** The first recipient. */
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The whole message, as the server received it. */
  readonly message: string
}

export type MailServer = {
  readonly port: number
  /** The value for PORTICO_SMTP_URL. */
  readonly url: string
  readonly received: readonly ReceivedMail[]
  /** Waits for a mail to this address whose subject matches, and returns the newest. */
  waitForMail(to: string, subject: RegExp): Promise<ReceivedMail>
  /** Waits for a mail as `waitForMail` does, and returns the link in its text. */
  waitForLink(to: string, subject: RegExp): Promise<string>
  close(): Promise<void>
}

/** Starts a real SMTP server on this machine. It stores the mails it receives, unless the options make it fail. */
export async function mailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        received.push(readMail(recipients, Buffer.concat(chunks).toString()))
        done()
      })
    },
    ...options,
  })
  // If a client disconnects or does not trust the certificate, the client reports it, not this server.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const waitForMail = async (to: string, subject: RegExp): Promise<ReceivedMail> => {
    const find = () => received.findLast((mail) => mail.to === to && subject.test(mail.subject))
    await expect.poll(find, { message: `a mail to ${to}, ${subject}` }).toBeDefined()
    const found = find()
    if (found === undefined) throw new Error('the mail disappeared')
    return found
  }
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    received,
    waitForMail,
    waitForLink: async (to, subject) =>
      /^https?:\/\/\S+$/m.exec((await waitForMail(to, subject)).text)?.[0] ?? 'the mail has no link',
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Reads the subject and the text part. The text is quoted-printable or not encoded. */
function readMail(recipients: readonly string[], message: string): ReceivedMail {
  const unfolded = message.replaceAll('\r\n', '\n')
  const subject = /^Subject: (.*(?:\n[ \t].*)*)$/m.exec(unfolded)?.[1] ?? ''
  // The first boundary is that of the whole message. Two dashes alone are not enough, because a signature also begins
  // with them.
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(unfolded) ?? []
  const parts = unfolded.split(`\n--${boundary}`)
  const part = parts
    .map((each) => /Content-Type: text\/plain[\s\S]*?\n\n([\s\S]*)$/.exec(each))
    .find((each) => each !== null)
  const encoded = /quoted-printable/i.test(part?.[0] ?? '')
  const text = encoded ? quotedPrintable(part?.[1] ?? '') : (part?.[1] ?? '')
  return { recipients, to: recipients[0] ?? '', subject: decodedWords(subject), text, message }
}

const quotedPrintable = (text: string) => bytesOf(text.replaceAll(/=\n/g, ''))
const bytesOf = (text: string) =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

/** Decodes RFC 2047, as far as our own mails use it. */
function decodedWords(subject: string): string {
  return subject
    .replaceAll(/\?=\n?[ \t]+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString() : bytesOf(text.replaceAll('_', ' ')),
    )
}
