import { join } from 'node:path'
import {
  offersSignUp,
  type PasswordHasher,
  passkeysWorkAt,
  type SignInSettings,
  signIns,
} from '#access/accounts/index.ts'
import { operatorAudit } from '#access/audit/index.ts'
import { limitUsageRecorder } from '#access/limits/http.ts'
import { authenticateServerKey } from '#access/oauth/http.ts'
import { authenticateOperator, knownOperatorKeys } from '#access/operator/index.ts'
import { requestRecorder } from '#access/requests/index.ts'
import { authenticateTokens } from '#access/tokens/index.ts'
import { type DemoDoor, type Mailbox, portalBuild, type StatusFacts } from '#front/http.ts'
import { type App, buildApp } from '#http/app.ts'
import { HTTP_DEFAULTS, type HttpSettings } from '#http/edge.ts'
import type { TokenLookup } from '#http/ports.ts'
import type { FactRules } from '#intake/facts/index.ts'
import { systemClock, type WallClock } from '#kernel/clock.ts'
import { ledgerLag } from '#ledger/index.ts'
import { pageOfError } from '#pages/error-page.ts'
import type { PlatformBrand } from '#pages/platform-brand.ts'
import type { OpenDemo } from '#pages/reference/page.ts'
import type { WindowCounter } from '#system/counting/local-counter.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import type { Log } from '#system/log.ts'
import { type MetricSnapshot, type Metrics, openMetrics, prometheusText } from '#system/metrics.ts'
import type { Databases, StaleReads, WorldDatabase } from '#system/postgres/database.ts'
import { countMigrations } from '#system/postgres/migrate.ts'
import { traced, tracedStaleReads } from '#system/postgres/traced.ts'
import { actionRecorder } from '#views/activity/index.ts'
import { deliveryLagSeconds } from '#webhooks/index.ts'
import type { Arguments } from './command-line.ts'
import type { Config } from './config.ts'
import { mailSettings, tracingSettings } from './config.ts'
import { signUpSetting, wantsDemo } from './demo.ts'
import { type HealthDeps, isSilent } from './health.ts'
import { limitParts } from './limit-parts.ts'
import {
  allowsLoopback,
  configuredOrigins,
  happeningSettings,
  ON_REVOKED,
  referralParts,
  tracingOf,
  webhookParts,
} from './module-settings.ts'
import { demoIfInstalled } from './optional-workspaces.ts'
import { queueMetrics } from './queue-metrics.ts'
import { type RouteDeps, routeTable, VERSION_STEPS, workerRouteTable } from './routes.ts'
import { withinOwnTime } from './within.ts'
import type { WorkerHost } from './worker-host.ts'

/**
 * How long the database may take to respond. After this time it counts as down, because load balancers do not wait longer for
 * the readiness check.
 */
const ANSWER_WITHIN_MS = 2_000

/** The portal's files, written by `npm ci` (scripts/build-portal.ts); absent in an install without build tools. */
const PORTAL_FILES = join(import.meta.dirname, '../../../portal/dist')

type Parts = {
  readonly config: Config
  readonly role: Arguments['role']
  readonly databases: Databases
  readonly workers: Pick<WorkerHost, 'health'> | null
  readonly rules: FactRules
  readonly secret: string
  readonly origin: () => string
  readonly migrationsKnown: number
  readonly openDemo?: () => OpenDemo | null
  /** The demo part of the front page; absent without a demo. */
  readonly demoDoor?: () => DemoDoor | null
  readonly log: Log
  /** The metrics of the other threads and processes of this service. */
  readonly otherMetrics?: () => Promise<readonly MetricSnapshot[]>
  /** The metrics of this process. Opened here if absent. */
  readonly metrics?: Metrics
  /** The counter that all processes of this service share. Absent if this process is the only one. */
  readonly counter?: WindowCounter
  /** Runs reads on replicas. Absent if no replica is configured. */
  readonly staleReads?: StaleReads
  /** The clock of real time. A test may pass its own clock. */
  readonly clock?: WallClock
  readonly hasher?: PasswordHasher
}

