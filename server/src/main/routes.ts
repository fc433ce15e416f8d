import { logoRoutes } from '#demo/index.ts'
import { openApiDocument } from '#http/openapi.ts'
import { pageAssetRoutes } from '#http/pages/routes.ts'
import { changelogRoute } from '#http/reference/changelog-route.ts'
import type { OpenDemo } from '#http/reference/open-demo.ts'
import { referenceRoutes } from '#http/reference/routes.ts'
import type { Route } from '#http/route.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { accountRoutes, type SignInSettings } from '#modules/accounts/index.ts'
import { activityRoutes } from '#modules/activity/index.ts'
import { platformAppRoutes, portalAppRoutes } from '#modules/apps/index.ts'
import { campaignRoutes } from '#modules/campaigns/index.ts'
import { catalogRoutes, offeringTeller } from '#modules/catalog/index.ts'
import { conditionRoutes } from '#modules/conditions/index.ts'
import { dealRoutes } from '#modules/deals/index.ts'
import { EVENT_CATALOGUE, EVENT_NAMES, type EventName, envelopeSchema } from '#modules/events/index.ts'
import { type FactRules, factRoutes } from '#modules/facts/index.ts'
import { type HealthDeps, healthRoutes } from '#modules/health/index.ts'
import {
  connectedAppsRoutes,
  installationRoutes,
  installPageRoutes,
  type OnRevoked,
  piiWithdrawalRoutes,
  revokeWithOrganization,
} from '#modules/installations/index.ts'
import { expireOnStopped, intentRoutes, reviewRoutes } from '#modules/intents/index.ts'
import { inviteLinkRoutes, invitePageRoutes } from '#modules/invites/index.ts'
import { ledgerRoutes } from '#modules/ledger/index.ts'
import { type Limits, limitRoutes } from '#modules/limits/index.ts'
import { noticeRoutes } from '#modules/notices/index.ts'
import { consentRoutes, oauthRoutes, scopeChangeRoutes } from '#modules/oauth/index.ts'
import { organizationRoutes } from '#modules/organizations/index.ts'
import { portfolioRoutes, syndicatePortfolioRoutes } from '#modules/portfolio/index.ts'
import { profileRoutes } from '#modules/profile/index.ts'
import { referralRoutes } from '#modules/referrals/index.ts'
import { REMOVED_TAG, removedRoutes } from '#modules/removed/index.ts'
import { rosterRoutes } from '#modules/roster/index.ts'
import { type SandboxSettings, sandboxRoutes } from '#modules/sandbox/index.ts'
import {
  investmentSessionApiRoutes,
  joinRoutes,
  sessionPageRoutes,
  settlingJoinSessions,
} from '#modules/sessions/index.ts'
import { syndicateRoutes } from '#modules/syndicates/index.ts'
import { webhookRoutes } from '#modules/webhooks/index.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { pageLinks } from '#system/crypto/page-link.ts'
import type { Log } from '#system/log.ts'
import type { Databases } from '#system/postgres/database.ts'
import { changelogText } from './changelog.ts'
import { INTENT_AROUND } from './intent-parts.ts'
import type { ReferralParts } from './referral-parts.ts'
import type { WebhookParts } from './webhook-parts.ts'

const PRODUCT = 'Portico'

export type RouteDeps = {
  readonly brand: string
  /** Our public address, known once we listen: the OAuth issuer. */
  readonly origin: () => string
  readonly databases: Databases
  readonly keys: Keyring
  readonly cursors: CursorSealer
  readonly clock: WallClock
  readonly log: Log
  readonly health: HealthDeps
  readonly facts: FactRules
  readonly sandbox: SandboxSettings
  readonly referrals: ReferralParts
  readonly signIn: SignInSettings
  /** The host platform's own checkout, with places in braces. */
  readonly checkoutUrl: string | null
  /** What the reference may show of the demo; null where there is none, or not yet. */
  readonly openDemo?: (() => OpenDemo | null) | undefined
  readonly webhooks: WebhookParts
  readonly limits: Limits
  /** How many comments may be proposed for one user in a day; 0 lifts it. */
  readonly commentsPerDay: number
  /** What else ends with an installation. */
  readonly onRevoked: readonly OnRevoked[]
}

/** Every route of the service, in the order of the reference. A route that is not in this table does not exist. */
export function routeTable(deps: RouteDeps): Route[] {
  const { databases } = deps
  const { platform } = databases
  const team = { platform, cursors: deps.cursors, brand: deps.brand }
  const hosted = { ...deps, links: pageLinks(deps.keys('hosted-links')), tellOffering: offeringTeller(deps) }
  const around = INTENT_AROUND
  const routes: Route[] = []
  routes.push(
    ...catalogRoutes(deps),
    ...profileRoutes(deps),
    ...ledgerRoutes(deps),
    ...portfolioRoutes(deps),
    ...syndicateRoutes({ ...deps, settling: settlingJoinSessions }),
    ...dealRoutes(deps),
    ...syndicatePortfolioRoutes(deps),
    ...rosterRoutes(deps),
    ...referralRoutes({ ...deps, ...deps.referrals }),
    ...campaignRoutes(deps),
    ...removedRoutes,
    ...intentRoutes({ ...deps, around, limit: deps.limits.pendingIntents }),
    ...reviewRoutes({ ...deps, around }),
    ...activityRoutes(deps),
    ...oauthRoutes({ ...deps, clientLimit: deps.limits.client }),
    ...consentRoutes(deps),
    ...connectedAppsRoutes(deps),
    ...installationRoutes(deps),
    ...installPageRoutes(deps),
    ...joinRoutes(hosted),
    ...investmentSessionApiRoutes(hosted),
    ...sessionPageRoutes(hosted),
    ...inviteLinkRoutes(hosted),
    ...invitePageRoutes(hosted),
    ...webhookRoutes({ ...deps, ...deps.webhooks, countTest: deps.limits.countTest }),
    ...accountRoutes({ ...deps, settings: deps.signIn }),
    ...organizationRoutes(team),
    ...portalAppRoutes({ ...team, onStopped: [expireOnStopped] }),
    ...noticeRoutes(team),
    ...limitRoutes(deps),
    ...scopeChangeRoutes(deps),
    ...platformAppRoutes({ ...team, onEnded: [revokeWithOrganization(deps)], onStopped: [expireOnStopped] }),
    ...piiWithdrawalRoutes(deps),
    ...factRoutes(deps.facts),
    ...sandboxRoutes(deps.sandbox),
    ...conditionRoutes(deps),
    ...logoRoutes(),
    ...pageAssetRoutes(),
    ...healthRoutes(deps.health),
    ...referenceRoutes(() => describeApi(routes, deps.brand), deps.openDemo),
    changelogRoute({ text: changelogText(), product: PRODUCT }),
  )
  return routes
}

/** A process that only works still says how it is doing. */
export function workerRouteTable(deps: Pick<RouteDeps, 'health'>): Route[] {
  return healthRoutes(deps.health)
}

/** The OpenAPI document of a route table, as served and as committed. What was removed is no part of it. */
export function describeApi(routes: readonly Route[], brand: string) {
  const inUse = routes.filter(({ tag }) => tag !== REMOVED_TAG)
  return openApiDocument(inUse, { title: PRODUCT, brand, webhooks: EVENT_NAMES.map(describeEvent) })
}

function describeEvent(event: EventName) {
  return { event, summary: EVENT_CATALOGUE[event].description, tag: 'Events', payload: envelopeSchema(event) }
}
