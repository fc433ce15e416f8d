import { appHead, card, notice } from '#http/pages/blocks.ts'
import { hidden, signedInAs } from '#http/pages/elements.ts'
import { type Html, type HtmlValue, html } from '#http/pages/html.ts'
import { page } from '#http/pages/layout.ts'
import type { ShownBrand } from '#http/pages/platform-brand.ts'
import { formTargets, placeWords, returnPlace } from '#http/pages/return-place.ts'
import { pagePolicy } from '#http/security-headers.ts'
import type { InstallerTier } from '../grant-rules.ts'
import type { InstallableTarget } from '../target-store.ts'
import { type Answer, type InstallVisit, installAddress } from './entry-guard.ts'

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
