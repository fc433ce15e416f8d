import type { Static } from 'typebox'
import type { KeyRecord } from '#access/apps/http.ts'
import { type App, CONDITIONS_PATH } from '#access/apps/index.ts'
import { scopeSentences } from '#access/installations/index.ts'
import type { OrganizationRole } from '#access/organizations/index.ts'
import { PICKER } from '#access/scopes/index.ts'
import { shownOnceScript } from '#pages/assets.ts'
import { card, emptyState, facts, notice, points, radios, switches, tag } from '#pages/blocks.ts'
import { actions, button, field, form, linkButton, moment } from '#pages/elements.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { settingsPage } from '#pages/layout.ts'
import { brandName } from '#pages/platform-brand.ts'
import { ORGANIZATIONS } from './organizations.ts'
import { errorOf, foldedAct, type Rejection, summaryOf, typedIn, type Viewer } from './settings-form.ts'

export type Key = Static<typeof KeyRecord>

const NAME_CHARS_MAX = 80

type NewAppPage = {
  readonly viewer: Viewer
  readonly organization: { readonly id: string; readonly name: string }
  /** The version of the usage conditions to accept. */
  readonly conditionsVersion: string
  readonly rejected: Rejection | null
}

/** The form for a new app. It has only the fields that the consent page shows, and the usage conditions. */
export function newAppPage({ viewer, organization, conditionsVersion, rejected }: NewAppPage): string {
  const at = `${ORGANIZATIONS}/${organization.id}`
  const text = (name: string) => ({
    ...{ name, value: typedIn(rejected, 'app', name), error: errorOf(rejected, 'app', name) },
  })
  const main = html`${summaryOf(rejected)}${card(
    form({
      action: `${at}/apps`,
      csrf: viewer.csrf,
      content: [
        field({
          ...text('name'),
          label: 'Name',
          hint: 'People see it when they are asked to connect the app.',
          required: true,
          maxLength: NAME_CHARS_MAX,
        }),
        field({
          ...text('description'),
          label: 'Description (optional)',
          hint: 'What the app does, in a sentence or two.',
          lines: 3,
        }),
        field({ ...text('website_url'), label: 'Website (optional)', hint: 'Such as https://app.example.com' }),
        scopeChoice(rejected),
        conditions(viewer, conditionsVersion, rejected),
        actions(button({ label: 'Create app' }), linkButton('Cancel', at)),
      ],
    }),
  )}`
  const lead = html`It will belong to <bdi>${organization.name}</bdi>.`
  return settingsPage({ ...viewer, tab: 'organizations', title: 'Create an app', lead, main })
}

/** Collapsed, because an app that reads public data needs no scopes, and scopes can be added later. */
function scopeChoice(rejected: Rejection | null): Html {
  const ticked = new Set([(rejected?.form === 'app' ? rejected.typed['scopes'] : []) ?? []].flat())
  const groups = scopeSentences(PICKER.map(({ name }) => name)).map(({ heading, sentences }) => {
    const choices = sentences.flatMap(({ names, sentence }) =>
      names.map((name) => ({ name: 'scopes', value: name, sentence, hint: name, checked: ticked.has(name) })),
    )
    return switches(heading, choices)
  })
  return html`<details class="act"${ticked.size > 0 && html` open`}><summary>What the app will ask people for (optional)</summary>
<p class="hint">Choose as little as you need: the app asks every person for these scopes. Without any, the app reads only public data. You can add and remove scopes later, in the developer portal.</p>
<div class="stack">${groups}</div></details>`
}

function conditions({ brand }: Viewer, version: string, rejected: Rejection | null): Html {
  const error = errorOf(rejected, 'app', 'accepted_conditions')
  return html`<div class="stack">${error !== undefined && html`<p class="error" id="field-accepted_conditions-error">${error}</p>`}<label class="choice before"><input type="checkbox" id="field-accepted_conditions" name="accepted_conditions" value="${version}"${
    error !== undefined && html` aria-invalid="true" aria-describedby="field-accepted_conditions-error"`
  }><span>I have read ${brandName(brand)}’s <a href="${CONDITIONS_PATH}">usage conditions</a> and accept them for this app.</span></label></div>`
}

export type AppPage = {
  readonly viewer: Viewer
  readonly app: App
  readonly keys: readonly Key[]
  readonly role: OrganizationRole
  readonly deletable: boolean
  readonly done: string | null
  readonly rejected: Rejection | null
}

const DONE: Readonly<Record<string, string>> = {
  created: 'Your app is created. Create a key next: your program needs one to obtain tokens.',
  key: 'The key is created. It is public, and has no secret.',
  revoked: 'The key is revoked. No token that was obtained with it works any more.',
}

