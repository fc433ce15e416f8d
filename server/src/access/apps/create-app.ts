import { recordAudit } from '#access/audit/index.ts'
import { lockAsMember, type Naming, type Place, rejectPlatformName } from '#access/organizations/index.ts'
import { inCatalogueOrder, rejectUnselectable } from '#access/scopes/index.ts'
import { NEWEST } from '#http/versions.ts'
import { ApiError, type FieldError, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { rejectOtherConditions } from './app.ts'
import { acceptVersion, conditionsInForce } from './conditions-store.ts'
import { EDITORS, lockLiveApp, requireTeam, type Seat } from './lock-app.ts'
import { type AppTexts, countApps, insertApp } from './store.ts'

/** The maximum per organization. Disabled apps do not count. */
const APPS_MAX = 100

export type NewApp = Pick<AppTexts, 'name'> &
  Partial<AppTexts> &
  Naming & {
    readonly scopes?: readonly string[]
    /** The version of the usage conditions that the creator of the app has read and accepts. */
    readonly accepted_conditions: string
  }

/**
 * Any member may create an app. The app records that this member accepted the usage conditions: "acceptance is recorded at app creation".
 * The new app is active, has no keys, and is pinned to the newest API version.
 */
export async function createApp(tx: PlatformTx, place: Place, app: NewApp): Promise<Id<'app'>> {
  await lockAsMember(tx, place, { event: 'create_app' })
  const conditions = await conditionsInForce(tx)
  rejectOtherConditions(app.accepted_conditions, conditions)
  rejectPlatformName(app, app.name)
  rejectUrls(app)
  const scopes = app.scopes ?? []
  rejectUnselectable(scopes)
  await requireRoom(tx, place.organization)
  const { name, description = null, website_url = null, setup_url = null } = app
  const id = newId('app')
  await insertApp(tx, {
    ...{ id, organization_id: place.organization, api_version: NEWEST, scopes: inCatalogueOrder(scopes) },
    ...{ name, description, website_url, setup_url },
    ...{ conditions_version: conditions, conditions_accepted_by: place.account },
  })
  const details = { organization: place.organization, name, scopes, conditions }
  await recordAudit(tx, { actor: place.account, action: 'app.created', subject: id, details })
  return id
}

/**
 * Any member may accept a newer version for an app that exists, as any member may create an app. The earlier acceptance stays
 * on record. An app that has not accepted the version in force keeps its access.
 */
export async function acceptConditions(tx: PlatformTx, seat: Seat, accepted: string): Promise<void> {
  await requireTeam(tx, seat, EDITORS)
  const app = await lockLiveApp(tx, seat.app, 'accept_conditions')
  const version = await conditionsInForce(tx)
  rejectOtherConditions(accepted, version)
  if (app.conditions_version === version) return
  await acceptVersion(tx, { app: app.id, version, account: seat.account })
  const details = { version, replaces: app.conditions_version }
  await recordAudit(tx, { actor: seat.account, action: 'app.conditions_accepted', subject: app.id, details })
}

/**
 * Rejects an app beyond the maximum. The caller has locked the organization, because otherwise two concurrent requests could both be below
 * the maximum.
 */
export async function requireRoom(tx: PlatformTx, organization: Id<'organization'>): Promise<void> {
  if ((await countApps(tx, organization)) < APPS_MAX) return
  throw new ApiError('forbidden', {
    public: `This organization has ${APPS_MAX} apps, which is as many as it can have.`,
    remediation: 'Disable an app that is not in use, or delete one that was never used. Disabled apps do not count.',
  })
}

type Urls = Partial<Pick<AppTexts, 'website_url' | 'setup_url'>>

/** Visible ASCII, without characters that end an HTML attribute or an address. The sender percent-encodes everything else. */
const PLAIN = /^[!#-;=?-[\]_a-z~]+$/
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * Pages link to the website and send people to the setup URL, so both must be web addresses. The website may be http. The setup URL
 * gets an installation's id, so it must be https, or http on the developer's own machine.
 */
const RULES: { readonly [Field in keyof Urls]-?: (url: URL) => string | null } = {
  website_url: ({ protocol }) =>
    ['https:', 'http:'].includes(protocol) ? null : 'must begin with https:// or http://',
  setup_url: ({ protocol, hostname, hash, href }) => {
    if (hash !== '' || href.endsWith('#')) return 'must not have a fragment'
    if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.has(hostname))) return null
    return 'must begin with https:// unless it is loopback'
  },
}

export function rejectUrls(urls: Urls): void {
  const problems = (Object.keys(RULES) as (keyof Urls)[]).flatMap((field): FieldError[] => {
    const text = urls[field]
    const message = text === undefined || text === null ? null : problemOf(text, RULES[field])
    return message === null ? [] : [{ field, code: 'invalid_format', message }]
  })
  if (problems.length > 0) throw validationError(problems)
}

function problemOf(text: string, rule: (url: URL) => string | null): string | null {
  const url = /^https?:\/\/[^/]/.test(text) && PLAIN.test(text) ? URL.parse(text) : null
  if (url === null) return 'must be an absolute URL in plain ASCII'
  if (url.username !== '' || url.password !== '') return 'must not name a user or password'
  return rule(url)
}
