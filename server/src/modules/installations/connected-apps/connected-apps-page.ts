import { appHead, card, emptyState, itemFoot, items, notice, points, sentenceOf, tag } from '#http/pages/blocks.ts'
import { type Html, html } from '#http/pages/html.ts'
import { brandName, type Person, page } from '#http/pages/layout.ts'
import { moment } from '#http/pages/moment.ts'
import type { World } from '#kernel/world.ts'
import type { AppDescription } from '#modules/apps/index.ts'
import { spokenScopes } from '../spoken-scopes.ts'
import type { ConnectedApp, ConnectedInWorld } from './connected-apps.ts'

export type ConnectedAppsPage = {
  readonly brand: string
  readonly person: Person
  readonly csrf: string
  readonly connected: readonly ConnectedInWorld[]
  /** The app that was disconnected a moment ago. */
  readonly disconnected: AppDescription | null
}

export function connectedAppsPage({ brand, person, csrf, connected, disconnected }: ConnectedAppsPage): string {
  const title = 'Connected apps'
  const main = html`<h1>${title}</h1>
<p class="lead">What you have let apps see and do for you at ${brandName(brand)}. Each one stays connected until you disconnect it.</p>
${disconnected !== null && notice(html`<bdi>${disconnected.name}</bdi> is disconnected. It can no longer see or do anything for you.`)}
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

function section(brand: string, connected: ConnectedInWorld): Html {
  const entries = connected.apps.map((app) => entry(brand, app, connected))
  return html`<section class="apps-world">${SECTION[connected.world]}${items(entries)}</section>`
}

function entry(brand: string, { connection, app }: ConnectedApp, { world, nowMs }: ConnectedInWorld): Html {
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

function stoppedWords(brand: string, { state }: AppDescription): string {
  const by = state === 'disabled' ? 'Its makers have turned it off' : `${brandName(brand)} has stopped it`
  return `${by}: at the moment it can do nothing for you.`
}

/** The sentences one by one: somebody who comes here wants to see at a glance what they gave away. */
function abilities(scopes: readonly string[]): Html {
  const sentences = spokenScopes(scopes).flatMap((group) => group.sentences)
  const told = sentences.map(({ sentence, sensitive }) =>
    sentenceOf({ sentence, ...(sensitive === null ? {} : { sensitive }) }),
  )
  return html`<div><h3>It may</h3>${points(told)}</div>`
}