/** An app, as a member of its team sees it. */
export function appPage(parts: AppPage): string {
  const { viewer, app, keys, done, rejected } = parts
  const confirmation = done === null ? undefined : DONE[done]
  const inForce = keys.filter(({ attributes }) => attributes.status !== 'revoked')
  const main = html`<p>An app of <a href="${ORGANIZATIONS}/${app.organization_id}"><bdi>${app.organization_name}</bdi></a>. Its webhooks, scopes and logs are in the <a href="/developers/apps/${app.id}/overview">developer portal</a>.</p>
${summaryOf(rejected)}${confirmation !== undefined && notice(confirmation)}${stopped(app)}
${
  inForce.length === 0
    ? emptyState({
        title: 'No keys yet',
        text: 'A key is a client id, and for a program on a server also a secret. Create the first one for the sandbox.',
      })
    : html`<section class="stack"><h2>Keys</h2>${inForce.map((key) => keyCard(parts, key))}</section>`
}
${app.organization_state === 'active' && keyForm(parts)}
${card(
  html`<h2>About the app</h2>`,
  facts([
    ['App id', html`<code>${app.id}</code>`],
    ['Description', app.description ?? html`<span class="muted">None</span>`],
    ['API version', app.api_version],
    [
      'Asks people for',
      app.scopes.length === 0
        ? 'Nothing: it reads only public data'
        : points(app.scopes.map((scope) => html`<code>${scope}</code>`)),
    ],
    ['Created', moment(app.created_at, Date.now())],
  ]),
  deletion(parts),
)}`
  const heading = html`<bdi>${app.name}</bdi>`
  return settingsPage({ ...viewer, tab: 'organizations', title: app.name, heading, main })
}

function stopped(app: App): HtmlValue {
  if (app.organization_state === 'ended') return notice('The platform ended this organization’s access.', 'warning')
  if (app.state === 'suspended')
    return notice(html`The platform suspended this app: ${app.suspended_reason}`, 'warning')
  return app.state === 'disabled' && notice('This app is disabled: none of its keys works.', 'warning')
}

const addressOf = (app: App) => `${ORGANIZATIONS}/${app.organization_id}/apps/${app.id}`

const MODE_TAG = { test: tag('Sandbox', 'warning'), live: tag('Live') } as const

function keyCard({ viewer, app }: AppPage, { id, attributes }: Key): Html {
  const { name, mode, client_type, redirect_uris, secrets, created_at } = attributes
  const at = `${addressOf(app)}/keys/${id}`
  const active = app.organization_state === 'active'
  const older = secrets.find(({ expires_at }) => expires_at !== null)
  const uris = redirect_uris.map((uri) => html`<code>${uri}</code>`)
  return card(
    html`<h3><bdi>${name}</bdi> ${MODE_TAG[mode]}</h3>`,
    facts([
      ['Client id', html`<code class="whole">${id}</code>`],
      [
        'Kind',
        client_type === 'public'
          ? 'Public: in a browser or on a device, without a secret'
          : 'Confidential: on a server, with a secret',
      ],
      [
        'Redirect URIs',
        uris.length === 0
          ? html`<span class="muted">None: no person can connect the app with this key</span>`
          : points(uris),
      ],
      ['Created', moment(created_at, Date.now())],
      ...secretFacts(secrets, older?.expires_at ?? null),
    ]),
    active &&
      html`<div class="acts">${client_type === 'confidential' && rotation(viewer, at, name)}${revocation(viewer, at, name)}</div>`,
  )
}

function secretFacts(
  secrets: Key['attributes']['secrets'],
  olderUntil: string | null,
): (readonly [string, HtmlValue])[] {
  const newest = secrets.at(-1)
  if (newest === undefined) return []
  const older =
    olderUntil !== null &&
    html`<span class="hint">The previous secret works until ${moment(olderUntil, Date.now())}.</span>`
  return [
    ['Secret', html`Created ${moment(newest.created_at, Date.now())}. It was shown once and is not stored.${older}`],
  ]
}

function rotation({ csrf }: Viewer, at: string, name: string): Html {
  return foldedAct({
    summary: 'Rotate the secret',
    action: `${at}/rotate`,
    csrf,
    content: html`<p class="hint">You get a new secret, shown once. The current one works for another 24 hours, so that you can replace it without an interruption.</p>`,
    label: `Rotate the secret of ${name}`,
  })
}

function revocation({ csrf }: Viewer, at: string, name: string): Html {
  return foldedAct({
    summary: 'Revoke this key',
    action: `${at}/revoke`,
    csrf,
    content: html`<p class="hint">A revoked key never works again. The key and every token that was obtained with it stop working at once.</p>`,
    label: `Revoke ${name}`,
  })
}

