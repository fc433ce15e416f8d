import { Type } from 'typebox'
import { isScopeName, parseScopes, type ScopeName } from '#access/scopes/index.ts'
import { visitor } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { ApiError, type ErrorType } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { facts } from '#pages/blocks.ts'
import { decisionBar, linkButton, moment } from '#pages/elements.ts'
import { away } from '#pages/hosted-page.ts'
import { type HtmlValue, html } from '#pages/html.ts'
import { withParameters } from '#pages/return-place.ts'
import { sameScopes } from '../connect-user.ts'
import type { GrantOffer, InstallerTier } from '../grant-rules.ts'
import { installApp } from '../install-app.ts'
import type { Installation } from '../installation.ts'
import type { ChangeContext, OnRevoked } from '../lifecycle.ts'
import { grantedWords } from '../scope-sentences.ts'
import type { InstallableTarget } from '../target-store.ts'
import {
  type EntryDeps,
  framed,
  frameOf,
  guardInstallPage,
  INSTALL_PATH,
  type InstallEntry,
  type InstallFrame,
  type InstallResponse,
  type InstallVisit,
  installAddress,
  TIER_NAMES,
} from './entry-guard.ts'
import { choosePage, confirmPage, offerAt } from './install-pages.ts'

/** For the API reference only: the page validates these parameters itself and explains errors in HTML. */
const InstallLink = Type.Object({
  state: Type.Optional(Type.String({ description: 'Returned unchanged to the setup URL; at most 2,048 characters.' })),
  target: Type.Optional(
    Type.String({
      description: 'The company or syndicate to install on, `co_…` or `syn_…`, if the app knows it already.',
    }),
  ),
})

const ClientId = Type.Object({ client_id: Type.String({ description: 'The key’s id, `pk_…`.' }) })

const InstallForm = Type.Object({
  decision: Type.Union([Type.Literal('install'), Type.Literal('cancel')]),
  target: Type.Optional(Type.String()),
  tier: Type.Optional(Type.String()),
  scopes: Type.Optional(Type.String()),
})

const Page = Type.String()
const responses = { 200: Page, 303: Type.Null(), 400: Page, 403: Page, 404: Page, 409: Page }

const COMMON = {
  path: INSTALL_PATH,
  alias: false,
  tag: 'Installations',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  queryAs: 'raw',
  access: visitor('People are sent here by an app before they have signed in.'),
} as const

export const installPageRoutes = (deps: InstallPageDeps): Route[] => [
  route({
    ...COMMON,
    operation: 'showInstall',
    method: 'GET',
    documented: true,
    summary: 'Start the installation flow',
    description: 'Shows the page to which an app sends a person so that they install it on their company or syndicate.',
    schema: { params: ClientId, query: InstallLink, response: responses },
    handler: (request) => showInstall(deps, request),
  }),
  route({
    ...COMMON,
    operation: 'decideInstall',
    method: 'POST',
    accepts: ['application/x-www-form-urlencoded'],
    summary: 'Submit the person’s decision',
    schema: { params: ClientId, query: InstallLink, body: InstallForm, response: responses },
    handler: (request) => decideInstall(deps, request),
  }),
]

export type InstallPageDeps = EntryDeps & { readonly onRevoked: readonly OnRevoked[] }

async function showInstall(deps: InstallPageDeps, visit: InstallVisit): Promise<InstallResponse> {
  const guarded = await guardInstallPage(deps, visit)
  if ('answer' in guarded) return guarded.answer
  const { entry } = guarded
  const { query, targets } = entry
  const frame = { ...frameOf(deps, visit, entry), entry }
  const made = targets.find(({ installation }) => installation !== null && installation.id === query.installed)
  if (made?.installation) return installedPage(frame, made.installation)
  if (query.target !== null) return pageFor(frame, query.target)
  const [only, ...others] = targets
  // A single free target needs no choice.
  return only?.installation === null && others.length === 0 ? confirmPage(frame, only) : choosePage(frame)
}

function pageFor(frame: InstallFrame, id: string): InstallResponse {
  const target = frame.entry.targets.find((one) => one.id === id)
  if (target === undefined) return choosePage(frame, true)
  return target.installation === null
    ? confirmPage(frame, target)
    : alreadyInstalledPage(frame, target.installation, false)
}

