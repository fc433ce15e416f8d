import { type AppDescription, type Client, describeApp, findClient } from '#access/apps/index.ts'
import type { Browser } from '#http/browser/cookies.ts'
import { carriesBack, signInAddress } from '#http/browser/return-to.ts'
import type { RawQuery } from '#http/input/read-query.ts'
import { pagePolicy } from '#http/security-headers.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import { type Id, parseClientId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { appHead, card, notice } from '#pages/blocks.ts'
import { hidden, signedInAs } from '#pages/elements.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { type Person, page } from '#pages/layout.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import { formTargets, placeWords, returnPlace } from '#pages/return-place.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import type { InstallerTier } from '../grant-rules.ts'
import { type EligibleTarget, eligibleTargets, mayInstall } from '../install-app.ts'
import { findUserOfAccount, worldNowMs } from '../store.ts'
import { type InstallableTarget, isOnTeam } from '../target-store.ts'

export type EntryDeps = { readonly databases: Readonly<Record<World, WorldDatabase>>; readonly brand: ShownBrand }

export type Visit = {
  readonly params: { readonly client_id: string }
  readonly query: RawQuery
  readonly caller: AccountCaller | null
  readonly browser: Browser
  readonly requestId: string
}

/** A valid install link and the person who opened it. */
export type InstallVisit = {
  readonly client: Client
  readonly app: AppDescription
  readonly query: InstallQuery
  readonly person: AccountCaller
  readonly userId: Id<'user'>
  readonly onTeam: boolean
  /** Where they could install, with what is installed there already. */
  readonly targets: readonly EligibleTarget[]
  readonly nowMs: number
}

/** Either the checked visit, or the response to send at once. */
export type Entry = { readonly entered: InstallVisit } | { readonly answer: Answer }

/** Runs on every request, including the one that submits the decision, because anything may have changed since. */
export async function enterInstallPage(deps: EntryDeps, visit: Visit): Promise<Entry> {
  const id = parseClientId(visit.params.client_id)
  const around = { brand: deps.brand, requestId: visit.requestId, world: id?.world ?? null }
  const client = id === null ? null : await findClient(deps.databases[id.world], id.id, null)
  if (client === null) return { answer: refusalAnswer('unknown_app', around) }
  if (client.state !== 'active') return { answer: refusalAnswer('app_unavailable', around) }
  const query = readInstallQuery(visit.query)
  if (query === null) return { answer: refusalAnswer('unreadable_request', around) }
  const address = installAddress(client.keyId, query)
  // Checked for signed-in people too: they may switch accounts, and the link must survive the sign-in.
  if (!carriesBack(address)) return { answer: refusalAnswer('unreadable_request', around) }
  if (visit.caller === null) return { answer: away(signInAddress(address)) }
  return meet(deps, visit, { client, query, person: visit.caller })
}

type Followed = Pick<InstallVisit, 'client' | 'query' | 'person'>

async function meet(deps: EntryDeps, visit: Visit, followed: Followed): Promise<Entry> {
  const { client, query, person } = followed
  const { reads } = deps.databases[client.world]
  const around = { brand: deps.brand, requestId: visit.requestId, world: client.world }
  const shown = { person, csrf: visit.browser.csrf, returnTo: installAddress(client.keyId, query) }
  const user = await findUserOfAccount(reads, person.accountId)
  if (user === null || user.deactivated) return { answer: nobodyAnswer(user === null, shown, around) }
  const { userId } = user
  const [app, onTeam, targets, nowMs] = await Promise.all([
    describeApp(reads, client.appId),
    isOnTeam(reads, userId, client.appId),
    eligibleTargets(reads, userId, client.appId),
    worldNowMs(reads),
  ])
  if (app === null) throw new Error('an app whose key was just found cannot be described')
  if (!mayInstall(app, onTeam)) return { answer: notApprovedAnswer(app, shown, around) }
  return { entered: { ...followed, app, userId, onTeam, targets, nowMs } }
}

type Around = { readonly brand: ShownBrand; readonly requestId: string; readonly world: World | null }

/** The person on the page, and where they return after switching accounts. */
type Shown = { readonly person: Person; readonly csrf: string; readonly returnTo: string }

type Words = {
  readonly status: 400 | 403 | 404
  readonly title: string
  readonly message: string
  readonly remediation: string
}

type RefusalReason = 'unknown_app' | 'app_unavailable' | 'unreadable_request'

const BACK = 'Go back to where the link was and try again. If it stays, tell the people who make the app.'

/** Shown before the app is trusted, so these pages never redirect. */
const WORDS: Readonly<Record<RefusalReason, Words>> = {
  unknown_app: {
    status: 404,
    title: 'We do not know this app',
    message: 'The link that led you here names an app that nobody is registered with. Nothing was installed.',
    remediation: BACK,
  },
  app_unavailable: {
    status: 403,
    title: 'This app cannot be installed',
    message: 'It is not in service here at the moment. Nothing was installed, and what was installed before stays.',
    remediation: 'Ask the people who make the app when it will be back.',
  },
  unreadable_request: {
    status: 400,
    title: 'This link is not complete',
    message: 'An app sent you here, but its request cannot be read. Nothing was installed.',
    remediation: `${BACK} For them: state is sent once, is correctly encoded, and has at most 2,048 characters, fewer if they need encoding.`,
  },
}

function refusalAnswer(reason: RefusalReason, around: Around): Answer {
  return answerWith(WORDS[reason], null, around)
}