function keyForm({ viewer, app, keys, rejected }: AppPage): Html {
  const chosen = (name: string, value: string, otherwise: string) => typedIn(rejected, 'key', name, otherwise) === value
  const content = [
    field({
      name: 'name',
      label: 'Name',
      hint: 'For your team, such as “Server” or “Phone app”.',
      value: typedIn(rejected, 'key', 'name', keys.length === 0 ? 'Server' : ''),
      error: errorOf(rejected, 'key', 'name'),
      required: true,
      maxLength: NAME_CHARS_MAX,
    }),
    radios('World', [
      {
        name: 'mode',
        value: 'test',
        sentence: 'Sandbox',
        hint: 'Test data only. Begin here.',
        checked: chosen('mode', 'test', 'test'),
      },
      {
        name: 'mode',
        value: 'live',
        sentence: 'Live',
        hint: 'Real people and real money.',
        checked: chosen('mode', 'live', 'test'),
      },
    ]),
    radios('Where the program runs', [
      {
        name: 'client_type',
        value: 'confidential',
        sentence: 'On a server',
        hint: 'It can keep a secret.',
        checked: chosen('client_type', 'confidential', 'confidential'),
      },
      {
        name: 'client_type',
        value: 'public',
        sentence: 'In a browser or on a device',
        hint: 'It cannot keep a secret; it uses PKCE.',
        checked: chosen('client_type', 'public', 'confidential'),
      },
    ]),
    field({
      name: 'redirect_uris',
      label: 'Redirect URIs (optional)',
      hint: 'One per line: where people return after they connected the app, such as https://app.example.com/callback or http://localhost:3000/callback. A program that acts for no person needs none.',
      value: typedIn(rejected, 'key', 'redirect_uris'),
      error: errorOf(rejected, 'key', 'redirect_uris'),
      lines: 2,
    }),
    actions(button({ label: 'Create key' })),
  ]
  return card(html`<h2>Create a key</h2>`, form({ action: `${addressOf(app)}/keys`, csrf: viewer.csrf, content }))
}

/** An app that `whyUndeletable` protects cannot be deleted. If it is active, it can be disabled, through the portal's API. */
function deletion({ viewer, app, role, deletable, rejected }: AppPage): HtmlValue {
  if (role === 'developer' || app.organization_state !== 'active') return undefined
  if (!deletable) {
    return html`<p class="hint">This app is suspended, or it was approved, installed or used with live data. So it cannot be deleted. An active app can be disabled instead.</p>`
  }
  return foldedAct({
    summary: 'Delete this app',
    action: `${addressOf(app)}/delete`,
    csrf: viewer.csrf,
    open: rejected?.form === 'delete',
    content: [
      html`<p class="hint">Deletes the app for good, with its keys, its tokens and its connections in the sandbox. The history that your team sees stays.</p>`,
      field({
        name: 'confirmation',
        label: `Type the app’s name, ${app.name}`,
        value: typedIn(rejected, 'delete', 'confirmation'),
        error: errorOf(rejected, 'delete', 'confirmation'),
        autocomplete: 'off',
        required: true,
      }),
    ],
    label: `Delete ${app.name}`,
  })
}

type SecretPage = {
  readonly viewer: Viewer
  readonly app: App
  readonly key: Key
  readonly secret: string
  readonly origin: string
  /** True if the secret replaces an earlier one, which stays valid for 24 hours. */
  readonly rotated: boolean
}

/** The one page that shows a secret. The secret is not stored, so it cannot be shown a second time. */
export function secretPage({ viewer, app, key, secret, origin, rotated }: SecretPage): string {
  const { mode, name } = key.attributes
  const main = html`<div data-then="${addressOf(app)}"></div>${notice('Store the secret now, in your secret manager or your server’s environment. It is shown only once, and you cannot see it again after you leave this page.', 'warning')}
${card(
  facts([
    ['App', html`<bdi>${app.name}</bdi>`],
    ['Key', html`<bdi>${name}</bdi> ${MODE_TAG[mode]}`],
    ['Client id', html`<code class="whole" data-copied="client id">${key.id}</code>`],
    ['Client secret', html`<code class="whole" data-copied="client secret">${secret}</code>`],
  ]),
  rotated && html`<p>The previous secret works for another 24 hours.</p>`,
  html`<div class="stack"><h2>Try it</h2><p>This line asks for a token for the app itself:</p>
<pre class="line"><code data-copied="line">curl -u '${key.id}:${secret}' ${origin}/oauth/token -d grant_type=client_credentials</code></pre></div>`,
  actions(linkButton('I have stored it', addressOf(app), 'primary')),
)}`
  const title = rotated ? 'Your new secret' : 'Your new key'
  return settingsPage({ ...viewer, tab: 'organizations', title, main, script: shownOnceScript().address })
}
