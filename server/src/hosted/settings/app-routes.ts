import { Type } from 'typebox'
import { AppDeletionBody, appRecord, KeyParam, NewAppBody, NewKeyBody, showKey, showKeys } from '#access/apps/http.ts'
import {
  conditionsInForce,
  createApp,
  createKey,
  deleteApp,
  EDITORS,
  findApp,
  listKeys,
  type OnEnded,
  OVERLAP_SECONDS_DEFAULT,
  requireTeam,
  revokeKey,
  rotateSecret,
  type Seat,
} from '#access/apps/index.ts'
import { OrganizationParam } from '#access/organizations/http.ts'
import { membershipOf } from '#access/organizations/index.ts'
import { type Route, route } from '#http/route.ts'
import { exactly, idOf } from '#http/schema-fields.ts'
import { pagePolicy } from '#http/security-headers.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import { notFound } from '#kernel/errors.ts'
import type { ClientId, Id } from '#kernel/ids.ts'
import { away } from '#pages/hosted-page.ts'
import { type AppPage, appPage, newAppPage, secretPage } from './app-pages.ts'
import { ORGANIZATIONS, type OrganizationsDeps } from './organizations.ts'
import { attempt, FORM, FormResponses, formReader, formReturn, PAGE, Page, PROVEN_FORM } from './settings-form.ts'

export type OwnAppsDeps = OrganizationsDeps & {
  /** Our public address, for the curl command on the page that shows a new secret. */
  readonly origin: () => string
  /** Ends what other modules have for a deleted app, in the same transaction. */
  readonly onDeleted: readonly OnEnded[]
}

const APPS = `${ORGANIZATIONS}/:organization_id/apps`
const ONE = `${APPS}/:app_id`
const KEYS_SHOWN = 200

const AppOfOrganization = exactly({ organization_id: idOf('organization'), app_id: idOf('app') })
const KeyOfOrganization = exactly({ organization_id: idOf('organization'), ...KeyParam.properties })
const Text = Type.Optional(Type.String())

/** The responses of a form that shows a secret. */
const ShownOnce = { 200: Page, 303: Type.Null(), 403: Page, 409: Page, 422: Page }

/** The page's copy buttons need scripts. */
const SCRIPTED = { 'Content-Security-Policy': pagePolicy({ scripts: true }) }

const readApp = formReader(NewAppBody)
const readKey = formReader(NewKeyBody)
const readDeletion = formReader(AppDeletionBody)

type AppPlace = { readonly organization_id: Id<'organization'>; readonly app_id: Id<'app'> }
type Visit = { readonly caller: AccountCaller; readonly browser: { readonly csrf: string } }