/** The account has no active user in the app's world. */
function nobodyAnswer(unknown: boolean, shown: Shown, around: Around): Answer {
  const where = around.world === 'test' ? 'in the sandbox' : 'here'
  const words: Words = {
    status: 403,
    title: 'There is nothing to install on',
    message: unknown
      ? `The account you are signed in with has no company or syndicate ${where}. Nothing was installed.`
      : `The account you are signed in with was deactivated ${where}. Nothing was installed.`,
    remediation: 'If you have another account, sign in with that one.',
  }
  return answerWith(words, shown, around)
}

/** "Installing outside the app's own organization needs an approved app." */
function notApprovedAnswer({ name, organization }: AppDescription, shown: Shown, around: Around): Answer {
  const brand = brandName(around.brand)
  const words: Words = {
    status: 403,
    title: `${name} has not been approved yet`,
    message: `Only the team of ${organization.name} can install this app until ${brand} has approved it. Nothing was installed.`,
    remediation: `Ask ${organization.name} to let you know when it is approved. If you are on their team, sign in with the account you use there.`,
  }
  return answerWith(words, shown, around)
}

function answerWith({ status, title, message, remediation }: Words, shown: Shown | null, around: Around): Answer {
  const { brand, world, requestId } = around
  const main = card(
    html`<h1>${title}</h1><p>${message}</p><p>${remediation}</p>`,
    shown !== null && signedInAs(shown),
    html`<p class="request-id">Request <code>${requestId}</code></p>`,
  )
  return { status, body: page({ title, main, brand, world }) }
}

/** A page or a redirect. */
export type Answer =
  | {
      readonly status: 200 | 400 | 403 | 404 | 409
      readonly body: string
      readonly headers?: Readonly<Record<string, string>>
    }
  | { readonly status: 303; readonly body: null; readonly headers: { readonly Location: string } }

export function away(location: string): Answer {
  return { status: 303, body: null, headers: { Location: location } }
}

export const INSTALL_PATH = '/apps/:client_id/install'

/** `state` returns in a Location header together with the setup URL. */
const STATE_CHARS_MAX = 2_048

/** The query parameters of the page; null if absent. */
type InstallQuery = {
  /** The app's own, which it gets back unchanged. */
  readonly state: string | null
  /** The company or syndicate that was chosen. */
  readonly target: string | null
  /** An installation that was made here a moment ago. */
  readonly installed: string | null
}

/** Null if `state` cannot be returned unchanged: malformed, repeated or too long. */
export function readInstallQuery({ values, malformed }: RawQuery): InstallQuery | null {
  const [state, ...others] = values.get('state') ?? []
  if (malformed || others.length > 0 || (state?.length ?? 0) > STATE_CHARS_MAX) return null
  const first = (name: string) => values.get(name)?.[0] || null
  return { state: state || null, target: first('target'), installed: first('installed') }
}

/** The address holds the whole visit; the server stores nothing, so it can be linked, reloaded and returned to. */
export function installAddress(clientId: string, query: Partial<InstallQuery>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== null) parameters.set(name, value)
  const path = INSTALL_PATH.replace(':client_id', encodeURIComponent(clientId))
  return parameters.size === 0 ? path : `${path}?${parameters}`
}

/** What all pages of one visit share. */
export type Frame = { readonly entered: InstallVisit; readonly brand: ShownBrand; readonly csrf: string }

type Framed = {
  readonly status: 200 | 404 | 409
  readonly title: string
  /** Above everything: what is different from what the person expected. */
  readonly first?: HtmlValue
  /** What is asked for, in one sentence. */
  readonly lead?: HtmlValue
  readonly content: HtmlValue
}

/** The app, the signed-in person, then the content. */
export function framed({ entered, brand, csrf }: Frame, { status, title, first, lead, content }: Framed): Answer {
  const { app, client, person, onTeam, query } = entered
  const returnTo = installAddress(client.keyId, query)
  const back = app.setupUrl !== null && html`You will return to ${placeWords(returnPlace(app.setupUrl))}`
  const main = card(
    first,
    appHead({
      name: app.name,
      logoUrl: app.logoUrl,
      lines: [html`by <bdi>${app.organization.name}</bdi>`, ...(back === false ? [] : [back])],
    }),
    lead !== undefined && html`<p>${lead}</p>`,
    onTeam && notice(html`This is an app of your own team, <bdi>${app.organization.name}</bdi>.`),
    signedInAs({ person, csrf, returnTo }),
    content,
  )
  const formAction = app.setupUrl === null ? [] : formTargets(app.setupUrl)
  return {
    status,
    body: page({ title, main, brand, world: client.world }),
    headers: { 'Content-Security-Policy': pagePolicy({ formAction }) },
  }
}

/** Canceling redirects to the app, so it is a POST form; its button may stand inside another form. */
export function cancelForm({ entered: { client, query }, csrf }: Frame): Html {
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

/** What the app gets with that tier. */
export const TIER_MEANS: Readonly<Record<InstallerTier, string>> = {
  founder: 'So the app gets the founder tier, the highest: nothing is held back because of your role.',
  admin: 'So the app gets the admin tier: all but what only a founder can give.',
  editor: 'So the app gets the editor tier: it can look, and cannot change anything.',
  manager: 'So the app gets the manager tier: it sees what managers see, members’ email addresses included.',
}

/** Who can remove the app, at the start of a sentence. */
export const WHO_CAN: Readonly<Record<InstallableTarget['type'], string>> = {
  company: 'Any founder, admin or editor',
  syndicate: 'Any manager',
}
