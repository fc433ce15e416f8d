import type { CountReply, CountRequest } from '#system/counting/remote-counter.ts'
import type { MetricSnapshot } from '#system/metrics.ts'
import type { Role } from './command-line.ts'
import type { DemoFile } from './optional-workspaces.ts'
import type { WorkerHost } from './worker-host.ts'

/*
 * The messages between the primary process and the processes that answer requests (api-processes.ts, api-process.ts). They are
 * sent as JSON, only between processes of one service, which run the same version. All processes read the same environment, so
 * `start` has only the values that the primary process chooses or finds out.
 */

export type WorkerHealth = ReturnType<WorkerHost['health']>

/** What a process needs before it can answer requests. */
export type ProcessStart = {
  /** The number of the process, from 1. A process that replaces another gets the number of the replaced process. */
  readonly number: number
  readonly role: Role
  readonly port: number
  /** The size of each connection pool of this process: it has a pool for each world and one for the platform. */
  readonly poolSize: number
  readonly databaseUrl: string
  readonly secret: string
  readonly migrationsKnown: number
  /** Null if the workers run elsewhere. */
  readonly workers: WorkerHealth | null
  readonly demo: DemoFile | null
}

/** A message from the primary process. `requestId` identifies a request and its reply. */
export type ToProcess =
  | ({ readonly type: 'start' } & ProcessStart)
  | { readonly type: 'demo'; readonly demo: DemoFile }
  | { readonly type: 'worker_health'; readonly health: WorkerHealth }
  | { readonly type: 'get_metrics'; readonly requestId: number }
  | { readonly type: 'other_metrics'; readonly requestId: number; readonly snapshots: readonly MetricSnapshot[] }
  | { readonly type: 'stop' }
  | CountReply

/** A message to the primary process. */
export type FromProcess =
  | { readonly type: 'listening'; readonly address: string }
  /** The process failed, for example because it cannot listen, and ends. */
  | { readonly type: 'failed'; readonly code: string; readonly message: string }
  /** A transaction was committed: the workers should poll now. */
  | { readonly type: 'wake_workers' }
  | { readonly type: 'metrics'; readonly requestId: number; readonly snapshot: MetricSnapshot }
  /** Requests the metrics of all other processes. */
  | { readonly type: 'get_other_metrics'; readonly requestId: number }
  | CountRequest

/** The requests that wait for a reply. Request and reply are separate messages with the same id. */
export class PendingRequests<Reply> {
  readonly #pending = new Map<number, (reply: Reply | null) => void>()
  #lastId = 0

  /** Resolves to null if there is no reply within `limitMs`. */
  send(limitMs: number, post: (requestId: number) => void): Promise<Reply | null> {
    const requestId = ++this.#lastId
    return new Promise((resolve) => {
      const timeout = setTimeout(() => this.#end(requestId, null), limitMs)
      this.#pending.set(requestId, (reply) => {
        clearTimeout(timeout)
        resolve(reply)
      })
      post(requestId)
    })
  }

  receive(requestId: number, reply: Reply): void {
    this.#end(requestId, reply)
  }

  #end(requestId: number, reply: Reply | null): void {
    this.#pending.get(requestId)?.(reply)
    this.#pending.delete(requestId)
  }
}
