import { type Letter, type MailBrand, renderLetter } from '../letter.ts'
import { type Mailer, type MailTokens, withToken } from '../outbox.ts'

export const TEST_BRAND: MailBrand = {
  name: 'Portico',
  accent: null,
  logo: null,
  links: { support: 'https://platform.example/help', terms: null, privacy: null },
}

export type CollectedMail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export const NO_TOKENS: Pick<MailTokens, 'tokenOf'> = {
  tokenOf: () => {
    throw new Error('this mailer needs tokens for a link')
  },
}

/** Collects mails instead of sending them; `first` runs before each mail and may throw. */
export function collectingMailer(first: (to: string) => Promise<void> = async () => {}, tokens = NO_TOKENS) {
  const sent: CollectedMail[] = []
  const mailer: Mailer = {
    async send({ to, letter }: { to: string; letter: Letter }) {
      await first(to)
      sent.push({ to, ...renderLetter(withToken(letter, tokens), TEST_BRAND) })
    },
    close() {},
  }
  return { mailer, sent }
}