/** Connects the edge and the routes with the opened databases and keys. */
export async function composeApp(parts: Parts): Promise<App> {
  const { config, role, rules, secret, origin, log, clock = systemClock, metrics = openMetrics('api') } = parts
  metrics.pools({ requests: parts.databases })
  const tracing = await tracingOf(tracingSettings(config), { log, metrics })
  const databases = tracing === null ? parts.databases : traced(parts.databases)
  const { staleReads } = parts
  const keys = keyring(secret, config.previousSecrets)
  const own = () => [...configuredOrigins(config), origin()]
  const webhooks = webhookParts({ keys, brand: config.brand, loopback: allowsLoopback(config), clock, own })
  const operatorKeys = knownOperatorKeys(databases.platform)
  const { counter } = parts
  const around = { clock, keys, metrics, log, servesApi: role !== 'worker', operatorKeys, counter }
  const { limits, close: closeLimits } = await limitParts(config, around)
  const deps: RouteDeps = {
    brand: config.brand,
    platform: platformBrand(config),
    origin,
    databases,
    keys,
    cursors: cursorSealer(sealedBox(keys('cursors'))),
    clock,
    log,
    health: healthDeps(parts, metrics),
    statusFacts: statusFacts(parts),
    mailbox: () => demoMailbox(config),
    portal: portalBuild(PORTAL_FILES),
    door: {
      signUp: () => offersSignUp(signInSettings(config), passkeysWorkAt(origin())),
      demo: demoDoor(parts),
    },
    facts: rules,
    sandbox: happeningSettings(config, secret),
    referrals: referralParts(config, secret),
    signIn: signInSettings(config),
    stepUp: { amountMax: config.stepUpAmount, proofSeconds: config.stepUpMinutes * 60 },
    hasher: parts.hasher,
    checkoutUrl: config.checkoutUrl,
    webhooks,
    limits,
    commentsPerDay: config.limits === 'on' ? config.limitComments : 0,
    openDemo: parts.openDemo,
    onRevoked: ON_REVOKED,
  }
  const actions = actionRecorder(databases, { clock, log })
  const { platform } = databases
  const requestLog = requestRecorder({ platform, log, now: clock.now, perMinute: config.requestLogPerMinute })
  const limitUsage = limitUsageRecorder({ platform, log, uses: limits.uses })
  const app = buildApp({
    routes: role === 'worker' ? workerRouteTable(deps) : routeTable(deps),
    ports: {
      authenticate: tokenLookup(databases, operatorKeys),
      serverKeys: authenticateServerKey({ databases, limit: limits.client }),
      databases,
      ...(staleReads && { staleReads: tracing === null ? staleReads : tracedStaleReads(staleReads) }),
      platform: databases.platform,
      clock,
      log,
      metrics: { observe: metrics.request },
      answers: sealedBox(keys('stored-answers')),
      limit: limits.requests,
      actions,
      requestLog: {
        record(request) {
          requestLog.record(request)
          limitUsage.record(request)
        },
      },
      operatorAudit: operatorAudit(databases.platform),
      tracing,
      signIns: signIns(databases, { hours: config.staffSessionHours, idleMinutes: config.staffIdleMinutes }),
      csrfKeys: keys('csrf'),
    },
    pageOfError: pageOfError(platformBrand(config), role === 'worker' ? [] : ERROR_PAGE_LINKS),
    settings: {
      ...HTTP_DEFAULTS,
      proofSeconds: config.stepUpMinutes * 60,
      brand: config.brand,
      https: config.baseUrl?.startsWith('https:') ?? false,
      publicOrigin: config.baseUrl,
      ownHosts: ownHosts(config),
      pagesAtLocalhost: () => ownHosts(config) === 'loopback' && new URL(origin()).hostname === 'localhost',
      trustedProxies: config.trustedProxies,
      traceParents: config.traceParents,
      versionSteps: VERSION_STEPS,
    },
  })
  const { senders } = webhooks.sending
  const close = async () => {
    await app.close()
    await limitUsage.close()
    closeLimits()
    await Promise.all([actions.settled(), requestLog.settled(), senders.test.close(), senders.live.close()])
    await tracing?.close()
  }
  return { ...app, close }
}

/**
 * A service that only this machine can reach accepts only this machine's host names. Otherwise any web page in a browser on this
 * machine could reach the service under another name (DNS rebinding).
 */
function ownHosts({ baseUrl, host }: Config): HttpSettings['ownHosts'] {
  if (baseUrl !== null) return { publicOrigin: baseUrl }
  return LOOPBACK_HOSTS.has(host) ? 'loopback' : 'any'
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])

