import { type AppDescription, type Client, describeApp, lockClient, noteInstalledIn } from '#access/apps/index.ts'
import { lockUser } from '#access/people/index.ts'
import { declaredIn } from '#access/scopes/index.ts'
import { ApiError, notFound, validationError } from '#kernel/errors.ts'
import type { ClientId, Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { grantOffer, type InstallerTier, piiBy, resolveTier, type Withheld } from './grant-rules.ts'
import type { Installation } from './installation.ts'
import { type ChangeContext, type Creating, createInstallation } from './lifecycle.ts'
import { findInstallations } from './store.ts'
import {
  activeOn,
  findInstallableTarget,
  type InstallableTarget,
  type InstallTarget,
  installableTargetsOf,
  isKnown,
  isOnTeam,
} from './target-store.ts'

export type Installing = {
  /** The app's key that sent the request. */
  readonly keyId: ClientId
  readonly appId: Id<'app'>
  readonly userId: Id<'user'>
  readonly target: InstallTarget
  /** Null for all scopes that the app declares. */
  readonly scopes: readonly string[] | null
  /** Null for the user's own role at the target. */
  readonly tier: InstallerTier | null
}

export type Installed = {
  readonly installation: Installation
  /** The app's key, which this transaction has locked, so that a token can be issued with it. */
  readonly client: Client
  /** Includes read:public if it was requested, although the installation does not store it. */
  readonly granted: readonly string[]
}

/**
 * Installs an app on a company or a syndicate. Locks the user, then the app. So until the installation is committed, no company
 * role of the user ends, and no scope, approval or key of the app is removed.
 */
export async function installApp(tx: Tx, installing: Installing, context: ChangeContext): Promise<Installed> {
  const { keyId, appId, userId, target } = installing
  const { deactivated } = await lockUser(tx, 'user', userId)
  if (deactivated) throw new ApiError('invalid_token', { public: 'This user was deactivated.' })
  await noteInstalledIn(tx, appId)
  const client = await lockClient(tx, keyId)
  rejectInactive(client)
  const installableTarget = await requireInstallable(tx, userId, target)
  const onTeam = await requireInstaller(tx, userId, appId)
  const there = (await activeOn(tx, appId, [target])).get(target.id)
  if (there !== undefined) throw alreadyInstalled(there)
  const tier = requireTier(installableTarget, installing.tier)
  const { granted, withheld } = grantOffer({
    ...{
      declared: declaredIn(client.apiVersion, client.scopes),
      requested: installing.scopes,
      tier,
      targetType: target.type,
    },
    ...{ onTeam, piiApproved: client.piiApproved },
  })
  // An empty list is allowed: the installation then has no scope.
  if (granted.length === 0 && installing.scopes?.length !== 0) throw nothingGrantable(withheld)
  const grant = { scopes: granted, byDefault: false, piiBy: piiBy(granted, { target: target.type, onTeam }) }
  const installation = await place(tx, { appId, target, tier, ...grant, installedByUserId: userId }, context)
  return { installation, client, granted }
}

/** `forbidden` for a target that the user may see but not install on, `not_found` for any other. */
async function requireInstallable(tx: Tx, user: Id<'user'>, target: InstallTarget): Promise<InstallableTarget> {
  const installableTarget = await findInstallableTarget(tx, user, target)
  if (installableTarget !== null) return installableTarget
  throw (await isKnown(tx, user, target)) ? notYourTarget(target) : notFound(`${target.id} is not known to ${user}`)
}

/** Returns whether the user is on the app's team. */
async function requireInstaller(tx: Tx, user: Id<'user'>, app: Id<'app'>): Promise<boolean> {
  const { may, onTeam } = await findInstaller(tx, user, app)
  if (!may) throw notApproved()
  return onTeam
}

function requireTier(installableTarget: InstallableTarget, requested: InstallerTier | null): InstallerTier {
  const resolved = resolveTier(installableTarget.tier, requested)
  if (resolved.ok) return resolved.tier
  throw resolved.why === 'too_high' ? tierTooHigh(installableTarget.tier) : tierOfAnotherTarget(installableTarget)
}

/** "founder (company admin), manager (syndicate manager)": the role recorded for an installer, even if they are on the app's team too. */
const ROLE: Readonly<Record<InstallTarget['type'], string>> = { company: 'founder', syndicate: 'manager' }

type Placing = Omit<Creating, 'target' | 'installedByRole'> & { readonly target: InstallTarget }

/** If two installs run at once, the second gets `already_installed`, or retries if the first installation was revoked meanwhile. */
async function place(tx: Tx, placing: Placing, context: ChangeContext): Promise<Installation> {
  const { appId, target } = placing
  const made = await createInstallation(tx, { ...placing, installedByRole: ROLE[target.type] }, context)
  if (made !== null) return made
  const there = (await activeOn(tx, appId, [target])).get(target.id)
  if (there !== undefined) throw alreadyInstalled(there)
  return place(tx, placing, context)
}

/** "A violating app is suspended (credentials stop being accepted, cannot be installed)." */
function rejectInactive(client: Client | null): asserts client is Client {
  if (client?.state === 'active') return
  if (client?.state === 'suspended') {
    throw new ApiError('app_suspended', {
      public: 'The platform suspended this app, so it cannot be installed.',
      remediation: 'Only the platform lifts a suspension. The app’s team can ask the platform for the reason.',
    })
  }
  throw new ApiError('forbidden', {
    public: 'This app is not in use, so it cannot be installed.',
    remediation: 'Ask its developers whether they disabled it or revoked this key.',
  })
}

function notYourTarget({ type }: InstallTarget): ApiError {
  return type === 'company'
    ? new ApiError('forbidden', {
        public: 'You cannot install apps on this company.',
        remediation: 'Ask a founder, admin or editor of the company to install the app.',
      })
    : new ApiError('forbidden', {
        public: 'You cannot install apps on this syndicate.',
        remediation: 'Ask one of its managers to install the app.',
      })
}

function notApproved(): ApiError {
  return new ApiError('forbidden', {
    public: 'The platform has not approved this app, so only its own team can install it.',
    remediation: 'Ask the app’s team to request approval. Until then, only people on the team can install the app.',
  })
}

function alreadyInstalled(installation: Id<'installation'>): ApiError {
  return new ApiError('already_installed', {
    public: 'The app is installed there already.',
    remediation: 'Mint a token of that installation (POST /installations/{id}/tokens), or revoke it and install again.',
    details: { installation },
  })
}

function tierTooHigh(installableTarget: string): ApiError {
  return new ApiError('forbidden', {
    public: `Your role there is ${installableTarget}, and an app cannot be installed with a higher one.`,
    remediation: 'Leave tier out to install with your own role.',
  })
}

function tierOfAnotherTarget({ type }: InstallTarget): ApiError {
  const message = type === 'company' ? 'must be founder, admin or editor on a company' : 'is always manager there'
  return validationError([{ field: 'tier', code: 'not_of_target', message }])
}

const REASONS: Readonly<Record<Withheld['why'], string>> = {
  unknown: 'is not a scope',
  not_declared: 'is not declared by the app',
  retired: 'is retired, and the app does not declare it',
  not_for_installations: 'is never held by an installation',
  editor_no_writes: 'cannot be granted by an editor',
  founder_only: 'needs an installation of founder tier',
  must_be_listed: 'is granted only if the request lists it',
  pii_not_approved: 'needs the app’s own team or the platform’s approval',
}

const EXPLAINED_MAX = 3

/** The error if no scope can be granted: none of the requested scopes or, if the request lists no scopes, none of the declared ones. */
function nothingGrantable(withheld: readonly Withheld[]): ApiError {
  const reasons = withheld.slice(0, EXPLAINED_MAX).map(({ scope, why }) => `${scope} ${REASONS[why]}`)
  const rest = withheld.length > EXPLAINED_MAX ? [`and ${withheld.length - EXPLAINED_MAX} more`] : []
  const why = reasons.length === 0 ? 'The app declares no scope.' : `${[...reasons, ...rest].join(', ')}.`
  return new ApiError('nothing_grantable', {
    public: `None of these scopes can be granted: ${why}`,
    remediation:
      'Request scopes that the app declares and the installer may grant, or send an empty list to grant none.',
    details: { scopes: withheld.map(({ scope }) => scope) },
  })
}

/** "Installing outside the app's own organization needs an approved app." */
export function mayInstall(app: Pick<AppDescription, 'approved'>, onTeam: boolean): boolean {
  return onTeam || app.approved
}

type Installer = {
  readonly onTeam: boolean
  /** Whether the person may install this app on any target; the target itself is checked separately. */
  readonly may: boolean
}

async function findInstaller(queries: WorldQueries, user: Id<'user'>, app: Id<'app'>): Promise<Installer> {
  const onTeam = await isOnTeam(queries, user, app)
  const described = await describeApp(queries, app)
  return { onTeam, may: described !== null && mayInstall(described, onTeam) }
}

/** A target on which the user may install an app, and the app's installation on it, if any. */
export type EligibleTarget = InstallableTarget & { readonly installation: Installation | null }

/** Sorted by name, companies before syndicates. Empty for a user who may not install this app. */
export async function eligibleTargets(
  queries: WorldQueries,
  user: Id<'user'>,
  app: Id<'app'>,
): Promise<readonly EligibleTarget[]> {
  if (!(await findInstaller(queries, user, app)).may) return []
  const installable = await installableTargetsOf(queries, user)
  const active = await activeOn(queries, app, installable)
  const found = await findInstallations(queries, [...active.values()])
  const byTarget = new Map<string, Installation>(found.map((installation) => [installation.target.id, installation]))
  return installable.map((installableTarget) => ({
    ...installableTarget,
    installation: byTarget.get(installableTarget.id) ?? null,
  }))
}
