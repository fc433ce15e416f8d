import { type Letter, type MailBrand, renderLetter } from './letter.ts'
import { type MailSettings, mailTransport } from './transports.ts'

/** Sends letters in the platform's looks. It rejects with `MailRejected` where trying again would not help. */
export type Mailer = {
  /** `id` names the mail for good: the same one sent twice is shown once. */
  send(mail: { readonly id: string; readonly to: string; readonly letter: Letter }): Promise<void>
  close(): void
}

export function openMailer(settings: MailSettings, brand: MailBrand): Mailer {
  const transport = mailTransport(settings)
  return {
    send: ({ id, to, letter }) => transport.send({ id, to, ...renderLetter(letter, brand) }),
    close: () => transport.close(),
  }
}
