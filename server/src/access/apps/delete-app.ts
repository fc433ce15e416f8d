import { recordAudit } from '#access/audit/index.ts'
import {
  listTeamAddresses,
  lockOrganization,
  markEnded,
  type Organization,
  rejectEnded,
} from '#access/organizations/index.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { type Letter, queueMail } from '#mail/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import type { App } from './app.ts'
import { ADMINS, lockLiveApp, requireTeam, type Seat } from './lock-app.ts'
import { endKeys, lockAppsOf } from './state-store.ts'
import { markDeleted } from './store.ts'

/**
 * "An app that was approved, issued a live token or was installed cannot be deleted, only disabled." A consent in the test world
 * does not count as an installation here. A suspended app cannot be deleted either: deleting it would evade the suspension.
 */
export function whyUndeletable(app: App): readonly string[] {
  return [
    app.first_approved_at !== null && 'was approved',
    app.first_live_token_at !== null && 'has issued a live token',
    app.first_installed_at !== null && 'was installed',
    app.suspended_at !== null && 'is suspended',
  ].filter((reason) => reason !== false)
}

function rejectDeleting(app: App): void {
  const reasons = whyUndeletable(app)
  if (reasons.length === 0) return
  throw new ApiError('illegal_transition', {
    public: `This app ${reasons.join(' and ')}: it cannot be deleted.`,
    remediation:
      app.state === 'active'
        ? 'Disable it instead: all its tokens stop for good, and it can be enabled again.'
        : 'You do not need to do anything: its credentials are already rejected.',
    details: { from: app.state, event: 'delete', allowed: app.state === 'active' ? ['disable'] : [] },
  })
}

function rejectAnotherName(app: App, name: string): void {
  if (name === app.name) return
  const message = 'is not the name of the app'
  throw new ApiError('validation_error', {
    public: 'The name does not match the name of the app. Nothing was deleted.',
    remediation: 'Send the app’s name exactly as it is shown, as `name` in the body.',
    details: { fields: [{ field: 'name', code: 'mismatch', message }] },
  })
}

export type Deleting = {
  /** The app's name, which the person types to confirm. */
  readonly name: string
  /** The id of the request that deletes the app. */
  readonly cause: string
  /** Ends everything else of the app in the same transaction. */
  readonly onDeleted: readonly OnEnded[]
}

/**
 * Locks the app, so that a token request waits and then finds ended keys. Connections of the test world are revoked as usual. The history
 * and the removal duties stay. The app's row stays too, because the history and the duties refer to it.
 */
export async function deleteApp(tx: PlatformTx, seat: Seat, { name, cause, onDeleted }: Deleting): Promise<void> {
  await requireTeam(tx, seat, ADMINS)
  const app = await lockLiveApp(tx, seat.app, 'delete')
  rejectDeleting(app)
  rejectAnotherName(app, name)
  for (const end of onDeleted) await end(tx, { apps: [app.id], cause })
  await endKeys(tx, [app.id])
  await markDeleted(tx, app.id)
  const details = { organization: app.organization_id, name: app.name }
  await recordAudit(tx, { actor: seat.account, action: 'app.deleted', subject: app.id, details })
}

type Ended = {
  /** The apps, which the transaction has locked. */
  readonly apps: readonly Id<'app'>[]
  /** The id of the request that ends the apps. */
  readonly cause: string
}

/**
 * Ends the rows of these apps in another module, in the same transaction. `main` passes these functions, because that module depends on
 * this one.
 */
export type OnEnded = (tx: PlatformTx, ended: Ended) => Promise<void>

type EndingFacts = { readonly apps: number; readonly reason: string }

type Ending = { readonly organization: Id<'organization'>; readonly actor: string; readonly reason: string }

/**
 * "Repeated or deliberate violations can end the organization's access." Final: no key of any of its apps ever works again. Lock order: the
 * organization, then its apps. Returns the apps, because other modules end their own rows of these apps.
 */
export async function endOrganization(
  tx: PlatformTx,
  { organization: id, actor, reason }: Ending,
): Promise<readonly Id<'app'>[]> {
  const organization = await lockOrganization(tx, id)
  if (organization === null) throw notFound(`organization ${id} is unknown`)
  rejectEnded(organization, 'end')
  const apps = await lockAppsOf(tx, id)
  await markEnded(tx, id)
  await endKeys(tx, apps)
  await recordAudit(tx, { actor, action: 'organization.ended', subject: id, details: { reason, apps: apps.length } })
  for (const app of apps) {
    await recordAudit(tx, { actor, action: 'app.ended', subject: app, details: { organization: id, reason } })
  }
  await mailEnding(tx, organization, { apps: apps.length, reason })
  return apps
}

/** Queues a mail to every current member of the team, in the same transaction. */
async function mailEnding(tx: PlatformTx, { id, name }: Organization, { apps, reason }: EndingFacts): Promise<void> {
  const letter: Letter = {
    subject: `${name}: the organization’s access was ended`,
    paragraphs: [
      'The operator of the platform ended the access of this organization, for good. No key or token of its apps works any more, and all installations of its apps are revoked.',
      'What the apps received about people has to be deleted as the usage conditions say. Your own account stays as it is.',
    ],
    quote: { from: 'The operator’s reason', text: reason },
    facts: [
      ['Organization', name],
      ['Apps', String(apps)],
    ],
    notes: ['You get this because you are on the team of this organization.'],
  }
  for (const { account_id, email } of await listTeamAddresses(tx, id)) {
    await queueMail(tx, { key: `organization_ended ${id} ${account_id}`, to: email, letter })
  }
}