type InstallDecision = {
  readonly decision: 'install' | 'cancel'
  readonly target?: string
  /** The tier and the scopes that the page showed when the person pressed the button. */
  readonly tier?: string
  readonly scopes?: string
}

/** How often a decision is tried if the app or the target changes between the check and the installation. */
const LOOKS_MAX = 3

type Deciding = InstallVisit & { readonly body: InstallDecision }

async function decideInstall(deps: InstallPageDeps, visit: Deciding): Promise<InstallResponse> {
  const { decision, target = '', tier = '', scopes = '' } = visit.body
  for (let look = 0; look < LOOKS_MAX; look++) {
    const guarded = await guardInstallPage(deps, withTarget(visit, target))
    if ('answer' in guarded) return guarded.answer
    const { entry } = guarded
    const frame = { ...frameOf(deps, visit, entry), entry }
    if (decision === 'cancel') return canceled(frame)
    const chosen = entry.targets.find(({ id }) => id === target)
    if (chosen === undefined) return choosePage(frame, true)
    if (chosen.installation !== null) return alreadyInstalledPage(frame, chosen.installation, true)
    const changes = changesSince({ tier, scopes }, chosen, offerAt(entry, chosen))
    if (changes.length > 0) return confirmPage(frame, chosen, changes)
    const made = await place(deps, { entry, chosen }, visit.requestId)
    // The next iteration shows what changed: the app, the person or the target.
    if (made !== 'refused') return installed(entry, made)
  }
  throw new ApiError('unavailable', { public: 'Something is being changed at this moment. Nothing was installed.' })
}

/** Adds the chosen target to the address, so that it is not lost if the person has to sign in first. */
function withTarget(visit: Deciding, target: string): InstallVisit {
  const values = new Map(visit.query.values)
  if (target !== '') values.set('target', [target])
  return { ...visit, query: { ...visit.query, values } }
}

/** Thrown to roll back an installation that differs from what the page showed. */
class NotAsShown extends Error {}

const LOOK_AGAIN: ReadonlySet<ErrorType> = new Set([
  'forbidden',
  'not_found',
  'already_installed',
  'app_suspended',
  'validation_error',
  'nothing_grantable',
  'invalid_token',
])

type Placing = { readonly entry: InstallEntry; readonly chosen: InstallableTarget }

async function place(deps: InstallPageDeps, placing: Placing, requestId: string): Promise<Installation | 'refused'> {
  const { client, userId } = placing.entry
  const { chosen } = placing
  const context: ChangeContext = { cause: requestId, caused: [], onRevoked: deps.onRevoked }
  const { keyId, appId } = client
  try {
    return await deps.databases[client.world].transaction(async (tx) => {
      const wanted = { keyId, appId, userId, target: chosen, scopes: null, tier: null }
      const { installation } = await installApp(tx, wanted, context)
      const shown = offerAt(placing.entry, chosen).granted
      if (installation.tier !== chosen.tier || !sameScopes(installation.scopes, shown)) throw new NotAsShown()
      return installation
    })
  } catch (error) {
    if (error instanceof NotAsShown || (error instanceof ApiError && LOOK_AGAIN.has(error.type))) return 'refused'
    throw error
  }
}

function installed({ app, client, query }: InstallEntry, { id }: Installation): InstallResponse {
  if (app.setupUrl === null) return away(installAddress(client.keyId, { state: query.state, installed: id }))
  return away(setupResponse(app.setupUrl, { installation_id: id }, query.state))
}

function canceled(frame: InstallFrame): InstallResponse {
  const { app, query } = frame.entry
  if (app.setupUrl === null) return nothingInstalledPage(frame)
  return away(setupResponse(app.setupUrl, { error: 'access_denied' }, query.state))
}

/** The tier and the scopes that the page showed, in the form that the browser sends. */
type Shown = { readonly scopes: string; readonly tier: string }

/**
 * A person agrees to what the page showed, so the installation must have exactly that tier and those scopes. Returns sentences that
 * describe what has changed since then.
 */
