import { type AppDescription, describeApp } from '#access/apps/index.ts'
import { lastUses } from '#access/tokens/index.ts'
import { notFound } from '#kernel/errors.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { appHead, card, emptyState, itemFoot, items, notice, points, sentenceOf, tag } from '#pages/blocks.ts'
import { moment } from '#pages/elements.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import type { Person } from '#pages/layout.ts'
import { settingsPage } from '#pages/layout.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import type { Tx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { worldNowMs } from '#system/postgres/world-clock.ts'
import type { Installation } from '../installation.ts'
import { sideOn } from '../installation-access.ts'
import type { ChangeContext } from '../lifecycle.ts'
import { revokeInstallation } from '../revocations.ts'
import { grantedWords, type ScopeSentence, scopeSentences } from '../scope-sentences.ts'
import {
  type Connection,
  connectionsOf,
  findAppOfConnection,
  findConnection,
  findInstallations,
  findUserOfAccount,
} from '../store.ts'
import { activeThere, findInstallableTarget, type InstallableTarget, installableTargetsOf } from '../target-store.ts'

export type Worlds = Readonly<Record<World, WorldDatabase>>

type ConnectedApp = { readonly connection: Connection; readonly app: AppDescription }

type ConnectedInWorld = {
  readonly world: World
  readonly nowMs: number
  readonly apps: readonly ConnectedApp[]
  /** Apps on the companies and syndicates that the person runs, no matter who installed them. */
  readonly installed: readonly InstalledApp[]
  /** The last recorded use of each installation, in real time. A use is recorded at most once an hour. */
  readonly uses: ReadonlyMap<Id<'installation'>, string>
}

/** First the live world, then the sandbox. */
const SHOWN: readonly World[] = WORLDS.toReversed()

/** Everything that an account has connected or can remove, by world. Worlds without an entry are omitted. */
export async function connectedApps(databases: Worlds, account: Id<'account'>): Promise<readonly ConnectedInWorld[]> {
  const all = await Promise.all(SHOWN.map((world) => connectedIn(databases[world], account)))
  return all.filter(({ apps, installed }) => apps.length + installed.length > 0)
}

async function connectedIn({ world, reads }: WorldDatabase, account: Id<'account'>): Promise<ConnectedInWorld> {
  const person = await findUserOfAccount(reads, account)
  const connections = person === null ? [] : await connectionsOf(reads, person.userId)
  const apps = await Promise.all(
    connections.map(async (connection) => ({ connection, app: await describeApp(reads, connection.appId) })),
  )
  const installed = person === null || person.deactivated ? [] : await installedApps(reads, person.userId)
  const ids = [...connections.map(({ id }) => id), ...installed.map(({ installation }) => installation.id)]
  const uses = await lastUses(reads, ids)
  return { world, nowMs: await worldNowMs(reads), apps: apps.flatMap(describedApp), installed, uses }
}

function describedApp({ connection, app }: { readonly connection: Connection; readonly app: AppDescription | null }) {
  return app === null ? [] : [{ connection, app }]
}

export type OwnConnection = {
  readonly world: World
  readonly userId: Id<'user'>
  readonly app: AppDescription
  /** The user's active connection with this app, which may be newer than the connection with this id. Null if the user has none. */
  readonly active: Connection | null
}

/**
 * The connection with this id, in either world, if it is or was this account's. Null for the connection of another account.
 */
export async function ownConnection(
  databases: Worlds,
  account: Id<'account'>,
  id: Id<'installation'>,
): Promise<OwnConnection | null> {
  for (const world of SHOWN) {
    const { reads } = databases[world]
    const person = await findUserOfAccount(reads, account)
    const appId = person === null ? null : await findAppOfConnection(reads, person.userId, id)
    const app = appId === null ? null : await describeApp(reads, appId)
    if (person === null || app === null) continue
    return { world, userId: person.userId, app, active: await findConnection(reads, person.userId, app.id) }
  }
  return null
}

