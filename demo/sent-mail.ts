import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Attachment } from 'postal-mime'

/** A mail in the list, which is sorted newest first. A mail that cannot be parsed has no subject. */
export type MailHead = {
  readonly file: string
  readonly subject: string | null
  readonly to: string
  /** The time at which the file was written, in ISO format. The date inside the mail is not used. */
  readonly sentAt: string
}

export type SentMail = MailHead & {
  readonly from: string
  readonly text: string | null
  readonly html: string | null
}

export type Mailbox = {
  list(): Promise<readonly MailHead[]>
  /** Returns null if the mail does not exist. */
  read(file: string): Promise<SentMail | null>
}

/**
 * The pattern of file names in the mail directory. Other names are rejected, so that no request can read another directory.
 */
const FILE_NAME = /^[A-Za-z0-9_-]{1,200}\.eml$/
const SHOWN_MAX = 100
/** Larger files are not parsed. The platform's own mails have a few kilobytes. */
const BYTES_MAX = 1_048_576

/** Reads the mails that the transport `mailDirectory` "sent": it writes each one as a file into this directory. */
export function openMailbox(directory: string): Mailbox {
  return {
    async list() {
      const names = (await readdir(directory).catch(emptyIfMissing)).filter((name) => FILE_NAME.test(name))
      // File names begin with the time of the mail.
      const newest = names.toSorted().toReversed().slice(0, SHOWN_MAX)
      const mails = await Promise.all(newest.map((name) => readMail(directory, name)))
      return mails.filter((mail) => mail !== null)
    },
    read: (file) => (FILE_NAME.test(file) ? readMail(directory, file) : Promise.resolve(null)),
  }
}

function emptyIfMissing(error: unknown): string[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
  throw error
}

async function readMail(directory: string, file: string): Promise<SentMail | null> {
  const path = join(directory, file)
  // Symbolic links are not followed, because a link could point to any file of this machine.
  const stats = await lstat(path).catch(() => null)
  if (stats === null || !stats.isFile()) return null
  const sentAt = stats.mtime.toISOString()
  const unreadable = { file, sentAt, subject: null, to: '', from: '', text: null, html: null }
  if (stats.size > BYTES_MAX) return unreadable
  try {
    const { default: PostalMime } = await import('postal-mime')
    const mail = await PostalMime.parse(await readFile(path))
    return {
      ...{ file, sentAt, subject: mail.subject ?? null },
      to: (mail.to ?? []).map(addressOf).join(', '),
      from: mail.from === undefined ? '' : addressOf(mail.from),
      ...{ text: mail.text ?? null, html: mail.html === undefined ? null : withPictures(mail.html, mail.attachments) },
    }
  } catch {
    return unreadable
  }
}

/**
 * Replaces each `cid:` address in the HTML with the picture that the mail contains, because a page cannot load `cid:`.
 */
function withPictures(html: string, attachments: readonly Attachment[]): string {
  return html.replaceAll(/\bcid:([\w.@-]+)/g, (reference, id: string) => {
    const picture = attachments.find(({ contentId, mimeType }) => contentId === `<${id}>` && PICTURES.has(mimeType))
    return picture === undefined ? reference : `data:${picture.mimeType};base64,${base64Of(picture)}`
  })
}

const PICTURES = new Set(['image/png', 'image/jpeg', 'image/webp'])

const base64Of = ({ content }: Attachment) =>
  (typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content))).toString('base64')

const addressOf = ({ name, address }: { readonly name: string; readonly address?: string | undefined }) =>
  name === '' ? (address ?? '') : `${name} <${address ?? ''}>`
