import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newIdBody } from '#kernel/ids.ts'
import type { Mail, MailSender } from './mail.ts'

/**
 * Puts mails into a directory, one file each, the names in the order of time: what the embedded default does, which has
 * nobody to hand mail to. Whoever looks there never sees half a mail.
 */
export function mailDirectory(directory: string): MailSender {
  return {
    async send(mail) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const path = join(directory, `${newIdBody()}.eml`)
      await writeFile(`${path}.draft`, mailText(mail), { mode: 0o600 })
      await rename(`${path}.draft`, path)
    },
  }
}

function mailText({ to, subject, text }: Mail): string {
  const headers = [`To: ${oneLine(to)}`, `Subject: ${oneLine(subject)}`, `Date: ${new Date().toUTCString()}`]
  return [...headers, 'Content-Type: text/plain; charset=utf-8', '', text].join('\r\n')
}

/** Names are other people's words: none of them may begin a header of its own. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ')
}
