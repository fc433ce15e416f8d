import type { PlatformRole } from '#kernel/caller.ts'
import type { Needed } from './scope-catalogue.ts'

/**
 * The kinds of credential: an app's publishable key, its own token, its token for a user, its token on a company, on a
 * syndicate or on a user's own connection, and the host platform's key.
 */
export type Kind = 'publishable' | 'client' | 'user' | 'company' | 'syndicate' | 'connection' | 'operator'

export const APP_KINDS = ['publishable', 'client', 'user', 'company', 'syndicate', 'connection'] as const
export const TOKENS = ['client', 'user', 'company', 'syndicate', 'connection'] as const
export const INSTALLATIONS = ['company', 'syndicate', 'connection'] as const

/**
 * The records on the stage of the matrix, which fill the `:name` parts of a path. Every other part gets an unknown id.
 */
export type Place = 'offering' | 'company' | 'syndicate' | 'member' | 'companyInstallation' | 'endpoint'

/** One operation as in the specification: the kinds it serves, its scope, and its response. */
export type Line = {
  readonly serves: readonly Kind[]
  /** One of these scopes is enough. If the list is empty, the operation needs no scope. */
  readonly needs: readonly Needed[]
  /** The response to an admitted caller: `200`, `404 not_found`. */
  readonly answers: string
  /** Kinds that get another response, although the operation serves them and they have the scope. */
  readonly except?: Readonly<Partial<Record<Kind, string>>>
  readonly at?: Readonly<Record<string, Place>>
  readonly query?: string
  readonly body?: unknown
  /** Whether the operation exists only in the test world, or only for a live key. */
  readonly only?: 'test' | 'live'
  /** The lowest role of an operator's key and of the platform's staff, if the operation serves operators. */
  readonly role?: PlatformRole
  /** The subject of an operator's request. Requests about a person, and changes of a partner, need a reason. */
  readonly about?: 'person' | 'partner' | 'platform'
}

/** Lines by method and path, as in the route table. */
export type Lines = Readonly<Record<string, Line>>

export const NOT_FOUND = '404 not_found'
export const INVALID = '422 validation_error'
