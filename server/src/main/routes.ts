import { accountRoutes } from '#access/accounts/http.ts'
import {
  deviceCookies,
  type PasswordHasher,
  passkeysOf,
  passwordHasher,
  type SignInSettings,
  teamMailCounter,
} from '#access/accounts/index.ts'
import { platformAppRoutes, portalAppRoutes } from '#access/apps/http.ts'
import { auditRoutes } from '#access/audit/http.ts'
import { conditionRoutes } from '#access/conditions/http.ts'
import {
  connectedAppsRoutes,
  INSTALLATION_STEPS,
  installationRoutes,
  installPageRoutes,
  piiWithdrawalRoutes,
} from '#access/installations/http.ts'
import { type OnRevoked, revokeWithApp, revokeWithOrganization } from '#access/installations/index.ts'
import { limitRoutes } from '#access/limits/http.ts'
import type { Limits } from '#access/limits/index.ts'
import { consentRoutes, oauthRoutes, scopeChangeRoutes } from '#access/oauth/http.ts'
import { type InvitationMails, organizationRoutes } from '#access/organizations/http.ts'
import { removedRoutes } from '#access/removed/http.ts'
import { requestLogRoutes } from '#access/requests/http.ts'
import { deleteTokensOfApps } from '#access/tokens/index.ts'
import { envelopeSchema } from '#events/http.ts'
import { EVENT_CATALOGUE, EVENT_NAMES, type EventName } from '#events/index.ts'
import {
  demoSignIn,
  type FrontDoorDeps,
  frontDoorRoutes,
  type Mailbox,
  type PortalBuild,
  portalRoutes,
  readsSentMail,
  type StatusFacts,
  sentMailRoutes,
  statusRoutes,
} from '#front/http.ts'
import { INTENT_STEPS, intentRoutes, reviewRoutes, type StepUp } from '#hosted/intents/http.ts'
import { expireOnStopped } from '#hosted/intents/index.ts'
import { INVITE_LINK_STEPS, inviteLinkRoutes, invitePageRoutes } from '#hosted/invites/http.ts'
import {
  INVESTMENT_SESSION_STEPS,
  investmentSessionApiRoutes,
  invitationLink,
  joinRoutes,
  sessionPageRoutes,
  syndicateInvitationRoutes,
} from '#hosted/sessions/http.ts'
import { settlingJoinSessions } from '#hosted/sessions/index.ts'
import { invitationPageRoutes, settingsRoutes } from '#hosted/settings/http.ts'
import { openApiDocument } from '#http/openapi.ts'
import type { Route } from '#http/route.ts'
import type { VersionStep } from '#http/version-steps.ts'
import { factRoutes } from '#intake/facts/http.ts'
import { type FactRules, forgetUser } from '#intake/facts/index.ts'
import { portalSandboxRoutes, type SandboxSettings, sandboxRoutes } from '#intake/sandbox/http.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ledgerRoutes, portalSyncRoutes } from '#ledger/http.ts'
import { mailTokens } from '#mail/index.ts'
import { SYNDICATE_STEPS, syndicateRoutes } from '#market/syndicates/http.ts'
import type { InvitationMails as SyndicateMails } from '#market/syndicates/index.ts'
import { noticeRoutes, overviewRoutes } from '#notices/http.ts'
import { notifyAppTeam } from '#notices/index.ts'
import { pageAssetRoutes } from '#pages/assets.ts'
import { guideRoutes } from '#pages/guides/routes.ts'
import type { PlatformBrand } from '#pages/platform-brand.ts'
import { changelogRoutes } from '#pages/reference/changelog.ts'
import { feedRoutes } from '#pages/reference/machine-routes.ts'
import type { OpenDemo } from '#pages/reference/page.ts'
import { referenceRoutes } from '#pages/reference/routes.ts'
import { referralRoutes } from '#referrals/http.ts'
import { linkFollower } from '#referrals/index.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { type PageLinks, pageLinks } from '#system/crypto/page-link.ts'
import type { Log } from '#system/log.ts'
import type { Databases } from '#system/postgres/database.ts'
import { ACTIVITY_STEPS, activityRoutes } from '#views/activity/http.ts'
import { CAMPAIGN_STEPS, campaignRoutes } from '#views/campaigns/http.ts'
import { COMPANY_STEPS, catalogRoutes, OFFERING_STEPS, offeringSummaries } from '#views/catalog/http.ts'
import { CONTENT_STEPS, contentRoutes } from '#views/content/http.ts'
import { DEAL_STEPS, dealRoutes } from '#views/deals/http.ts'
import { PORTFOLIO_STEPS, portfolioRoutes, syndicatePortfolioRoutes } from '#views/portfolio/http.ts'
import { CONNECTED_APP_STEPS, FOLLOW_STEPS, profileRoutes } from '#views/profile/http.ts'
import { FUNDRAISE_STEPS, rosterRoutes } from '#views/roster/http.ts'
import { webhookRoutes } from '#webhooks/http.ts'
import { countEnabledEndpoints, previewEndpoints } from '#webhooks/index.ts'
import { figuresRoutes } from './figures-routes.ts'
import { type HealthDeps, healthRoutes } from './health.ts'
import { logoRoutes } from './logo-routes.ts'
import { appNameOf, INTENT_AROUND, type ReferralParts, type WebhookParts } from './module-settings.ts'
import { operationsRoutes } from './operations-routes.ts'
import { ownersIn } from './record-owners.ts'
import { API_TAGS, changelogText, eventFeed, offeredScopes, recordedExamples, scopeFeed } from './reference-sources.ts'

