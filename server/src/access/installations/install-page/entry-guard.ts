import { type AppDescription, type Client, describeApp, findClient } from '#access/apps/index.ts'
import { carriesBack, signInAddress } from '#http/browser/return-to.ts'
import type { RawQuery } from '#http/input/read-query.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import { type Id, parseClientId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { notice } from '#pages/blocks.ts'
import { hidden } from '#pages/elements.ts'
import {
  away,
  type Frame,
  framedPage,
  type Guarded,
  introduceApp,
  type PageResponse,
  type Refusal,
  refusalPage,
  type Visit,
} from '#pages/hosted-page.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { worldNowMs } from '#system/postgres/world-clock.ts'
import type { InstallerTier } from '../grant-rules.ts'
import { type EligibleTarget, eligibleTargets, mayInstall } from '../install-app.ts'
import { findUserOfAccount } from '../store.ts'
import { type InstallableTarget, isOnTeam } from '../target-store.ts'

export type EntryDeps = { readonly databases: Readonly<Record<World, WorldDatabase>>; readonly brand: ShownBrand }

/** A visit to the install page. Its query contains the complete state of the page. */
export type InstallVisit = Visit & { readonly params: { readonly client_id: string }; readonly query: RawQuery }

/** A valid install link and the person who opened it. */
export type InstallEntry = {
  readonly client: Client
  readonly app: AppDescription
  readonly query: InstallQuery
  readonly person: AccountCaller
  readonly userId: Id<'user'>
  readonly onTeam: boolean
  /** The targets on which the person may install apps, each with the app's installation on it, if any. */
  readonly targets: readonly EligibleTarget[]
  readonly nowMs: number
}

type GuardedInstall = Guarded<InstallEntry, InstallResponse>

/**
 * Runs on every request, even on the one that submits the decision, because the app, the person or the target may have changed since the
 * page was shown.
 */
export async function guardInstallPage(deps: EntryDeps, visit: InstallVisit): Promise<GuardedInstall> {
  const id = parseClientId(visit.params.client_id)
  const rejectEntry = (why: RefusalReason) => ({
    answer: refusalPage(REFUSALS[why], strangersFrame(deps, visit, id?.world)),
  })
  const client = id === null ? null : await findClient(deps.databases[id.world], id.id, null)
  if (client === null) return rejectEntry('unknown_app')
  if (client.state !== 'active') return rejectEntry('app_unavailable')
  const query = readInstallQuery(visit.query)
  if (query === null) return rejectEntry('unreadable_request')
  const address = installAddress(client.keyId, query)
  // Checked for signed-in people too: they may switch accounts, and the address must then be short enough for the sign-in page.
  if (!carriesBack(address)) return rejectEntry('unreadable_request')
  if (visit.caller === null) return { answer: away(signInAddress(address)) }
  return loadEntry(deps, visit, { client, query, person: visit.caller })
}

type Followed = Pick<InstallEntry, 'client' | 'query' | 'person'>

async function loadEntry(deps: EntryDeps, visit: InstallVisit, followed: Followed): Promise<GuardedInstall> {
  const { client, person } = followed
  const { reads } = deps.databases[client.world]
  const frame = frameOf(deps, visit, followed)
  const user = await findUserOfAccount(reads, person.accountId)
  if (user === null || user.deactivated) return { answer: refusalPage(nobodyHere(user === null, frame), frame) }
  const { userId } = user
  const [app, onTeam, targets, nowMs] = await Promise.all([
    describeApp(reads, client.appId),
    isOnTeam(reads, userId, client.appId),
    eligibleTargets(reads, userId, client.appId),
    worldNowMs(reads),
  ])
  if (app === null) throw new Error('an app whose key was just found cannot be described')
  if (!mayInstall(app, onTeam)) return { answer: refusalPage(notApproved(app, frame), frame) }
  return { entry: { ...followed, app, userId, onTeam, targets, nowMs } }
}

/** The parts that all pages of one visit have in common. */
export function frameOf(
  { brand }: EntryDeps,
  { browser, requestId }: Visit,
  { client, query, person }: Pick<InstallEntry, 'client' | 'query' | 'person'>,
): Frame {
  const address = installAddress(client.keyId, query)
  return { brand, world: client.world, csrf: browser.csrf, person, address, requestId }
}

/** The frame of a page that rejects the link itself. It does not show the signed-in person. */
function strangersFrame({ brand }: EntryDeps, { browser, requestId }: Visit, world: World | undefined): Frame {
  return { brand, world: world ?? null, csrf: browser.csrf, person: null, address: '', requestId }
}

type RefusalReason = 'unknown_app' | 'app_unavailable' | 'unreadable_request'

const BACK = 'Go back to the link and try again. If the error stays, tell the people who make the app.'

/** Pages that reject the link itself. They never redirect to the app. */
const REFUSALS: Readonly<Record<RefusalReason, Refusal>> = {
  unknown_app: {
    status: 404,
    title: 'We do not know this app',
    message: 'The link that led you here names an app that does not exist. Nothing was installed.',
    remediation: BACK,
  },
  app_unavailable: {
    status: 403,
    title: 'This app cannot be installed',
    message:
      'The app, or its key in this link, is not in service. Nothing was installed, and no installation was changed.',
    remediation: 'Ask the people who make the app whether it can be installed again.',
  },
  unreadable_request: {
    status: 400,
    title: 'This link is not valid',
    message: 'An app sent you here, but its request cannot be read. Nothing was installed.',
    remediation: `${BACK} The app must send the parameter state at most once, correctly encoded, and with at most 2,048 characters. The limit is lower if characters need encoding.`,
  },
}

