import type { CountReply, CountRequest } from '#system/counting/remote-counter.ts'
import type { MetricSnapshot } from '#system/metrics.ts'
import type { Role } from './command-line.ts'
import type { DemoFile } from './optional-workspaces.ts'
import type { WorkerHost } from './worker-host.ts'

/*
 * The messages between the primary process and the processes that answer requests (api-processes.ts, api-process.ts). They are
 * sent as JSON. Settings are not sent, because both processes read the same environment.
 */

export type WorkerHealth = ReturnType<WorkerHost['health']>

/** What a process has to know before it can answer requests. */
export type Beginning = {
  /** Its number, from 1. A process that replaces another has the same number. */
  readonly number: number
  readonly role: Role
  readonly port: number
  /** Pooled connections of this process for each world. */
  readonly poolSize: number
  readonly databaseUrl: string
  readonly secret: string
  readonly migrationsKnown: number
  /** Null if the workers run elsewhere. */
  readonly workers: WorkerHealth | null
  readonly demo: DemoFile | null
}

export type ToProcess =
  | ({ readonly say: 'begin' } & Beginning)
  | { readonly say: 'demo'; readonly demo: DemoFile }
  | { readonly say: 'workers'; readonly health: WorkerHealth }
  | { readonly say: 'measure'; readonly question: number }
  | { readonly say: 'metrics'; readonly question: number; readonly snapshots: readonly MetricSnapshot[] }
  | { readonly say: 'stop' }
  | CountReply

export type FromProcess =
  | { readonly say: 'listening'; readonly address: string }
  /** The process cannot listen, and ends. */
  | { readonly say: 'failed'; readonly code: string; readonly message: string }
  /** Something was committed: the workers should look for work. */
  | { readonly say: 'wake' }
  | { readonly say: 'measured'; readonly question: number; readonly snapshot: MetricSnapshot }
  /** Asks for the metrics of all other processes. */
  | { readonly say: 'metrics'; readonly question: number }
  | CountRequest

/** Matches each answer with its question: they are separate messages. */
export class Questions<Answer> {
  readonly #open = new Map<number, (answer: Answer | null) => void>()
  #asked = 0

  /** Resolves to null if there is no answer within `limitMs`. */
  ask(limitMs: number, send: (question: number) => void): Promise<Answer | null> {
    const question = ++this.#asked
    return new Promise((resolve) => {
      const late = setTimeout(() => this.#end(question, null), limitMs)
      this.#open.set(question, (answer) => {
        clearTimeout(late)
        resolve(answer)
      })
      send(question)
    })
  }

  answer(question: number, answer: Answer): void {
    this.#end(question, answer)
  }

  #end(question: number, answer: Answer | null): void {
    this.#open.get(question)?.(answer)
    this.#open.delete(question)
  }
}
