import type { Databases } from '#system/postgres/database.ts'
import type { Chance } from '../chance.ts'
import type { Cast } from './cast.ts'
import type { Findings } from './findings.ts'
import type { Mortal } from './mortals.ts'
import type { Stalls } from './stalls.ts'
import type { Between } from './timeline.ts'

export type Sql = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>

/** The place of a run: its database, its workers, and what may be done to them. */
export type Theatre = {
  readonly databases: Databases
  /** Runs SQL as the owner of the database, to arrange and inspect. */
  readonly sql: Sql
  readonly sealingSecret: string
  startWorker(chance: Chance): Promise<Mortal>
  /** Null where PostgreSQL is shared with others. */
  readonly restartDatabase: (() => Promise<void>) | null
}

/** A cause of events, the time span in which it happened, and the time by which its events had become deliveries. */
export type Happening = { readonly cause: string; readonly between: Between; fannedOutBy: number | null }

export type Stage = Theatre & {
  readonly cast: Cast
  readonly findings: Findings
  readonly stalls: Stalls
  readonly happenings: Map<string, Happening>
  /** How often each thing happened: a run without any events proves nothing. */
  readonly did: Map<string, number>
}

export function count({ did }: Pick<Stage, 'did'>, what: string): void {
  did.set(what, (did.get(what) ?? 0) + 1)
}
