import type { OnRevoked } from '#access/installations/index.ts'
import { ACTION_SCOPES, type ActionName } from '#access/scopes/index.ts'
import type { Occasion } from '#events/index.ts'
import type { Scope } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import type { Deciders, ResourceType } from '../intent.ts'
import type { Prospect } from '../review-facts.ts'
import type { ActionParams } from './params.ts'

/** Functions of modules that this module may not import. Some actions need them; main passes them in. */
export type Around = {
  /** Whether a user sees a company's page. */
  readonly seesCompany: (queries: WorldQueries, user: Id<'user'>, company: Id<'company'>) => Promise<boolean>
  readonly onRevoked: readonly OnRevoked[]
}

export type ActionRequest<R extends ResourceType, P> = {
  readonly resourceId: Id<R>
  readonly params: P
  /** The user for whom the app proposes the action; null for an installation. */
  readonly userId: Id<'user'> | null
}

/** In minor units, as text from the database. */
export type Amount = { readonly cents: string; readonly currency: string }

export type Looked = {
  readonly shown: Prospect
  /** The money that the action concerns, if any: approving a large amount needs a recent proof. */
  readonly amount?: Amount
  /** The person whom the action concerns. The page shows the name. */
  readonly about?: {
    readonly userId: Id<'user'>
    /** What will happen, without the name, for readers who may not see the syndicate's members. */
    readonly unnamed: string
  }
}

type Performing = { readonly occasion: Occasion; readonly around: Around }

/** One kind of action that an app proposes and a person decides. */
export type Action<R extends ResourceType = ResourceType, P = unknown> = {
  readonly name: ActionName
  /** The scope that a token needs to propose the action. */
  readonly scope: Scope
  readonly resourceType: R
  readonly deciders: Deciders
  /** What would happen now. Throws if the action is not possible, with a reason for the app or the person. */
  readonly look: (queries: WorldQueries, request: ActionRequest<R, P>, around: Around) => Promise<Looked>
  /** Locks the rows that `perform` changes, so that what the next `look` reads cannot change before the commit. */
  readonly lock: (tx: Tx, request: ActionRequest<R, P>) => Promise<void>
  /** Performs the action. The result contains ids and our own words, no text that a person typed. */
  readonly perform: (
    tx: Tx,
    request: ActionRequest<R, P>,
    performing: Performing,
  ) => Promise<Readonly<Record<string, unknown>>>
}

type Defined<N extends ActionName, R extends ResourceType> = Omit<Action<R, ActionParams<N>>, 'scope'> & {
  readonly name: N
}

/** Checks that the types of one definition agree. The result has no type parameters, so that one table can contain all actions. */
export function action<N extends ActionName, R extends ResourceType>(definition: Defined<N, R>): Action {
  return { ...definition, scope: ACTION_SCOPES[definition.name] } as unknown as Action
}
