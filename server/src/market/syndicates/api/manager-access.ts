import type { Occasion } from '#events/index.ts'
import { heldBy, type TokenAccess } from '#http/access.ts'
import type { InstallationCaller, Scope, UserCaller } from '#kernel/caller.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { worldNow } from '#system/postgres/world-clock.ts'
import type { InvitationMails } from '../invitation-mail.ts'
import type { MovedMembership } from '../membership-moves.ts'
import { installedOn, userHere } from './store.ts'

export type SyndicateCaller = UserCaller | InstallationCaller

/** The caller's rank in a syndicate, highest first. An app that is installed on the syndicate is always an operator. */
export type ManagerRank = 'creator' | 'full_access' | 'operator'

export type Manager = {
  readonly syndicateId: Id<'syndicate'>
  readonly rank: ManagerRank
  /** The person whom events name as inviter or approver; null if the syndicate has no manager left. */
  readonly actor: Id<'user'> | null
}

/**
 * Accepts user tokens and installation tokens with one of these scopes. `managerOf` then checks that the person manages the
 * syndicate, or that the app is installed on it.
 */
export function forManagers(...anyScope: Scope[]): TokenAccess<SyndicateCaller['kind']> {
  return heldBy(['user', 'installation'], ...anyScope)
}

/**
 * "read:syndicates: syndicates the user manages." A person who does not run the syndicate gets 404, or 403 if they may
 * know of it: the syndicate is published, they created it, they have a membership in any state, or they were invited.
 * An installation token of a user's own connection is never accepted. It gets 403 if the user manages the syndicate or
 * may know of it, and 404 otherwise.
 */
export async function managerOf(
  queries: WorldQueries,
  caller: SyndicateCaller,
  syndicateId: Id<'syndicate'>,
): Promise<Manager> {
  const on = caller.kind === 'user' ? null : await installedOn(queries, caller.installationId)
  if (on?.syndicate_id === syndicateId) return { syndicateId, rank: 'operator', actor: on.actor }
  const relation = await userHere(queries, syndicateId, caller.kind === 'user' ? caller.userId : (on?.user_id ?? null))
  if (relation === null) throw notFound()
  const { permission, created, published, involved } = relation
  const mayKnow = published || involved || created || permission !== null
  if (permission !== null && caller.kind === 'user') {
    return { syndicateId, rank: created ? 'creator' : permission, actor: caller.userId }
  }
  throw mayKnow ? notAManager(caller) : notFound()
}

/** For listing syndicates: the user whose syndicates are listed, or the one syndicate of the installation. */
export async function bearerOf(
  queries: WorldQueries,
  caller: SyndicateCaller,
): Promise<{ readonly userId: Id<'user'> } | { readonly syndicateId: Id<'syndicate'> }> {
  if (caller.kind === 'user') return { userId: caller.userId }
  const { syndicate_id: syndicateId, target_type } = await installedOn(queries, caller.installationId)
  if (syndicateId !== null) return { syndicateId }
  if (target_type === 'syndicate') {
    throw new ApiError('forbidden', {
      public: 'The syndicate of this token’s installation was deleted.',
      remediation: 'Use a token of the app’s installation on another syndicate, or of a manager.',
    })
  }
  throw new ApiError('forbidden', {
    public: `This token is bound to a ${target_type}.`,
    remediation: 'Use a token of the app’s installation on a syndicate, or of a manager.',
  })
}

/** Rejects a manager without one of these ranks. "Only the creator may grant full_access." */
export function requireRank({ rank }: Manager, ...allowed: readonly ManagerRank[]): void {
  if (allowed.includes(rank)) return
  const who = allowed.includes('full_access') ? 'managers with full access' : 'the creator of the syndicate'
  throw new ApiError('forbidden', {
    public: `Only ${who} may do this; the caller is ${rank === 'operator' ? 'an operator' : 'another manager'}.`,
    remediation: 'Use a token of a manager with this permission. An app on the syndicate acts as an operator.',
  })
}

export function requireActor({ actor }: Manager): Id<'user'> {
  if (actor !== null) return actor
  throw new ApiError('forbidden', {
    public: 'This syndicate has no manager, so the app cannot act for one.',
    remediation: 'Ask the host platform to make a person manager of the syndicate.',
  })
}

function notAManager({ kind }: SyndicateCaller): ApiError {
  return new ApiError('forbidden', {
    public:
      kind === 'user' ? 'The user does not run this syndicate.' : 'This token’s installation is not on this syndicate.',
    remediation: 'Use a token of a manager of the syndicate, or of the app’s installation on the syndicate.',
  })
}

/** The occasion of a request: its id is the cause, and the time is world time now. */
export async function occasionOf(tx: Tx, requestId: string): Promise<Occasion> {
  return { cause: requestId, occurredAt: await worldNow(tx), caused: [] }
}

/**
 * Decides about a membership. If the decision makes the person a member or closes their application, also ends the join
 * sessions that wait for the decision. This module does not import join sessions, so `main` passes in this function.
 */
export type Settling = (
  tx: Tx,
  decision: { readonly membershipId: Id<'membership'>; decide(): Promise<MovedMembership> },
  occasion: Occasion,
) => Promise<MovedMembership>

export type SyndicateRouteDeps = {
  readonly cursors: CursorSealer
  /** The public address of this service. */
  readonly origin: () => string
  readonly settling: Settling
  /** The field is null if this service sends no mail. The host platform then mails the invitations. */
  readonly invitationMails: InvitationMails | null
}
