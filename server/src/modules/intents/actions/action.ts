import { type Static, type TSchema, Type } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { type Id, idPattern } from '#kernel/ids.ts'
import type { Scope } from '#kernel/scope.ts'
import { SEEN_PARAGRAPHS_PATTERN } from '#kernel/text.ts'
import { DISCLOSURE_KEYS, type DisclosureKey } from '#modules/companies/index.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { OnRevoked } from '#modules/installations/index.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import type { ActionName, Deciders, ResourceType } from '../intent.ts'
import type { Prospect } from '../review-facts.ts'

/** What some actions need from modules to the right of this one; main hands it in. */
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

export type Looked = {
  readonly shown: Prospect
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
  readonly hold: (tx: Tx, asked: Asked<R, P>) => Promise<void>
  /** Performs the action and returns the result: ids and our own words. */
  readonly perform: (tx: Tx, asked: Asked<R, P>, performing: Performing) => Promise<Readonly<Record<string, unknown>>>
}

type Defined<N extends ActionName, R extends ResourceType> = Action<R, ActionParams<N>> & { readonly name: N }

/** Checks the definition's types against each other, then forgets them so that all kinds fit in one table. */
export function action<N extends ActionName, R extends ResourceType>(definition: Defined<N, R>): Action {
  return definition as unknown as Action
}

const exactly = { additionalProperties: false }

const Nothing = Type.Object({}, exactly)

const Deal = Type.Object(
  { fundraise_id: Type.Unsafe<Id<'offering'>>(Type.String({ pattern: idPattern('offering') })) },
  exactly,
)

const Member = Type.Object(
  { member_id: Type.Unsafe<Id<'membership'>>(Type.String({ pattern: idPattern('membership') })) },
  exactly,
)

const Comment = Type.Object(
  {
    target_type: Type.Union([Type.Literal('company'), Type.Literal('comment')]),
    target: Type.String({ maxLength: 40 }),
    body: Type.String({ minLength: 1, maxLength: 10_000, pattern: SEEN_PARAGRAPHS_PATTERN }),
    disclosure_key: Type.Optional(Type.Unsafe<DisclosureKey>(Type.Enum([...DISCLOSURE_KEYS], { type: 'string' }))),
  },
  exactly,
)

/**
 * What is sent with each action. Apart from what it does: whoever carries it out was given what was read here, and the
 * workers load no schemas.
 */
const PARAMS = {
  'syndicates.close_deal': Deal,
  'syndicates.finalize_deal': Deal,
  'syndicates.publish': Nothing,
  'syndicates.remove_member': Member,
  'syndicates.delete_draft': Nothing,
  'comments.create': Comment,
} as const satisfies Readonly<Record<ActionName, TSchema>>

export type ActionParams<N extends ActionName> = Static<(typeof PARAMS)[N]>

const validators = Object.entries(PARAMS).map(([name, schema]) => [name, Compile(schema)])

export const PARAM_VALIDATORS: Readonly<Record<ActionName, Validator>> = Object.fromEntries(validators)