const PRODUCT = 'Portico'

export type RouteDeps = {
  /** The platform's name in headers, and in the role that is recorded when its staff end an installation. */
  readonly brand: string
  /** The platform's name, logo and links on pages for people. */
  readonly platform: PlatformBrand
  /** Our public address, which is also the OAuth issuer. It is known once the server listens. */
  readonly origin: () => string
  readonly databases: Databases
  readonly keys: Keyring
  readonly cursors: CursorSealer
  readonly clock: WallClock
  readonly log: Log
  readonly health: HealthDeps
  readonly statusFacts: () => Promise<StatusFacts>
  /** The mails that the demo wrote to files instead of sending them. Null without a demo mailbox. */
  readonly mailbox: () => Promise<Mailbox | null>
  /** The files of the developer portal. */
  readonly portal: PortalBuild
  /** The options of the front page. */
  readonly door: Pick<FrontDoorDeps, 'signUp' | 'demo'>
  readonly facts: FactRules
  readonly sandbox: Omit<SandboxSettings, 'forgetUser'>
  readonly referrals: ReferralParts
  readonly signIn: SignInSettings
  /** The amount above which an approval needs a recent proof, and how recent the proof must be. */
  readonly stepUp: StepUp
  /** The default hasher is slow on purpose. A test may pass a fast one. */
  readonly hasher?: PasswordHasher | undefined
  /** The host platform's checkout URL, with placeholders in braces. */
  readonly checkoutUrl: string | null
  /** The public part of the demo, for the reference. Null without a demo, and until it is ready. */
  readonly openDemo?: (() => OpenDemo | null) | undefined
  readonly webhooks: WebhookParts
  readonly limits: Limits
  /** How many comments apps may propose for one user in a day; 0 means no limit. */
  readonly commentsPerDay: number
  /** Callbacks that run when an installation is revoked. */
  readonly onRevoked: readonly OnRevoked[]
}

