import { randomBytes } from 'node:crypto'
import { authenticateOperator, createOperatorKey } from '#access/operator/index.ts'
import { serveProbes } from '#http/testing/probe-app.ts'
import { systemClock, type WallClock } from '#kernel/clock.ts'
import { mailTokens, sendMails } from '#mail/index.ts'
import { type CollectedMail, collectingMailer } from '#mail/testing/collecting-mailer.ts'
import { pageAssetRoutes } from '#pages/assets.ts'
import { brandOf } from '#pages/platform-brand.ts'
import { type Keyring, keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import { openLog } from '#system/log.ts'
import type { TestDatabase } from '#test/database.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { accountRoutes } from '../http.ts'
import { type SignInSettings, signIns } from '../index.ts'
import { type TestBrowser, testBrowser } from './browser.ts'
import { recordedWork } from './recorded-work.ts'

export type AccountService = {
  readonly url: string
  readonly keys: Keyring
  readonly logLines: readonly string[]
  browser(): TestBrowser
  /** Sends the mails that are due and returns those to this address. */
  mailsTo(address: string): Promise<readonly CollectedMail[]>
  /** The path of the link in the newest mail to this address. */
  linkTo(address: string): Promise<string>
  /** The statements and hashes since the last call. */
  work(): readonly string[]
  close(): Promise<void>
}

type Options = {
  readonly settings?: Partial<SignInSettings>
  readonly clock?: WallClock
  /** Passkeys need a host name; other tests use the IP address. */
  readonly host?: 'localhost' | '127.0.0.1'
}

/** The real edge with the routes of this module, on a real port and a real database. */
export async function accountService(
  { databases }: TestDatabase,
  { settings, clock = systemClock, host = '127.0.0.1' }: Options = {},
): Promise<AccountService> {
  const keys = keyring(randomBytes(32).toString('hex'))
  const recorded = recordedWork(databases.platform, quickHasher)
  const { mailer, sent } = collectingMailer(undefined, mailTokens(keys('mail-links')))
  const mailsTo = async (address: string) => {
    await sendMails({ platform: databases.platform, mailer, log: openLog('silent') }, 100)
    return sent.filter(({ to }) => to === address)
  }
  const logLines: string[] = []
  let url = ''
  const routes = accountRoutes({
    databases: { platform: recorded.platform },
    keys,
    cursors: cursorSealer(sealedBox(keys('cursors'))),
    clock,
    log: { warn: (...parts: unknown[]) => void logLines.push(JSON.stringify(parts)) },
    origin: () => url,
    brand: 'wefunder',
    settings: { passwords: true, openid: null, signUp: 'open', mail: true, ...settings },
    hasher: recorded.hasher,
  })
  const app = await serveProbes([...routes, ...pageAssetRoutes(brandOf('wefunder'))], {
    ports: {
      databases,
      platform: databases.platform,
      authenticate: authenticateOperator(databases),
      signIns: signIns(databases),
      csrfKeys: keys('csrf'),
      clock,
      answers: sealedBox(keys('stored-answers')),
    },
  })
  url = app.url.replace('127.0.0.1', host)
  const linkTo = async (address: string) => {
    const [, path = ''] =
      /^https?:\/\/[^/\s]+(\/\S*[\w-]{43})$/m.exec((await mailsTo(address)).at(-1)?.text ?? '') ?? []
    return path
  }
  const browser = () => testBrowser(url)
  return { url, keys, logLines, browser, mailsTo, linkTo, work: recorded.take, close: app.close }
}

export async function operatorKeyOf({ databases }: TestDatabase, world: 'test' | 'live') {
  return databases.platform.transaction((tx) =>
    createOperatorKey(tx, { world, name: 'Tests', reason: 'A test' }, 'shell:tester'),
  )
}
