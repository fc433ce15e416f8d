import { openLimits } from '#access/limits/http.ts'
import { portalBuild } from '#front/http.ts'
import type { Access, TokenAccess } from '#http/access.ts'
import { actionOf } from '#http/record-action.ts'
import type { Route } from '#http/route.ts'
import { factRules } from '#intake/facts/index.ts'
import { systemClock } from '#kernel/clock.ts'
import { namedBrand } from '#pages/platform-brand.ts'
import { localCounter } from '#system/counting/local-counter.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import { openLog } from '#system/log.ts'
import type { Databases } from '#system/postgres/database.ts'
import { parseConfig } from './config.ts'
import { limitSettings } from './limit-parts.ts'
import { happeningSettings, referralParts, webhookParts } from './module-settings.ts'
import { routeTable } from './routes.ts'
import { SETTINGS } from './settings.ts'

/** The whole route table, for generated documents. Its routes cannot be called, because no database is opened. */
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
    statusFacts: onlyForReading,
    mailbox: onlyForReading,
    portal: portalBuild(''),
    door: { signUp: () => true, demo: () => null },
    facts: factRules(happening),
    sandbox: happening,
    referrals: referralParts(config, 'only for reading'),
    stepUp: { amountMax: 0, proofSeconds: 0 },
    // Every way to sign in is enabled, so that every route is described.
    signIn: {
      ...{ passwords: true, signUp: 'open', mail: true },
      openid: { issuer: 'https://id.example', clientId: 'us', clientSecret: null, name: '' },
    },
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

/**
 * The text of docs/routes.md: every route with its access rule. The file is committed, so that a changed access rule shows up
 * in review as a changed line.
 */
export function routeDocument(routes: readonly Route[]): string {
  const rows = routes.map(
    (route) =>
      `| ${route.method} | \`${route.path}\` | ${route.operation} | ${route.work}${route.stale === 'ok' ? ', replicas' : ''} | ${accessInWords(route.access)} | ${actionOf(route) ?? ''} |`,
  )
  return `# Routes and who may call them

The last column is what the user reads in their activity ([activity.md](activity.md)) after an app has called the route for
them.

| method | path | operation | work | access | action |
|---|---|---|---|---|---|
${rows.join('\n')}

<!-- Generated from the route table by \`npm run generate\`; do not edit. -->
`
}

function accessInWords(access: Access): string {
  switch (access.kind) {
    case 'open':
      return `open: ${access.why}`
    case 'session':
      return access.required ? 'a person who signed in' : `any visitor: ${access.why}`
    case 'token': {
      const scopes = access.anyScope.length === 0 ? 'no scope' : access.anyScope.join(' or ')
      return `${access.holders.join(', ')}: ${scopes}${roleOf(access)}${oneWorldOnly(access)}`
    }
  }
}

function roleOf({ leastRole }: TokenAccess): string {
  return leastRole === undefined ? '' : `, least role ${leastRole}`
}

function oneWorldOnly({ sandboxOnly, liveOnly }: TokenAccess): string {
  if (sandboxOnly === true) return ', test world only'
  return liveOnly === true ? ', live keys only' : ''
}

/** The text of docs/configuration.md. */
export function configDocument(): string {
  const rows = Object.values(SETTINGS).map(({ key, type, default: fallback, why }) => {
    const shown = fallback === null || (Array.isArray(fallback) && fallback.length === 0) ? 'none' : `\`${fallback}\``
    return `| \`${key}\` | ${type.allowed} | ${shown} | ${why} |`
  })
  return `# Configuration

Settings are environment variables, read once at the start. A value that is not acceptable stops the start with exit
code 2 and a sentence that names the key, the value and what is allowed.

| setting | must be | default | why it exists |
|---|---|---|---|
${rows.join('\n')}

Arguments of \`npm start --\`:

| argument | meaning |
|---|---|
| \`--role api\\|worker\\|all\` | What this process does (default \`all\`: the API, and the workers in a thread of their own). |
| \`--reset\` | Delete the embedded database and start with an empty one. Rejected with DATABASE_URL. |
| \`--help\` | Print what it does, with examples. |

<!-- Generated from server/src/main/settings.ts by \`npm run generate\`; do not edit. -->
`
}