/** The modules' version steps, which convert requests and responses between the newest form and older forms. */
export const VERSION_STEPS: readonly VersionStep[] = [
  ...ACTIVITY_STEPS,
  ...CAMPAIGN_STEPS,
  ...COMPANY_STEPS,
  ...CONTENT_STEPS,
  ...CONNECTED_APP_STEPS,
  ...DEAL_STEPS,
  ...FOLLOW_STEPS,
  ...FUNDRAISE_STEPS,
  ...INSTALLATION_STEPS,
  ...INTENT_STEPS,
  ...INVESTMENT_SESSION_STEPS,
  ...INVITE_LINK_STEPS,
  ...OFFERING_STEPS,
  ...PORTFOLIO_STEPS,
  ...SYNDICATE_STEPS,
]

/**
 * Every route of the service. Each topic of the reference lists its routes in this order. A route that is not in this table is
 * not served.
 */
export function routeTable(deps: RouteDeps): Route[] {
  const { databases } = deps
  const { platform } = databases
  // No app or organization may use the platform's names, neither the name in headers nor the name on pages.
  const team = {
    platform,
    cursors: deps.cursors,
    brand: [deps.brand, deps.platform.name],
    mails: invitationMails(deps),
  }
  // The whole process uses one hasher, because the hasher limits how many passwords are hashed at once.
  const hasher = deps.hasher ?? passwordHasher()
  // Pages show the platform's name; headers and roles use the brand word.
  const pages = { ...deps, brand: deps.platform }
  const hosted = {
    ...pages,
    links: pageLinks(deps.keys('hosted-links')),
    readOfferingSummary: offeringSummaries(pages),
  }
  const around = INTENT_AROUND
  const notifying = { ...deps, notify: notifyAppTeam }
  const onDeleted = [expireOnStopped, revokeWithApp(deps), deleteTokensOfApps]
  const sandbox = sandboxRoutes({ ...deps.sandbox, forgetUser })
  const routes: Route[] = []
  const describe = () => describeApi(routes, { brand: deps.brand, baseUrl: deps.origin(), title: deps.platform.name })
  routes.push(
    ...catalogRoutes({ ...pages, followLink: linkFollower(deps.referrals.crediting) }),
    ...contentRoutes(deps),
    ...profileRoutes(deps),
    ...ledgerRoutes(deps),
    ...portalSyncRoutes(deps),
    ...portfolioRoutes(deps),
    ...syndicateRoutes({
      ...{ ...deps, settling: settlingJoinSessions },
      invitationMails: syndicateInvitationMails(deps, hosted.links),
    }),
    ...dealRoutes(deps),
    ...syndicatePortfolioRoutes(deps),
    ...rosterRoutes(deps),
    ...referralRoutes({ ...deps, ...deps.referrals }),
    ...campaignRoutes(deps),
    ...removedRoutes,
    ...intentRoutes({ ...deps, around, limit: deps.limits.pendingIntents }),
    ...reviewRoutes({ ...pages, around, stepUp: deps.stepUp }),
    ...activityRoutes(deps),
    ...oauthRoutes({ ...deps, clientLimit: deps.limits.client }),
    ...consentRoutes(pages),
    ...connectedAppsRoutes(pages),
    ...installationRoutes(deps),
    ...installPageRoutes(pages),
    ...joinRoutes(hosted),
    ...syndicateInvitationRoutes(hosted),
    ...investmentSessionApiRoutes(hosted),
    ...sessionPageRoutes(hosted),
    ...inviteLinkRoutes(hosted),
    ...invitePageRoutes(hosted),
    ...webhookRoutes({ ...deps, ...deps.webhooks, countTest: deps.limits.countTest }),
    ...accountRoutes({
      ...{ ...pages, settings: deps.signIn, hasher, appNameOf: appNameOf(databases) },
      readsSentMail: readsSentMail(deps.mailbox),
      demoSignIn: demoSignIn(deps.door.demo),
    }),
    ...invitationPageRoutes({
      ...{ platform, hasher, brand: deps.platform, platformName: deps.platform.name, settings: deps.signIn },
      deviceCookies: deviceCookies(deps.keys, () => deps.origin().startsWith('https:')),
      passkeys: passkeysOf({ ...pages, platform, serviceName: deps.platform.name }),
    }),
    ...organizationRoutes(team),
    ...portalAppRoutes({ ...team, onStopped: [expireOnStopped], onDeleted }),
    ...settingsRoutes({ ...pages, platformNames: team.brand, mails: team.mails, onDeleted }),
    ...noticeRoutes(team),
    ...overviewRoutes(deps),
    ...limitRoutes(deps),
    ...requestLogRoutes({ platform, cursors: deps.cursors, log: deps.log }),
    ...scopeChangeRoutes({ ...notifying, previewEndpoints, countEnabledEndpoints }),
    ...platformAppRoutes({
      ...{ ...team, notify: notifyAppTeam, findOwners: ownersIn(databases) },
      ...{ onEnded: [revokeWithOrganization(deps)], onStopped: [expireOnStopped] },
    }),
    ...piiWithdrawalRoutes(notifying),
    ...auditRoutes(team),
    ...operationsRoutes(deps),
    ...figuresRoutes(team),
    ...factRoutes(deps.facts, deps.cursors),
    ...sandbox,
    ...portalSandboxRoutes(sandbox, deps),
    ...conditionRoutes({ ...team, brand: deps.platform, notify: notifyAppTeam }),
    ...logoRoutes(),
    ...pageAssetRoutes(deps.platform),
    ...frontDoorRoutes({ ...pages, ...deps.door }),
    ...portalRoutes({ brand: deps.platform, build: deps.portal, platform: deps.databases.platform }),
    ...sentMailRoutes(pages),
    ...statusRoutes(pages),
    ...healthRoutes(deps.health),
    ...referenceRoutes(describe, deps.openDemo, deps.platform, VERSION_STEPS),
    ...guideRoutes({ brand: deps.platform, origin: deps.origin, demo: deps.openDemo, describe }),
    ...changelogRoutes({ text: changelogText(), brand: deps.platform, origin: deps.origin }),
    ...feedRoutes({ scopes: scopeFeed(), events: eventFeed() }),
  )
  return routes
}

