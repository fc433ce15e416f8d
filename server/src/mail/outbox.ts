import type { Log } from '#system/log.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { type Letter, type MailBrand, renderLetter } from './letter.ts'
import type { MailTokens } from './mail-token.ts'
import { forgetSentMail, type QueuedMail, recordFailure, takeMails } from './store.ts'
import { MailRejected, type MailSettings, mailTransport } from './transports.ts'

/** Sends letters in the platform's looks. It rejects with `MailRejected` where trying again would not help. */
export type Mailer = {
  /** `id` names the mail for good: the same one sent twice is shown once. */
  send(mail: { readonly id: string; readonly to: string; readonly letter: Letter }): Promise<void>
  close(): void
}

type Looks = { readonly brand: MailBrand; readonly tokens: Pick<MailTokens, 'tokenOf'> }

export function openMailer(settings: MailSettings, { brand, tokens }: Looks): Mailer {
  const transport = mailTransport(settings)
  return {
    // Not `transport.send(…)` at once: a token that cannot be made has to reject, as a failed attempt does.
    send: async ({ id, to, letter }) => transport.send({ id, to, ...renderLetter(withToken(letter, tokens), brand) }),
    close: () => transport.close(),
  }
}

/** The letter with the whole address of its action. */
export function withToken(letter: Letter, tokens: Pick<MailTokens, 'tokenOf'>): Letter {
  const { action } = letter
  if (action?.seed === undefined) return letter
  return { ...letter, action: { label: action.label, url: action.url + tokens.tokenOf(action.seed) } }
}

export type Mailing = {
  readonly platform: PlatformDatabase
  readonly mailer: Mailer
  readonly log: Pick<Log, 'warn' | 'error'>
}

/** Sends what is due, outside of any transaction, and returns how many that were. At least once: see `MailTransport`. */
export async function sendMails(mailing: Mailing, limit: number): Promise<number> {
  const due = await takeMails(mailing.platform.reads, limit)
  await Promise.all(due.map((mail) => sendMail(mailing, mail)))
  return due.length
}

async function sendMail({ platform, mailer, log }: Mailing, mail: QueuedMail): Promise<void> {
  const { id } = mail
  try {
    await mailer.send(mail)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const isDead = await recordFailure(platform.reads, id, { reason, forGood: error instanceof MailRejected })
    // Neither the address nor the server's answer, which repeats it, belongs in a log.
    if (isDead) log.error({ mail: id }, 'a mail could not be sent and is a dead letter now (platform.mails)')
    else log.warn({ mail: id }, 'a mail could not be sent; it will be tried again')
    return
  }
  await forgetSentMail(platform.reads, id)
}