export function changesSince(
  shown: Shown,
  target: InstallableTarget,
  { granted }: Pick<GrantOffer, 'granted'>,
): string[] {
  const seen = (parseScopes(shown.scopes) ?? []).filter(isScopeName)
  const say = (names: readonly ScopeName[]) => {
    const { there, itself, elsewhere } = grantedWords(target.type, names)
    return [...there, ...itself, ...elsewhere].map(({ sentence }) => sentence)
  }
  return [
    ...(shown.tier === target.tier ? [] : [tierWords(shown.tier, target.tier)]),
    ...say(granted.filter((name) => !seen.includes(name))).map((sentence) => `New: ${sentence}`),
    ...say(seen.filter((name) => !granted.includes(name))).map((sentence) => `No longer granted: ${sentence}`),
  ]
}

function tierWords(before: string, now: InstallerTier): string {
  const was = Object.hasOwn(TIER_NAMES, before) ? TIER_NAMES[before as InstallerTier] : null
  return was === null
    ? `You are now ${TIER_NAMES[now]} there.`
    : `You were ${was} there, and are now ${TIER_NAMES[now]}.`
}

/** For an app without a setup URL. */
function installedPage(frame: InstallFrame, installation: Installation): InstallResponse {
  const { app, onTeam } = frame.entry
  const name = installation.target.name ?? ''
  const title = `${app.name} is installed on ${name}`
  const next = onTeam
    ? html`<p>From now on the app gets the events of <bdi>${name}</bdi>. It has no setup URL to return to. Continue with one of these.</p>`
    : html`<p>There is nothing more to do here, and you can close this page. The people at <bdi>${app.organization.name}</bdi> will tell you what to do next.</p>`
  const content = [next, about(frame.entry, installation), REMOVAL, decisionBar(onTeam && backToPortal(frame), MANAGE)]
  return framed(frame, { status: 200, title, content })
}

/** The app is already installed there; a colleague may have installed it while this person looked at the page. */
function alreadyInstalledPage(frame: InstallFrame, installation: Installation, decided: boolean): InstallResponse {
  const { entry } = frame
  const { app, query } = entry
  const name = installation.target.name ?? ''
  const open =
    app.setupUrl !== null &&
    linkButton(
      `Open ${app.name}`,
      setupResponse(app.setupUrl, { installation_id: installation.id }, query.state),
      'primary',
    )
  const content = [
    html`<p>An app is installed once on a ${installation.target.type}, so ${decided ? 'nothing was done now' : 'there is nothing to do'}. The app has this installation:</p>`,
    about(entry, installation),
    REMOVAL,
    decisionBar(open, entry.onTeam && app.setupUrl === null && backToPortal(frame), MANAGE),
  ]
  const question = html`<bdi>${app.name}</bdi> is installed on <bdi>${name}</bdi> already`
  return framed(frame, { status: decided ? 409 : 200, title: `${app.name} is installed already`, question, content })
}

function about({ nowMs }: InstallEntry, { id, tier, installedAt }: Installation): HtmlValue {
  return facts([
    ['Installed', moment(installedAt, nowMs)],
    ['Tier', tier],
    ['Installation', html`<code>${id}</code>`],
  ])
}

const MANAGE = linkButton('Manage', '/settings/apps')

/** For the app's own team, who came from the developer portal. In the test world they create the events themselves. */
function backToPortal({ world, entry: { app } }: InstallFrame): HtmlValue {
  const portal = `/developers/apps/${app.id}`
  if (world !== 'test') return linkButton('Return to the developer portal', `${portal}?mode=live`, 'primary')
  return [
    linkButton('Make an event in the sandbox', `${portal}/sandbox?mode=test`, 'primary'),
    linkButton('Return to the developer portal', `${portal}?mode=test`),
  ]
}

const REMOVAL = html`<p>You can see what the app may do there, and remove the app, under <a href="/settings/apps">Connected apps</a>.</p>`

/** Canceled, and the app has no setup URL to return to. */
function nothingInstalledPage(frame: InstallFrame): InstallResponse {
  const { app } = frame.entry
  const content = html`<p>You canceled, and <bdi>${app.name}</bdi> got nothing. You can close this page.</p>`
  return framed(frame, { status: 200, title: 'Nothing was installed', content })
}

/** Query parameters that the app gets at its setup URL. */
type SetupResponse = { readonly installation_id: Id<'installation'> } | { readonly error: 'access_denied' }

/** "Back to the app's setup URL with installation_id and state, or error=access_denied." */
export function setupResponse(setupUrl: string, result: SetupResponse, state: string | null): string {
  const parameters = new URLSearchParams(result)
  if (state !== null) parameters.set('state', state)
  return withParameters(setupUrl, parameters)
}
