import { randomBytes } from 'node:crypto'
import { authenticateOperator, createOperatorKey } from '#access/operator/index.ts'
import { serveProbes } from '#http/testing/probe-app.ts'
import { systemClock, type WallClock } from '#kernel/clock.ts'
import { type Keyring, keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import type { TestDatabase } from '#test/database.ts'
import { quickHasher } from '#test/quick-hasher.ts'
import { accountRoutes } from '../http.ts'
import { type SignInSettings, signIns } from '../index.ts'
import { type TestBrowser, testBrowser } from './browser.ts'

export type AccountService = {
  readonly url: string
  readonly keys: Keyring
  readonly logLines: readonly string[]
  browser(): TestBrowser
  close(): Promise<void>
}

type Options = { readonly settings?: Partial<SignInSettings>; readonly clock?: WallClock }

/** The real edge with the routes of this module, on a real port and a real database. */
export async function accountService(
  { databases }: TestDatabase,
  { settings, clock = systemClock }: Options = {},
): Promise<AccountService> {
  const keys = keyring(randomBytes(32).toString('hex'))
  const logLines: string[] = []
  let url = ''
  const routes = accountRoutes({
    databases,
    keys,
    cursors: cursorSealer(sealedBox(keys('cursors'))),
    clock,
    log: { warn: (...parts: unknown[]) => void logLines.push(JSON.stringify(parts)) },
    origin: () => url,
    brand: 'wefunder',
    settings: { passwords: true, openid: null, ...settings },
    hasher: quickHasher,
  })
  const app = await serveProbes(routes, {
    ports: {
      databases,
      platform: databases.platform,
      authenticate: authenticateOperator(databases),
      signIns: signIns(databases),
      csrfKeys: keys('csrf'),
    },
  })
  url = app.url
  return { url, keys, logLines, browser: () => testBrowser(url), close: app.close }
}

export async function operatorKeyOf({ databases }: TestDatabase, world: 'test' | 'live') {
  return databases.platform.transaction((tx) => createOperatorKey(tx, { world, name: 'Tests' }, 'shell:tester'))
}
