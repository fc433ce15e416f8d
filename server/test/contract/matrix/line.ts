import type { PlatformRole } from '#kernel/caller.ts'
import type { Needed } from './scope-catalogue.ts'

/**
 * The kinds of credential: an app's publishable key, its token for itself or for a user, its token on a company, on a syndicate
 * or on a user's own connection, and the host platform's key.
 */
export type Kind = 'publishable' | 'client' | 'user' | 'company' | 'syndicate' | 'connection' | 'operator'

export const APP_KINDS = ['publishable', 'client', 'user', 'company', 'syndicate', 'connection'] as const
export const TOKENS = ['client', 'user', 'company', 'syndicate', 'connection'] as const
export const INSTALLATIONS = ['company', 'syndicate', 'connection'] as const

/** The records on the stage of the matrix, for the `:name` parts of a path. Every other part gets an unknown id. */
export type Place = 'offering' | 'company' | 'syndicate' | 'member' | 'companyInstallation' | 'endpoint'

/** One operation as in the specification: the kinds it serves, its scope, and its response. */
export type Line = {
  readonly serves: readonly Kind[]
  /** Any one of these scopes is enough. If the list is empty, no scope is needed. */
  readonly needs: readonly Needed[]
  /** For an admitted caller: `200`, `404 not_found`. */
  readonly answers: string
  /** Kinds that get another response although they are served and have the scope. */
  readonly except?: Readonly<Partial<Record<Kind, string>>>
  readonly at?: Readonly<Record<string, Place>>
  readonly query?: string
  readonly body?: unknown
  /** Only in the test world, only with a live key. */
  readonly only?: 'test' | 'live'
  /** The least role of an operator's key and of the platform's staff, where operators are served. */
  readonly role?: PlatformRole
  /** What an operator's request is about. Requests about a person, and changes of a partner, need a reason. */
  readonly about?: 'person' | 'partner' | 'platform'
}

/** By method and path, as the route table spells them. */
export type Lines = Readonly<Record<string, Line>>

export const NOT_FOUND = '404 not_found'
export const INVALID = '422 validation_error'