/** The prefix of a credential names its type, so only one lookup runs: for operator keys, or for the tokens and keys of apps. */
function tokenLookup(databases: Databases, operatorKeys: (digest: string) => Promise<boolean>): TokenLookup {
  const operator = authenticateOperator(databases)
  const app = authenticateTokens(databases)
  const ofOperator: TokenLookup = async (bearer, digest = '') =>
    (await operator(bearer)) ?? ((await operatorKeys(digest)) ? 'ended' : null)
  return (bearer, digest) => (bearer.startsWith('ok_') ? ofOperator(bearer, digest) : app(bearer, digest))
}

function signInSettings(config: Config): SignInSettings {
  const { openidIssuer: issuer, openidClientId: clientId, openidClientSecret: clientSecret, openidName: name } = config
  const set = (max: number) => (config.limits === 'on' ? max : 0)
  const callbackLimits = { perAddress: set(config.limitOpenidAddress), perBrowser: set(config.limitOpenidBrowser) }
  const openid = issuer === null || clientId === null ? null : { issuer, clientId, clientSecret, name, callbackLimits }
  const mail = mailSettings(config) !== null
  return { passwords: config.passwordSignIn === 'on', openid, signUp: signUpSetting(config), mail }
}

/** The links on an error page. */
const ERROR_PAGE_LINKS = [
  { label: 'Front page', href: '/' },
  { label: 'API reference', href: '/docs' },
  { label: 'Status', href: '/status' },
]

/** The demo's mailbox, if there is a demo, no mail server is set and only this machine reaches the service. */
async function demoMailbox(config: Config): Promise<Mailbox | null> {
  const mail = mailSettings(config)
  if (!wantsDemo(config) || !isLocalOnly(config) || mail?.kind !== 'directory') return null
  return (await demoIfInstalled())?.openMailbox(mail.directory) ?? null
}

const isLocalOnly = ({ host, baseUrl }: Config) => LOOPBACK_HOSTS.has(host) && baseUrl === null

/**
 * The demo part of the front page lets a visitor sign in as the demo's people, so it exists only if no other machine can reach
 * the service.
 */
function demoDoor({ config, demoDoor: door }: Parts): () => DemoDoor | null {
  return isLocalOnly(config) && door !== undefined ? door : () => null
}

function statusFacts({ databases, workers }: Parts): () => Promise<StatusFacts> {
  const lagOf = async (db: WorldDatabase) => {
    const [ledger, deliveries] = await Promise.all([ledgerLag(db), deliveryLagSeconds(db)])
    return { ledger, deliveries }
  }
  const lags = async () => {
    const [live, test] = await Promise.all([lagOf(databases.live), lagOf(databases.test)])
    return { live, test }
  }
  return async () => {
    const found = await withinOwnTime(ANSWER_WITHIN_MS, lags(), () => null).catch(() => null)
    if (found === null) return { database: 'unreachable', workers: 'silent', lag: null }
    const { live, test } = found
    const health = workers?.health()
    // Workers in another process are recognized by what they write to the database.
    const attended = live.ledger.attended && test.ledger.attended
    const alive = health === undefined || health === null ? attended : !isSilent(health)
    const lag = (one: typeof live) => ({ ledger: one.ledger.seconds, deliveries: one.deliveries })
    return { database: 'ok', workers: alive ? 'ok' : 'silent', lag: { live: lag(live), test: lag(test) } }
  }
}

function healthDeps({ databases, workers, migrationsKnown, otherMetrics }: Parts, metrics: Metrics): HealthDeps {
  const queues = queueMetrics(databases)
  return {
    facts: async () => ({
      migrationsApplied: await withinOwnTime(ANSWER_WITHIN_MS, countMigrations(databases.platform), () => null).catch(
        () => null,
      ),
      migrationsKnown,
      apiEventLoopMs: metrics.eventLoopWorstMs(),
      worker: workers?.health() ?? null,
    }),
    metrics: async () => {
      const [own, queued, others] = await Promise.all([metrics.snapshot(), queues(), otherMetrics?.() ?? []])
      return prometheusText([own, ...others, ...(queued === null ? [] : [queued])])
    },
  }
}

function platformBrand({ platformName: name, accentColor: accent, logo, favicon, ...links }: Config): PlatformBrand {
  const { supportUrl: support, termsUrl: terms, privacyUrl: privacy } = links
  return { name, accent, logo, favicon, links: { support, terms, privacy } }
}
