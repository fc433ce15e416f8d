import type { EventName } from '#events/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { Receiver } from './receiver.ts'
import type { Timeline } from './timeline.ts'

/** The participants and the state of each over time. This is the proof's own record, not the database's. */
export type App = { readonly id: Id<'app'>; readonly active: Timeline<boolean> }

export type Target = { readonly type: 'company' | 'syndicate' | 'user'; readonly id: string }

export type Installation = {
  readonly id: Id<'installation'>
  readonly app: App
  readonly target: Target
  /** False before the installation was created, and after it was revoked. */
  readonly active: Timeline<boolean>
  readonly scopes: Timeline<readonly string[]>
}

export type EndpointState = 'absent' | 'enabled' | 'disabled' | 'removed'

/** The newest secret, then the secrets that rotations replaced. */
export type Secrets = readonly [newest: string, ...previous: string[]]

export type Endpoint = {
  readonly id: Id<'webhookEndpoint'>
  readonly app: App
  readonly boundTo: Installation | null
  readonly events: readonly EventName[]
  readonly receiver: Receiver
  /** Identifies the endpoint at the receiver. */
  readonly path: string
  readonly state: Timeline<EndpointState>
  readonly secrets: Timeline<Secrets>
}

export type Participants = {
  readonly apps: readonly App[]
  readonly targets: readonly Target[]
  readonly installations: Installation[]
  readonly endpoints: Endpoint[]
  readonly receivers: readonly Receiver[]
}

export const isStanding = ({ state }: Endpoint): boolean => state.latest !== 'removed'
