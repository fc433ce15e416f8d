import type { OnRevoked } from '#access/installations/index.ts'
import { ACTION_SCOPES, type ActionName } from '#access/scopes/index.ts'
import type { Occasion } from '#events/index.ts'
import type { Scope } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import type { Deciders, ResourceType } from '../intent.ts'
import type { Prospect } from '../review-facts.ts'
import type { ActionParams } from './params.ts'

/** What some actions need from later modules; main passes it in. */
export type Around = {
  /** Whether a user sees a company's page. */
  readonly seesCompany: (queries: WorldQueries, user: Id<'user'>, company: Id<'company'>) => Promise<boolean>
  readonly onRevoked: readonly OnRevoked[]
}

export type Asked<R extends ResourceType, P> = {
  readonly resourceId: Id<R>
  readonly params: P
  /** In whose name it is proposed; null for an installation. */
  readonly userId: Id<'user'> | null
}

/** Minor units, as the database writes them. */
export type Amount = { readonly cents: string; readonly currency: string }

export type Looked = {
  readonly shown: Prospect
  /** The money that it is about, if it is about money: approving much of it needs a recent proof. */
  readonly amount?: Amount
  /** The person it is done to, whose name is in what is shown. */
  readonly about?: {
    readonly userId: Id<'user'>
    /** What will happen, without the name: for readers who may not see the members of the syndicate. */
    readonly unnamed: string
  }
}

type Performing = { readonly occasion: Occasion; readonly around: Around }

/** One kind of thing that an app proposes and a person decides. */
export type Action<R extends ResourceType = ResourceType, P = unknown> = {
  readonly name: ActionName
  /** What a token needs to propose it. */
  readonly scope: Scope
  readonly resourceType: R
  readonly deciders: Deciders
  /** What would happen now. Throws where it cannot: with the reason, which the app or the person reads. */
  readonly look: (queries: WorldQueries, asked: Asked<R, P>, around: Around) => Promise<Looked>
  /** Locks what would be changed, so that the next look stays true. */
  readonly lock: (tx: Tx, asked: Asked<R, P>) => Promise<void>
  /** Performs the action and returns the result: ids and our own words. */
  readonly perform: (tx: Tx, asked: Asked<R, P>, performing: Performing) => Promise<Readonly<Record<string, unknown>>>
}

type Defined<N extends ActionName, R extends ResourceType> = Omit<Action<R, ActionParams<N>>, 'scope'> & {
  readonly name: N
}

/** Checks the definition's types against each other, then forgets them so that all kinds fit in one table. */
export function action<N extends ActionName, R extends ResourceType>(definition: Defined<N, R>): Action {
  return { ...definition, scope: ACTION_SCOPES[definition.name] } as unknown as Action
}
