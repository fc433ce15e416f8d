import { join, resolve } from 'node:path'
import type { DkimSettings, MailBrand, MailSettings } from '#mail/index.ts'
import type { Config } from './config.ts'

const NO_REPLY = 'no-reply@portico.invalid'

/** The embedded default writes mail to its data directory; elsewhere the operator configures how mail is sent. */
export function mailSettings(config: Config): MailSettings | null {
  const { smtpUrl, mailDirectory, databaseUrl, dataDirectory } = config
  const from = config.mailFrom ?? NO_REPLY
  if (smtpUrl !== null) return { kind: 'smtp', url: smtpUrl, from, dkim: dkimSettings(config, from) }
  const directory = mailDirectory ?? (databaseUrl === null ? join(dataDirectory, 'mail') : null)
  return directory === null ? null : { kind: 'directory', directory: resolve(directory), from }
}

function dkimSettings({ dkimKey, dkimSelector }: Config, from: string): DkimSettings | null {
  const domain = /@([^\s>]+)/.exec(from)?.[1]
  if (dkimKey === null || domain === undefined) return null
  return { domain, selector: dkimSelector, privateKey: dkimKey }
}

export function mailBrand({ platformName: name, accentColor: accent, logo, ...links }: Config): MailBrand {
  return { name, accent, logo, links: { support: links.supportUrl, terms: links.termsUrl, privacy: links.privacyUrl } }
}
