import { createHmac } from 'node:crypto'
import { fillRandom } from '#kernel/random.ts'
import { KEY_ID_BYTES, type PurposeKeys } from '#system/crypto/keyring.ts'
import type { Log } from '#system/log.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { type Letter, type MailBrand, renderLetter } from './letter.ts'
import { forgetSentMail, type QueuedMail, recordFailure, takeMails } from './store.ts'
import { loggedMailError, MailRejected, type MailSettings, mailTransport } from './transports.ts'

/** Sends letters in the platform's design. Rejects with `MailRejected` if trying again would not help. */
export type Mailer = {
  /** `id` identifies the mail: mail programs show two mails with the same id once. */
  send(mail: { readonly id: string; readonly to: string; readonly letter: Letter }): Promise<void>
  close(): void
}

type Looks = { readonly brand: MailBrand; readonly tokens: Pick<MailTokens, 'tokenOf'> }

export function openMailer(settings: MailSettings, { brand, tokens }: Looks): Mailer {
  const transport = mailTransport(settings)
  return {
    // An async function, so that an error while the token is made rejects the promise, as a failed attempt does.
    send: async ({ id, to, letter }) => transport.send({ id, to, ...renderLetter(withToken(letter, tokens), brand) }),
    close: () => transport.close(),
  }
}

/** The letter with the token appended to the address of its action. */
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

/**
 * Sends due mails, outside of any transaction, and returns their number. A mail may be sent twice: see `MailTransport`.
 */
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
    const fields = { mail: id, ...loggedMailError(error) }
    if (isDead) log.error(fields, 'a mail could not be sent and is a dead letter now (platform.mails)')
    else log.warn(fields, 'a mail could not be sent; it will be tried again')
    return
  }
  await forgetSentMail(platform.reads, id)
}

/**
 * The secret at the end of a link in a mail. A queued mail contains only a seed, and the row that the link opens
 * contains only the token's digest. The token is the HMAC of the seed, computed again when the mail is sent. So a
 * person who reads the database or a copy of it cannot open any link.
 */
export type MailTokens = {
  /** `seed` goes into the letter, and the digest of `token` into the row. */
  issue(purpose: string): { readonly seed: string; readonly token: string }
  /** Throws if the sealing secret of the seed is no longer listed. */
  tokenOf(seed: string): string
}

const CHANCE_BYTES = 24

export function mailTokens(keys: PurposeKeys): MailTokens {
  const tokenOf = (seed: string) => {
    const key = keys.byId(Buffer.from(seed.slice(seed.lastIndexOf('.') + 1), 'base64url').subarray(0, KEY_ID_BYTES))
    if (key === null) throw new Error('the sealing secret of a mail’s link is not listed any more')
    return createHmac('sha256', key.secret).update(seed).digest('base64url')
  }
  return {
    issue(purpose) {
      const bytes = Buffer.alloc(KEY_ID_BYTES + CHANCE_BYTES)
      fillRandom(bytes)
      bytes.set(keys.current.id)
      const seed = `${purpose}.${bytes.toString('base64url')}`
      return { seed, token: tokenOf(seed) }
    },
    tokenOf,
  }
}