function syndicateInvitationMails({ origin, platform, signIn }: RouteDeps, links: PageLinks): SyndicateMails | null {
  if (!signIn.mail) return null
  return { link: (world, id) => origin() + invitationLink(links, world, id), platformName: platform.name }
}

function invitationMails({ keys, origin, platform, signIn }: RouteDeps): InvitationMails | null {
  if (!signIn.mail) return null
  const tokens = mailTokens(keys('mail-links'))
  return { tokens, countMail: teamMailCounter(keys('sign-in')), origin, platformName: platform.name }
}

/** A worker process serves only its health. */
export function workerRouteTable(deps: Pick<RouteDeps, 'health'>): Route[] {
  return healthRoutes(deps.health)
}

type DescribedApi = { readonly brand: string; readonly baseUrl: string; readonly title?: string }

/** The OpenAPI document of a route table. Both the served and the committed document are made here. */
export function describeApi(routes: readonly Route[], api: DescribedApi) {
  const scopes = { authorizationCode: grantable('user'), clientCredentials: grantable('client') }
  return openApiDocument(routes, {
    ...{ title: PRODUCT, ...api, scopes },
    webhooks: EVENT_NAMES.map(describeEvent),
    tags: API_TAGS,
    examples: recordedExamples(),
  })
}

/**
 * The scopes that an app can get by a flow, with the sentence of the consent page. A retired scope is listed only if an
 * operation of an older version still requires it.
 */
function grantable(holder: 'user' | 'client'): Readonly<Record<string, string>> {
  return Object.fromEntries(offeredScopes(holder).map(({ name, consent }) => [name, consent]))
}

function describeEvent(event: EventName) {
  const { description, audience } = EVENT_CATALOGUE[event]
  return { event, description, tag: 'Events', payload: envelopeSchema(event), receivers: audience }
}
