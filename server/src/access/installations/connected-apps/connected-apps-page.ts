import type { AppDescription } from '#access/apps/index.ts'
import { appHead, card, emptyState, itemFoot, items, notice, points, sentenceOf, tag } from '#http/pages/blocks.ts'
import { type Html, type HtmlValue, html } from '#http/pages/html.ts'
import { type Person, page } from '#http/pages/layout.ts'
import { moment } from '#http/pages/moment.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'
import { brandName } from '#http/pages/platform-brand.ts'
import type { World } from '#kernel/world.ts'
import { grantedWords, type ScopeSentence, scopeSentences } from '../scope-sentences.ts'
import type { ConnectedApp, ConnectedInWorld, InstalledApp } from './connected-apps.ts'

export type ConnectedAppsPage = {
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
  const title = 'Connected apps'
  const main = html`<h1>${title}</h1>
<p class="lead">What apps may see and do for you at ${brandName(brand)}, and for what you run there. Each stays until you disconnect or remove it.</p>
${disconnected !== null && notice(html`<bdi>${disconnected.name}</bdi> is disconnected. It can no longer see or do anything for you.`)}
${removed !== null && notice(html`<bdi>${removed.app.name}</bdi> is removed from <bdi>${removed.there.name}</bdi>. It can no longer see or do anything there.`)}
${connected.length === 0 ? EMPTY : connected.map((world) => section(brand, world))}`
  return page({ title, main, brand, person, csrf, wide: true })
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
  return html`<div><h2>On companies and syndicates you run</h2><p class="muted">Installed there by you, or by somebody who runs them with you.</p></div>${items(entries)}`
}

function installedEntry(
  brand: ShownBrand,
  { installation, app, there }: InstalledApp,
  { world, nowMs }: ConnectedInWorld,
): Html {
  const { name, logoUrl, organization, state } = app
  const by = html`by <bdi>${organization.name}</bdi> ${world === 'test' && tag('Sandbox', 'warning')}`
  const remove = html`<a class="button danger" href="/settings/apps/${installation.id}/remove" aria-label="Remove ${name} from ${there.name}">Remove</a>`
  const words = grantedWords(there.type, installation.scopes)
  return card(
    appHead({ name, logoUrl, lines: [html`On <strong><bdi>${there.name}</bdi></strong>`, by], heading: 2 }),
    state !== 'active' && notice(stoppedWords(brand, app), 'warning'),
    sentences([...words.there, ...words.itself]),
    itemFoot(html`Installed ${moment(installation.installedAt, nowMs)}, tier ${installation.tier}`, remove),
  )
}

function entry(brand: ShownBrand, { connection, app }: ConnectedApp, { world, nowMs }: ConnectedInWorld): Html {
  const { name, logoUrl, organization, state } = app
  const by = html`by <bdi>${organization.name}</bdi> ${world === 'test' && tag('Sandbox', 'warning')}`
  const disconnect = html`<a class="button danger" href="/settings/apps/${connection.id}/disconnect" aria-label="Disconnect ${name}">Disconnect</a>`
  return card(
    appHead({ name, logoUrl, lines: [by], heading: 2 }),
    state !== 'active' && notice(stoppedWords(brand, app), 'warning'),
    abilities(connection.scopes),
    itemFoot(html`Connected ${moment(connection.installedAt, nowMs)}`, disconnect),
  )
}

function stoppedWords(brand: ShownBrand, { state }: AppDescription): string {
  const by = state === 'disabled' ? 'Its makers have turned it off' : `${brandName(brand)} has stopped it`
  return `${by}: at the moment it can do nothing for you.`
}

/** One line per sentence, so that a person sees at a glance what they granted. */
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