/** The account has no active user in the app's world. */
function nobodyHere(unknown: boolean, { world }: Frame): Refusal {
  const where = world === 'test' ? 'in the sandbox' : 'here'
  return {
    status: 403,
    title: 'There is nothing to install on',
    message: unknown
      ? `The account you are signed in with has no company or syndicate ${where}. Nothing was installed.`
      : `The account you are signed in with was deactivated ${where}. Nothing was installed.`,
    remediation:
      unknown && world === 'test'
        ? 'If you are on the app’s team, press “Install on a sandbox company” under Installations in the developer portal: it makes a company for you. If you have another account, sign in with that one.'
        : 'If you have another account, sign in with that one.',
  }
}

/** "Installing outside the app's own organization needs an approved app." */
function notApproved({ name, organization }: AppDescription, { brand }: Frame): Refusal {
  return {
    status: 403,
    title: `${name} has not been approved yet`,
    message: `Only the team of ${organization.name} can install this app until ${brandName(brand)} has approved it. Nothing was installed.`,
    remediation: `Ask ${organization.name} to let you know when the app is approved. If you are on their team, sign in with the account you use there.`,
  }
}

export type InstallResponse = PageResponse<200 | 400 | 403 | 404 | 409>

export const INSTALL_PATH = '/apps/:client_id/install'

/** `state` is limited, because it returns in a Location header together with the setup URL. */
const STATE_CHARS_MAX = 2_048

/** The query parameters of the page; null if absent. */
type InstallQuery = {
  /** A value that the app sent and gets back unchanged. */
  readonly state: string | null
  /** The id of the company or syndicate that was chosen. */
  readonly target: string | null
  /** The id of an installation that was made here a moment ago. */
  readonly installed: string | null
}

/** Null if the query is malformed, or if `state` is repeated or too long: the page could not return `state` unchanged. */
export function readInstallQuery({ values, malformed }: RawQuery): InstallQuery | null {
  const [state, ...others] = values.get('state') ?? []
  if (malformed || others.length > 0 || (state?.length ?? 0) > STATE_CHARS_MAX) return null
  const first = (name: string) => values.get(name)?.[0] || null
  return { state: state || null, target: first('target'), installed: first('installed') }
}

/** The address contains the complete state of the page; the server stores no state. So people can reload the page and return to it. */
export function installAddress(clientId: string, query: Partial<InstallQuery>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== null) parameters.set(name, value)
  const path = INSTALL_PATH.replace(':client_id', encodeURIComponent(clientId))
  return parameters.size === 0 ? path : `${path}?${parameters}`
}

export type InstallFrame = Frame & { readonly entry: InstallEntry }

type Framed = {
  readonly status: 200 | 404 | 409
  readonly title: string
  /** At the top of the page: what has changed, or what is wrong with the link. */
  readonly first?: HtmlValue
  /** The heading, if it is not the title. */
  readonly question?: HtmlValue
  readonly content: HtmlValue
}

/** Shows the app, then the signed-in person, then the content. */
export function framed(
  frame: InstallFrame,
  { status, title, question = title, first, content }: Framed,
): InstallResponse {
  const { app, onTeam } = frame.entry
  const above = [
    introduceApp(app, { returnUrl: app.setupUrl }),
    onTeam && notice(html`This is an app of your own team, <bdi>${app.organization.name}</bdi>.`),
  ]
  return framedPage(frame, { status, title, first, question, above, below: [content], leadsTo: app.setupUrl })
}

/**
 * Canceling redirects to the app's site, so it needs a POST with the CSRF token. The form is separate from its button, because the
 * button may be inside another form.
 */
export function cancelForm({ entry: { client, query }, csrf }: InstallFrame): Html {
  const action = installAddress(client.keyId, { state: query.state })
  return html`<form id="cancel" hidden method="post" action="${action}">${hidden('csrf', csrf)}${hidden('decision', 'cancel')}</form>`
}

export function cancelButton(label: string): Html {
  return html`<button class="button" type="submit" form="cancel">${label}</button>`
}

/** The installer's role, in a sentence. */
export const TIER_NAMES: Readonly<Record<InstallerTier, string>> = {
  founder: 'a founder',
  admin: 'an admin',
  editor: 'an editor',
  manager: 'a manager',
}

/** What the app may do with this tier. */
export const TIER_MEANS: Readonly<Record<InstallerTier, string>> = {
  founder: 'So the app gets the founder tier, the highest: nothing is held back because of your role.',
  admin: 'So the app gets the admin tier: everything except what only a founder can grant.',
  editor: 'So the app gets the editor tier: it can see things and cannot change anything.',
  manager: 'So the app gets the manager tier: where it has access, it sees what managers see, such as email addresses.',
}

/** Who can remove the app, at the start of a sentence. */
export const WHO_CAN: Readonly<Record<InstallableTarget['type'], string>> = {
  company: 'Any founder, admin or editor',
  syndicate: 'Any manager',
}
