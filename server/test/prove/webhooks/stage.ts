import type { Databases } from '#system/postgres/database.ts'
import type { Random } from '../random.ts'
import type { Findings } from './findings.ts'
import type { KillableWorker } from './killable-workers.ts'
import type { Participants } from './participants.ts'
import type { Stalls } from './stalls.ts'
import type { Between } from './timeline.ts'

export type Sql = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>

/** The environment of a run: its database, its workers, and the ways to disturb them. */
export type Environment = {
  readonly databases: Databases
  /** Runs SQL as the owner of the database, to arrange and inspect. */
  readonly sql: Sql
  readonly sealingSecret: string
  startWorker(random: Random): Promise<KillableWorker>
  /** Null if other tests share the PostgreSQL. */
  readonly restartDatabase: (() => Promise<void>) | null
}

/** A cause of events, the time span in which it happened, and the time by which its events had become deliveries. */
export type Happening = { readonly cause: string; readonly between: Between; fannedOutBy: number | null }

export type Stage = Environment & {
  readonly participants: Participants
  readonly findings: Findings
  readonly stalls: Stalls
  readonly happenings: Map<string, Happening>
  /** How often each thing happened. A run in which nothing happens proves nothing. */
  readonly did: Map<string, number>
}

export function count({ did }: Pick<Stage, 'did'>, what: string): void {
  did.set(what, (did.get(what) ?? 0) + 1)
}