/** Pages for the apps of an organization. Every form calls the same use case as the portal's API, with the same role checks. */
export const ownAppRoutes = (deps: OwnAppsDeps): Route[] => {
  const { platform } = deps.databases
  const viewerOf = ({ caller, browser }: Visit) => ({ brand: deps.brand, person: caller, csrf: browser.csrf })

  /** 404 for an app under the address of another organization, so that each app has only one address. */
  async function load(visit: Visit, { organization_id, app_id }: AppPlace, more: Partial<AppPage> = {}) {
    const seat: Seat = { account: visit.caller.accountId, app: app_id }
    const role = await requireTeam(platform.reads, seat, EDITORS)
    const app = await findApp(platform.reads, app_id)
    if (app === null || app.organization_id !== organization_id) throw notFound(`${organization_id} has no ${app_id}`)
    const keys = await showKeys(
      platform.reads,
      await listKeys(platform.reads, app_id, { after: '', limit: KEYS_SHOWN }),
    )
    const { deletable } = appRecord(app, { programs: [], inForce: app.conditions_version }).attributes
    return { viewer: viewerOf(visit), app, keys, role, deletable, done: null, rejected: null, ...more }
  }

  /** The page that shows a secret. No other response contains the secret. */
  async function shownSecret(visit: Visit, place: AppPlace, made: { id: ClientId; secret: string; rotated: boolean }) {
    const { app, viewer } = await load(visit, place)
    const key = await showKey(platform.reads, { app: app.id, key: made.id })
    return secretPage({ viewer, app, key, secret: made.secret, rotated: made.rotated, origin: deps.origin() })
  }

  return [
    route({
      ...PAGE,
      operation: 'showNewApp',
      method: 'GET',
      path: `${APPS}/new`,
      summary: 'Show the app creation page',
      description: 'Shows the form for a new app of an organization.',
      schema: { params: OrganizationParam, response: { 200: Page } },
      handler: async ({ caller, browser, params }) => {
        const organization = await membershipOf(platform.reads, {
          ...{ organization: params.organization_id, account: caller.accountId },
        })
        const conditionsVersion = await conditionsInForce(platform.reads)
        const viewer = viewerOf({ caller, browser })
        return { status: 200, body: newAppPage({ viewer, organization, conditionsVersion, rejected: null }) }
      },
    }),
    route({
      ...FORM,
      operation: 'createAppInBrowser',
      path: APPS,
      summary: 'Create an app in the browser',
      description: 'Creates an app of an organization.',
      schema: {
        params: OrganizationParam,
        body: Type.Object({
          ...{ name: Text, description: Text, website_url: Text, accepted_conditions: Text },
          scopes: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
        }),
        response: FormResponses,
      },
      handler: async ({ caller, browser, params: { organization_id }, body }) => {
        const place = { organization: organization_id, account: caller.accountId }
        const { done, rejected } = await attempt({
          ...{ form: 'app', typed: body, labels: APP_LABELS },
          work: async () => {
            const typed = { ...body, scopes: [body.scopes ?? []].flat(), organization_id }
            const { organization_id: _, ...app } = readApp(typed)
            return platform.transaction((tx) => createApp(tx, place, { ...app, brand: deps.platformNames }))
          },
        })
        if (rejected === null) return away(`${ORGANIZATIONS}/${organization_id}/apps/${done}?done=created`)
        const organization = await membershipOf(platform.reads, place)
        const conditionsVersion = await conditionsInForce(platform.reads)
        const page = newAppPage({ viewer: viewerOf({ caller, browser }), organization, conditionsVersion, rejected })
        return { status: rejected.status, body: page }
      },
    }),
    route({
      ...PAGE,
      operation: 'showOwnApp',
      method: 'GET',
      path: ONE,
      summary: 'Show your app',
      description: 'Shows the page of an app with its keys.',
      schema: { params: AppOfOrganization, query: Type.Object({ done: Text }), response: { 200: Page } },
      handler: async ({ caller, browser, params, query }) => {
        return { status: 200, body: appPage(await load({ caller, browser }, params, { done: query.done ?? null })) }
      },
    }),
    route({
      ...PROVEN_FORM,
      operation: 'createAppKeyInBrowser',
      path: `${ONE}/keys`,
      summary: 'Create a key in the browser',
      description: 'Creates a key of an app. If the key is confidential, the response shows its secret, once.',
      schema: {
        params: AppOfOrganization,
        body: Type.Object({ name: Text, mode: Text, client_type: Text, redirect_uris: Text }),
        response: ShownOnce,
      },
      handler: async ({ caller, browser, params, body }) => {
        await load({ caller, browser }, params)
        const { done, rejected } = await attempt({
          ...{ form: 'key', typed: body, labels: KEY_LABELS },
          work: () => {
            const { mode: world, ...key } = readKey({ ...body, redirect_uris: linesOf(body.redirect_uris) })
            const seat = { account: caller.accountId, app: params.app_id }
            return platform.transaction((tx) => createKey(tx, seat, { redirect_uris: [], ...key, world }))
          },
        })
        if (rejected !== null) {
          return { status: rejected.status, body: appPage(await load({ caller, browser }, params, { rejected })) }
        }
        const { id, secret } = done
        if (secret === null) return away(`${ORGANIZATIONS}/${params.organization_id}/apps/${params.app_id}?done=key`)
        const made = { id, secret, rotated: false }
        return { status: 200, body: await shownSecret({ caller, browser }, params, made), headers: SCRIPTED }
      },
    }),
    route({
      ...PROVEN_FORM,
      operation: 'rotateSecretInBrowser',
      path: `${ONE}/keys/:key_id/rotate`,
      summary: 'Rotate a secret in the browser',
      description:
        'Gives a key a new secret, which the response shows once. The previous secret works for another 24 hours.',
      schema: { params: KeyOfOrganization, response: ShownOnce },
      handler: async ({ caller, browser, params }) => {
        await load({ caller, browser }, params)
        const place = { account: caller.accountId, app: params.app_id, key: params.key_id }
        const { done, rejected } = await attempt({
          ...{ form: 'rotate', typed: {}, labels: {} },
          work: () => platform.transaction((tx) => rotateSecret(tx, place, OVERLAP_SECONDS_DEFAULT)),
        })
        if (rejected !== null || done.secret === null) {
          const status = rejected?.status ?? 409
          return { status, body: appPage(await load({ caller, browser }, params, { rejected })) }
        }
        const made = { id: done.id, secret: done.secret, rotated: true }
        return { status: 200, body: await shownSecret({ caller, browser }, params, made), headers: SCRIPTED }
      },
    }),
    route({
      ...FORM,
      operation: 'revokeKeyInBrowser',
      path: `${ONE}/keys/:key_id/revoke`,
      summary: 'Revoke a key in the browser',
      description: 'Revokes a key for good, together with every token that was obtained with it.',
      schema: { params: KeyOfOrganization, response: FormResponses },
      handler: async ({ caller, browser, params }) => {
        await load({ caller, browser }, params)
        const place = { account: caller.accountId, app: params.app_id, key: params.key_id }
        const { rejected } = await attempt({
          ...{ form: 'revoke', typed: {}, labels: {} },
          work: () => platform.transaction((tx) => revokeKey(tx, place)),
        })
        if (rejected === null) {
          return away(`${ORGANIZATIONS}/${params.organization_id}/apps/${params.app_id}?done=revoked`)
        }
        return { status: rejected.status, body: appPage(await load({ caller, browser }, params, { rejected })) }
      },
    }),
    route({
      ...PROVEN_FORM,
      operation: 'deleteAppInBrowser',
      path: `${ONE}/delete`,
      summary: 'Delete an app in the browser',
      description:
        'Deletes an app that was never approved, installed or used with live data, and is not suspended. To confirm, the form contains the app’s name.',
      schema: { params: AppOfOrganization, body: Type.Object({ confirmation: Text }), response: FormResponses },
      handler: async ({ caller, browser, params, body, requestId: cause }) => {
        await load({ caller, browser }, params)
        const { rejected } = await attempt({
          // The use case calls the field `name`. Another form of the page has a field of that name, so this form calls it
          // `confirmation`.
          ...{ form: 'delete', typed: body, labels: { name: 'The name you typed' } },
          work: () => {
            const { name } = readDeletion({ name: body.confirmation })
            const seat = { account: caller.accountId, app: params.app_id }
            return platform.transaction((tx) => deleteApp(tx, seat, { name, cause, onDeleted: deps.onDeleted }))
          },
        })
        if (rejected === null) return away(`${ORGANIZATIONS}/${params.organization_id}?done=app_deleted`)
        const mistakes = rejected.mistakes.map((one) => (one.field === 'name' ? MISTYPED : one))
        const page = await load({ caller, browser }, params, { rejected: { ...rejected, mistakes } })
        return { status: rejected.status, body: appPage(page) }
      },
    }),
    formReturn({ operation: 'returnToKeys', path: `${ONE}/keys`, to: parentOf(1) }),
    formReturn({ operation: 'returnToRotation', path: `${ONE}/keys/:key_id/rotate`, to: parentOf(3) }),
    formReturn({ operation: 'returnToAppDeletion', path: `${ONE}/delete`, to: parentOf(1) }),
  ]
}

/** Returns a function that removes this many segments from the end of a path. */
const parentOf = (steps: number) => (path: string) => path.split('/').slice(0, -steps).join('/')

const MISTYPED = { field: 'confirmation', message: 'What you typed is not the name of the app.' }

const APP_LABELS = {
  name: 'Name',
  description: 'Description',
  website_url: 'Website',
  accepted_conditions: 'Accepting the usage conditions',
}

const KEY_LABELS = {
  name: 'Name',
  mode: 'World',
  client_type: 'Where the program runs',
  redirect_uris: 'A redirect URI',
}

function linesOf(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
