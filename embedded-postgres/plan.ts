import type { Endpoint } from './endpoint.ts'
import type { Layout } from './layout.ts'
import type { ProcessIdentity } from './process-identity.ts'
import type { RunAs } from './run.ts'
import type { RunnableBinaries } from './runnable-binaries.ts'
import type { StopPatience } from './stop.ts'

/** Where the server is to listen. A TCP port is only a wish: if it is taken, another will do. */
export type Listen =
  | { readonly kind: 'socket'; readonly directory: string }
  | { readonly kind: 'tcp'; readonly preferredPort: number }

export type Patience = StopPatience & {
  /** For a server that starts: recovery from a crash can take this long. */
  readonly readyMs: number
  /** For a server that says it is ready. */
  readonly answerMs: number
}

/** All that was found out and decided before a server is started or taken over. */
export type Plan = {
  readonly layout: Layout
  readonly runAs: RunAs
  readonly binaries: RunnableBinaries
  readonly password: string
  readonly database: string
  readonly durable: boolean
  readonly settings: Readonly<Record<string, string>>
  readonly listen: Listen
  readonly patience: Patience
  readonly log: (message: string) => void
  readonly onWaiting: () => void
}

export type RunningServer = {
  readonly process: ProcessIdentity
  readonly endpoint: Endpoint
  readonly version: string
  readonly adopted: boolean
}
