import { openLimits } from '#access/limits/index.ts'
import { namedBrand } from '#http/pages/platform-brand.ts'
import type { Route } from '#http/route.ts'
import { factRules } from '#intake/facts/index.ts'
import { systemClock } from '#kernel/clock.ts'
import { localCounter } from '#system/counting/local-counter.ts'
import { cursorSealer } from '#system/crypto/cursor-sealer.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import { openLog } from '#system/log.ts'
import type { Databases } from '#system/postgres/database.ts'
import { parseConfig, SETTINGS } from './config.ts'
import { limitSettings } from './limit-parts.ts'
import { happeningSettings, referralParts } from './referral-parts.ts'
import { routeTable } from './routes.ts'
import { webhookParts } from './webhook-parts.ts'

/** The whole route table for documents: nothing is behind it, and no database is opened. */
export function describedRoutes(): Route[] {
  const onlyForReading = () => Promise.reject(new Error('this route table is for reading, not for serving'))
  const nothing = { test: {}, live: {}, platform: {} } as unknown as Databases
  const keys = keyring('only for reading')
  const config = parseConfig({})
  const happening = happeningSettings(config, 'only for reading')
  return routeTable({
    brand: SETTINGS.brand.default,
    platform: namedBrand(SETTINGS.platformName.default),
    origin: () => '',
    databases: nothing,
    keys,
    cursors: cursorSealer(sealedBox(keys('cursors'))),
    clock: systemClock,
    log: openLog('silent'),
    health: { facts: onlyForReading, metrics: onlyForReading },
    facts: factRules(happening),
    sandbox: happening,
    referrals: referralParts(config, 'only for reading'),
    // With everything one can sign in by, so that every route is described.
    signIn: { passwords: true, openid: { issuer: 'https://id.example', clientId: 'us', clientSecret: null, name: '' } },
    checkoutUrl: null,
    commentsPerDay: SETTINGS.limitComments.default,
    webhooks: webhookParts({ keys, brand: SETTINGS.brand.default, loopback: false, clock: systemClock, own: () => [] }),
    limits: openLimits({
      settings: limitSettings(config),
      counter: localCounter(systemClock),
    }),
    onRevoked: [],
  })
}