/** An app that is installed on a company or syndicate where the user may install apps. */
type InstalledApp = {
  readonly installation: Installation
  readonly app: AppDescription
  readonly there: InstallableTarget
}

/** Every app installed on a target where the user could install apps, no matter who installed it; sorted by time, newest last. */
async function installedApps(queries: WorldQueries, user: Id<'user'>): Promise<readonly InstalledApp[]> {
  const installable = new Map<string, InstallableTarget>(
    (await installableTargetsOf(queries, user)).map((one) => [one.id, one]),
  )
  const installations = await findInstallations(queries, await activeThere(queries, [...installable.values()]))
  const described = installations.map(async (installation) => {
    const there = installable.get(installation.target.id)
    const app = await describeApp(queries, installation.appId)
    return there === undefined || app === null ? [] : [{ installation, app, there }]
  })
  return (await Promise.all(described)).flat()
}

export type InstalledIn = InstalledApp & { readonly world: World; readonly userId: Id<'user'> }

/**
 * The installation with this id, in either world, if this account may install apps on its target now. The installation may be revoked
 * already. Null for every other installation.
 */
export async function findInstalled(
  databases: Readonly<Record<World, WorldDatabase>>,
  account: Id<'account'>,
  text: string | undefined,
): Promise<InstalledIn | null> {
  const id = parseId('installation', text)
  if (id === null) return null
  for (const world of WORLDS) {
    const { reads } = databases[world]
    const person = await findUserOfAccount(reads, account)
    const [installation] = person === null || person.deactivated ? [] : await findInstallations(reads, [id])
    if (person === null || installation === undefined) continue
    const there = await findInstallableTarget(reads, person.userId, installation.target)
    const app = await describeApp(reads, installation.appId)
    return there === null || app === null ? null : { world, userId: person.userId, installation, app, there }
  }
  return null
}

/** Every person who may install apps on the target may remove the app. Their role is checked again, because it may have ended meanwhile. */
export async function removeInstalled(
  tx: Tx,
  { userId, installation }: InstalledIn,
  context: ChangeContext,
): Promise<void> {
  const mayInstallThere = (await findInstallableTarget(tx, userId, installation.target)) !== null
  const role = sideOn(installation, { userId, mayInstallThere, onTeam: false })
  if (role === null) throw notFound(`${userId} has no role at the target of ${installation.id}`)
  await revokeInstallation(tx, { id: installation.id, role }, context)
}

type ConnectedAppsPage = {
  readonly brand: ShownBrand
  readonly person: Person
  readonly csrf: string
  readonly connected: readonly ConnectedInWorld[]
  /** The app that was disconnected a moment ago. */
  readonly disconnected: AppDescription | null
  /** The app that was removed from a company or syndicate a moment ago. */
  readonly removed: InstalledApp | null
}

export function connectedAppsPage(parts: ConnectedAppsPage): string {
  const { brand, person, csrf, connected, disconnected, removed } = parts
  const lead = `What apps may see and do at ${brandName(brand)}, for you and for the companies and syndicates that you run. Each app stays until you disconnect or remove it.`
  const main = html`${disconnected !== null && notice(html`<bdi>${disconnected.name}</bdi> is disconnected. It can no longer see or do anything for you.`)}
${removed !== null && notice(html`<bdi>${removed.app.name}</bdi> is removed from <bdi>${removed.there.name}</bdi>. It can no longer see or do anything there. To install it again, use the link of the app’s makers.`)}
${connected.length === 0 ? EMPTY : connected.map((world) => section(brand, world))}`
  return settingsPage({ tab: 'apps', title: 'Connected apps', lead, main, brand, person, csrf })
}

const EMPTY = emptyState({
  title: 'Nothing is connected',
  text: 'When an app asks to connect to your account and you agree, it appears here, with what it may see and do and a way to disconnect it. Such a connection begins on the app’s own site.',
})

