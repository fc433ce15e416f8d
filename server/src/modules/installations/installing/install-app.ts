import type { ClientId } from '#kernel/client-id.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { transition } from '#kernel/state-machine.ts'
import { type Client, describeApp, lockClient, noteInstalledIn } from '#modules/apps/index.ts'
import { lockUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Because } from '../because.ts'
import type { Installation, Tier } from '../installation.ts'
import { installationEvent } from '../installation-event.ts'
import { INSTALLATION_MACHINE } from '../installation-states.ts'
import { inWorld } from '../reach.ts'
import { findInstallations } from '../store.ts'
import { type GrantOffer, grantOffer } from './grant-offer.ts'
import { activeOn, type Placement, placeInstallation } from './placing-store.ts'
import {
  alreadyInstalled,
  notApproved,
  nothingGrantable,
  notYourTarget,
  refuseInactive,
  tierOfAnotherTarget,
  tierTooHigh,
} from './refusals.ts'
import { findStanding, type InstallTarget, isKnown, isOnTeam, type Standing } from './standing-store.ts'
import { askedTier, type InstallerTier } from './tier-asked.ts'

export type Installing = {
  /** The key through which it is done. */
  readonly keyId: ClientId
  readonly appId: Id<'app'>
  readonly userId: Id<'user'>
  readonly target: InstallTarget
  /** Null: everything the app declares. */
  readonly scopes: readonly string[] | null
  /** Null: as what the user is there. */
  readonly tier: Tier | null
}

export type Installed = {
  readonly installation: Installation
  /** As locked by this transaction, for minting a token. */
  readonly client: Client
  readonly withheld: GrantOffer['withheld']
}

/**
 * Places an app on a company or a syndicate. Locks the user, then the app: with both held no role of theirs at a
 * company ends and no scope, approval or key is taken away until what rests on them is committed.
 */
export async function installApp(tx: Tx, installing: Installing, because: Because): Promise<Installed> {
  const { keyId, appId, userId, target } = installing
  const { deactivated } = await lockUser(tx, 'user', userId)
  if (deactivated) throw new ApiError('invalid_token', { public: 'This user was deactivated.' })
  await noteInstalledIn(tx, appId)
  const client = await lockClient(tx, keyId)
  refuseInactive(client)
  const standing = await requireStanding(tx, userId, target)
  const onTeam = await requireTeamOrApproval(tx, userId, appId)
  const there = (await activeOn(tx, appId, [target])).get(target.id)
  if (there !== undefined) throw alreadyInstalled(there)
  const tier = requireTier(standing, installing.tier)
  const { granted, withheld } = grantOffer({
    ...{ declared: client.scopes, requested: installing.scopes, tier, targetType: target.type },
    ...{ onTeam, piiApproved: client.piiApproved },
  })
  if (granted.length === 0) throw nothingGrantable(withheld)
  const installation = await create(tx, { appId, target, tier, scopes: granted, installedByUserId: userId }, because)
  return { installation, client, withheld }
}

/** What they may know of but not install on is `forbidden`; everything else is as unknown as what never was. */
async function requireStanding(tx: Tx, user: Id<'user'>, target: InstallTarget): Promise<Standing> {
  const standing = await findStanding(tx, user, target)
  if (standing !== null) return standing
  throw (await isKnown(tx, user, target)) ? notYourTarget(target) : notFound(`${target.id} is not known to ${user}`)
}

/** "Installing outside the app's own organization needs an approved app." Whether it is inside. */
async function requireTeamOrApproval(tx: Tx, user: Id<'user'>, app: Id<'app'>): Promise<boolean> {
  const onTeam = await isOnTeam(tx, user, app)
  const described = await describeApp(tx, app)
  if (!onTeam && described?.approved !== true) throw notApproved()
  return onTeam
}

function requireTier(standing: Standing, asked: Tier | null): InstallerTier {
  const judged = askedTier(standing.tier, asked)
  if (judged.ok) return judged.tier
  throw judged.why === 'too_high' ? tierTooHigh(standing.tier) : tierOfAnotherTarget(standing)
}

type New = Omit<Placement, 'id' | 'state' | 'installedByRole'>

/** "founder (company admin), manager (syndicate manager)": a side of the target, also for who is on the app's team. */
const ROLE: Readonly<Record<InstallTarget['type'], string>> = { company: 'founder', syndicate: 'manager' }

async function create(tx: Tx, made: New, because: Because): Promise<Installation> {
  const { to: state, events } = transition(INSTALLATION_MACHINE, { from: 'none', move: 'create' })
  const id = newId('installation')
  await placeOrRefuse(tx, { ...made, id, state, installedByRole: ROLE[made.target.type] })
  const [installation] = await findInstallations(tx, [id])
  if (installation === undefined) throw new Error('an installation just made cannot be found')
  const told = events.map((name) => installationEvent(name, installation))
  await inWorld(tx).append(told, because)
  return installation
}

/** Who comes second hears of the first; unless that was revoked in this very moment, which makes room again. */
async function placeOrRefuse(tx: Tx, placement: Placement): Promise<void> {
  if (await placeInstallation(tx, placement)) return
  const { appId, target } = placement
  const there = (await activeOn(tx, appId, [target])).get(target.id)
  if (there !== undefined) throw alreadyInstalled(there)
  await placeOrRefuse(tx, placement)
}
