import type { ClientId } from '#kernel/client-id.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'

export const CLIENT_TYPES = ['confidential', 'public'] as const
export type ClientType = (typeof CLIENT_TYPES)[number]

/** The state of a key is that of its app and organization, or its own end. */
export const KEY_STATES = ['active', 'suspended', 'disabled', 'ended', 'revoked'] as const
export type KeyState = (typeof KEY_STATES)[number]

/** An app as OAuth meets it: one of its keys, with what its app may do at this moment. */
export type Client = {
  readonly keyId: ClientId
  readonly appId: Id<'app'>
  readonly world: World
  readonly clientType: ClientType
  readonly redirectUris: readonly string[]
  readonly state: KeyState
  /** What the app declares, as stored: the closure is the scopes module's to compute. */
  readonly scopes: readonly string[]
  readonly apiVersion: string
  /** The key's when this was read: what is issued carries it, and dies when the app is disabled. */
  readonly generation: number
  /** The app's when this was read: another one under the lock means that something changed in between. */
  readonly revision: string
  readonly piiApproved: boolean
}