const SECTION: Readonly<Record<World, Html | null>> = {
  live: null,
  test: html`<div><h2>In the sandbox</h2><p class="muted">Test data only: nothing these apps see is real.</p></div>`,
}

function section(brand: ShownBrand, connected: ConnectedInWorld): Html {
  const entries = connected.apps.map((app) => entry(brand, app, connected))
  return html`<section class="apps-world">${SECTION[connected.world]}${entries.length > 0 && items(entries)}${installedThere(brand, connected)}</section>`
}

function installedThere(brand: ShownBrand, connected: ConnectedInWorld): HtmlValue {
  if (connected.installed.length === 0) return null
  const entries = connected.installed.map((installed) => installedEntry(brand, installed, connected))
  return html`<div><h2>On companies and syndicates you run</h2><p class="muted">Installed there by you, or by a person who runs them with you.</p></div>${items(entries)}`
}

function installedEntry(
  brand: ShownBrand,
  { installation, app, there }: InstalledApp,
  { world, nowMs, uses }: ConnectedInWorld,
): Html {
  const { name, logoUrl, organization, state } = app
  const by = html`by <bdi>${organization.name}</bdi> ${world === 'test' && tag('Sandbox', 'warning')}`
  const remove = html`<a class="button danger" href="/settings/apps/${installation.id}/remove" aria-label="Remove ${name} from ${there.name}">Remove</a>`
  const words = grantedWords(there.type, installation.scopes)
  return card(
    appHead({ name, logoUrl, lines: [html`On <strong><bdi>${there.name}</bdi></strong>`, by], heading: 2 }),
    state !== 'active' && notice(stoppedWords(brand, app), 'warning'),
    sentences([...words.there, ...words.itself]),
    itemFoot(
      html`Installed ${moment(installation.installedAt, nowMs)}, tier ${installation.tier}. ${lastUse(uses.get(installation.id))}`,
      remove,
    ),
  )
}

function entry(brand: ShownBrand, { connection, app }: ConnectedApp, { world, nowMs, uses }: ConnectedInWorld): Html {
  const { name, logoUrl, organization, state } = app
  const by = html`by <bdi>${organization.name}</bdi> ${world === 'test' && tag('Sandbox', 'warning')}`
  const disconnect = html`<a class="button danger" href="/settings/apps/${connection.id}/disconnect" aria-label="Disconnect ${name}">Disconnect</a>`
  return card(
    appHead({ name, logoUrl, lines: [by], heading: 2 }),
    state !== 'active' && notice(stoppedWords(brand, app), 'warning'),
    abilities(connection.scopes),
    itemFoot(html`Connected ${moment(connection.installedAt, nowMs)}. ${lastUse(uses.get(connection.id))}`, disconnect),
  )
}

const HOUR_MS = 3_600_000

/** A use is recorded at most once an hour, so the recorded time may be up to an hour too early. */
function lastUse(usedAt: string | undefined): HtmlValue {
  if (usedAt === undefined) return 'No use recorded yet.'
  const isFresh = Date.now() - Date.parse(usedAt) < HOUR_MS
  return isFresh ? 'Last used within the hour.' : html`Last used ${moment(usedAt, Date.now())}.`
}

function stoppedWords(brand: ShownBrand, { state }: AppDescription): string {
  const by = state === 'disabled' ? 'Its makers have turned it off' : `${brandName(brand)} has stopped it`
  return `${by}: at the moment it can do nothing for you.`
}

/** Each sentence is on its own line, so that a person quickly sees what they granted. */
function abilities(scopes: readonly string[]): HtmlValue {
  return sentences(scopeSentences(scopes).flatMap((group) => group.sentences))
}

function sentences(spoken: readonly ScopeSentence[]): HtmlValue {
  if (spoken.length === 0) return null
  const shownSentences = spoken.map(({ sentence, sensitive }) =>
    sentenceOf({ sentence, ...(sensitive === null ? {} : { sensitive }) }),
  )
  return html`<div><h3>It may</h3>${points(shownSentences)}</div>`
}
