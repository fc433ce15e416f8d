import type { Pool, PoolClient } from 'pg'
import { inEach, type World } from '#kernel/world.ts'
import type { Log } from '#system/log.ts'
import type { Metrics } from '#system/metrics.ts'
import type { ConnectionTimes } from './connection.ts'
import type { PlatformDatabase, SameAsPrimary, StaleReads, WorldReads } from './database.ts'
import { DatabaseUnavailable, translateError } from './errors.ts'
import { openPool, worldRolesUsable } from './open.ts'
import { platformStatement, type ShortStatement, type SqlValue, statement } from './statement.ts'
import { type Runner, runnerOn } from './transactions.ts'

/*
 * Read replicas (docs/decisions/0045-read-replicas.md). Every half second a round reads the primary's position in the write-ahead
 * log. A replica is as fresh as the newest of these positions that it has replayed. So a replica of an idle primary is never
 * late, and no clock of another machine is used. Each read first checks on its own connection that the server is a standby and
 * has replayed the required position. If a check fails, or after any error, the read runs on the primary.
 */

export type ReplicaOptions = {
  readonly urls: readonly string[]
  /** How old the data of a replica may be, in milliseconds. */
  readonly maxLagMs: number
  /** Connections to each replica for each world. */
  readonly poolSize: number
  /** The primary: its address, and its connections. */
  readonly primaryUrl: string
  readonly platform: Pick<PlatformDatabase, 'reads'>
  readonly metrics: Pick<Metrics, 'staleRead' | 'replica'>
  readonly log: Pick<Log, 'warn' | 'info'>
  /**
   * A replica that takes longer than this to answer is not used until it answers a round in time. Tests on a busy
   * machine raise this limit.
   */
  readonly answerMs?: number
  /** A clock that only moves forward; a test may pass its own. */
  readonly nowMs?: () => number
}

export type Replicas = { readonly reads: StaleReads; close(): Promise<void> }

/** Why a replica was not used. */
type Reason =
  | 'unreachable'
  | 'promoted'
  | 'other_server'
  | 'ahead'
  | 'behind'
  | 'busy'
  | 'slow'
  | 'failed'
  | 'older_than_asked'
  | 'primary_unknown'

const ROUND_MS = 500
const ANSWER_MS = 1_000
/** How many positions are stored. The metric of the lag cannot show more than this many rounds. */
const POSITIONS_MAX = 1_200
const TIMES: ConnectionTimes = { connectMs: 1_000, statementMs: 5_000, lockMs: 1_000, idleInTransactionMs: 20_000 }

type PrimaryState = { readonly server: string; readonly timeline: string; readonly position: string }

const PRIMARY_STATE = platformStatement<PrimaryState>(
  'system.primary_position',
  `select s.system_identifier::text as server, left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline,
          pg_current_wal_lsn()::text as position
     from pg_control_system() s`,
)

/**
 * Writes a complete record to the log. If the log ends within a record, at the end of a log page, a replica waits for the rest of
 * that record.
 */
const END_RECORD = platformStatement<{ ended: string }>(
  'system.end_log_record',
  `select pg_logical_emit_message(true, 'portico', '')::text as ended`,
)

type ReplicaState = { readonly server: string; readonly standby: boolean; readonly position: string | null }

const REPLICA_STATE = `select s.system_identifier::text as server, pg_is_in_recovery() as standby,
       pg_last_wal_replay_lsn()::text as position
  from pg_control_system() s`

/** Only a standby has a replay position; a server that was promoted is not fresh. */
const IS_FRESH = statement<{ fresh: boolean }>(
  'system.replica_is_fresh',
  `select pg_is_in_recovery() and coalesce(pg_last_wal_replay_lsn() >= $1::text::pg_lsn, false) as fresh`,
)

class NotUsed extends Error {
  readonly reason: Reason

  constructor(reason: Reason) {
    super(`the replica was not used: ${reason}`)
    this.reason = reason
  }
}

export async function openReplicas(options: ReplicaOptions): Promise<Replicas> {
  const withRole = await worldRolesUsable({ url: options.primaryUrl })
  const primary = new PrimaryLog(options)
  const replicas = options.urls.map((url) => new Replica(url, { ...options, withRole }))
  let turn = 0

  /** The usable replica with the fewest reads in progress. Replicas with equally many take turns. */
  const choose = (): Replica | Reason => {
    turn++
    const usable = replicas.filter((replica) => replica.problem === null)
    const [first, ...others] = usable.slice(turn % usable.length).concat(usable.slice(0, turn % usable.length))
    if (first === undefined) return replicas.find(({ problem }) => problem !== null)?.problem ?? 'unreachable'
    return others.reduce((least, each) => (each.running < least.running ? each : least), first)
  }

  const reads: StaleReads = async (db, same, work) => {
    const fallBack = (reason: Reason) => {
      options.metrics.staleRead(reason)
      return work(db)
    }
    const chosen = choose()
    if (typeof chosen === 'string') return fallBack(chosen)
    const needed = primary.needed()
    if (needed === null) return fallBack('primary_unknown')
    try {
      const found = await chosen.read(db.world, { needed, same, work })
      options.metrics.staleRead('replica')
      return found
    } catch (error) {
      // The read runs again on the primary, also after an error of the API such as 404: the primary may have the record already.
      return fallBack(error instanceof NotUsed ? error.reason : 'failed')
    }
  }

  let isClosed = false
  let timer: NodeJS.Timeout | null = null
  const round = async () => {
    // Replicas are read before the primary, so that no replica can be ahead of the primary's position.
    const states = await Promise.all(replicas.map((replica) => replica.readState()))
    await primary.readPosition()
    for (const [at, replica] of replicas.entries()) replica.check(states[at] ?? null, primary)
    await primary.endRecordIf(replicas.some(({ problem }) => problem === 'behind'))
    if (!isClosed) timer = setTimeout(() => (running = round()), ROUND_MS)
  }
  let running = round()
  await running
  return {
    reads,
    async close() {
      isClosed = true
      await running
      if (timer !== null) clearTimeout(timer)
      await Promise.all(replicas.map((replica) => replica.close()))
    },
  }
}

type Position = { readonly at: bigint; readonly text: string; readonly readMs: number }

/** The primary's positions in its write-ahead log, with the time at which each was read. */
class PrimaryLog {
  readonly #options: ReplicaOptions
  #positions: Position[] = []
  #state: PrimaryState | null = null
  /** Whether the position was the same in the last two rounds. */
  #isIdle = false
  #endedAt: string | null = null

  constructor(options: ReplicaOptions) {
    this.#options = options
  }

  nowMs(): number {
    return (this.#options.nowMs ?? (() => performance.now()))()
  }

  get server(): string | null {
    return this.#state?.server ?? null
  }

  get newest(): bigint | null {
    return this.#positions.at(-1)?.at ?? null
  }

  async readPosition(): Promise<void> {
    // The time is read before the query, so the position that the query returns is at least as new.
    const readMs = this.nowMs()
    const found = await this.#options.platform.reads.one(PRIMARY_STATE).catch(() => null)
    if (found === null) return
    const last = this.#state
    // Positions of different servers or timelines cannot be compared.
    if (last?.server !== found.server || last.timeline !== found.timeline) this.#positions = []
    this.#isIdle = last?.position === found.position
    this.#state = found
    this.#positions.push({ at: toNumber(found.position), text: found.position, readMs })
    if (this.#positions.length > POSITIONS_MAX) this.#positions.shift()
  }

  /** The position that a replica must have replayed to be fresh enough; null if no position was read within `maxLagMs`. */
  needed(): string | null {
    const oldestMs = this.nowMs() - this.#options.maxLagMs
    return this.#positions.find(({ readMs }) => readMs >= oldestMs)?.text ?? null
  }

  /** A replica that has replayed up to this position has everything that was committed before the returned time. */
  freshAsOf(replayed: bigint): number | null {
    return this.#positions.findLast(({ at }) => at <= replayed)?.readMs ?? null
  }

  /**
   * On an idle primary the log may end within a record. Without this write a replica would then count as late until the next
   * write.
   */
  async endRecordIf(isBehind: boolean): Promise<void> {
    const position = this.#state?.position ?? null
    if (!isBehind || !this.#isIdle || position === this.#endedAt) return
    await this.#options.platform.reads.one(END_RECORD).catch(() => null)
    await this.readPosition()
    this.#endedAt = this.#state?.position ?? null
  }
}

type Wanted<T> = {
  readonly needed: string
  readonly same: SameAsPrimary | null
  readonly work: (from: WorldReads) => Promise<T>
}

class Replica {
  /** Host and port, without the password. */
  readonly name: string
  readonly #options: ReplicaOptions & { readonly withRole: boolean }
  readonly #pools: Readonly<Record<World, Pool>>
  readonly #watch: Pool
  /** Why the replica is not used; null if it is used. */
  problem: Reason | null = 'unreachable'
  /** Reads in progress. */
  running = 0

  constructor(url: string, options: ReplicaOptions & { readonly withRole: boolean }) {
    this.name = hostOf(url)
    this.#options = options
    const around = { url, times: TIMES, onError: () => {} }
    const verify = (client: PoolClient) => this.#requireStandby(client)
    this.#pools = inEach((world) => openPool(around, world, options.poolSize, options.withRole, verify))
    this.#watch = openPool(around, 'platform', 1, false, async () => {})
  }

  async #requireStandby(client: PoolClient): Promise<void> {
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    if (rows[0]?.standby !== true) throw new DatabaseUnavailable('PORTICO_REPLICA_URLS leads to a primary', null)
  }

  /** Reads the replica's state; null if it does not answer in time. */
  async readState(): Promise<ReplicaState | null> {
    try {
      const { rows } = await this.#inTime(this.#watch.query<ReplicaState>(REPLICA_STATE))
      return rows[0] ?? null
    } catch {
      return null
    }
  }

  check(state: ReplicaState | null, primary: PrimaryLog): void {
    const position = state?.position ?? null
    const replayed = position === null ? null : toNumber(position)
    const freshMs = replayed === null ? null : primary.freshAsOf(replayed)
    const lagMs = freshMs === null ? null : Math.max(0, primary.nowMs() - freshMs)
    const problem = this.#problemOf(state, { replayed, lagMs, primary })
    if (problem !== this.problem) {
      const { log } = this.#options
      if (problem === null) log.info({ replica: this.name }, 'the replica is used')
      else log.warn({ replica: this.name, reason: problem }, 'the replica is not used')
    }
    this.problem = problem
    this.#options.metrics.replica(this.name, {
      isUsed: problem === null,
      lagSeconds: lagMs === null ? null : lagMs / 1_000,
    })
  }

  #problemOf(
    state: ReplicaState | null,
    { replayed, lagMs, primary }: { replayed: bigint | null; lagMs: number | null; primary: PrimaryLog },
  ): Reason | null {
    if (state === null) return 'unreachable'
    if (primary.server === null || primary.newest === null) return 'primary_unknown'
    if (state.server !== primary.server) return 'other_server'
    if (!state.standby || replayed === null) return 'promoted'
    // The replica replayed more than the primary has written, so it followed an earlier primary that was replaced.
    if (replayed > primary.newest) return 'ahead'
    return lagMs === null || lagMs > this.#options.maxLagMs ? 'behind' : null
  }

  async read<T>(world: World, wanted: Wanted<T>): Promise<T> {
    this.running++
    const primary: PrimaryCall = { isWaiting: false }
    try {
      return await this.#inTime(this.#readOn(world, wanted, primary), primary)
    } catch (error) {
      // The next round checks whether the replica works again. Other errors do not mean that the replica is broken.
      if (error instanceof NotUsed && error.reason === 'slow') this.problem = 'slow'
      if (error instanceof DatabaseUnavailable && !isConflict(error)) this.problem = 'unreachable'
      throw error
    } finally {
      this.running--
    }
  }

  async #readOn<T>(world: World, { needed, same, work }: Wanted<T>, primary: PrimaryCall): Promise<T> {
    const pool = this.#pools[world]
    if (pool.waitingCount > this.#options.poolSize) throw new NotUsed('busy')
    const client = await pool.connect().catch((error: unknown) => {
      throw translateError(error)
    })
    let broken: Error | undefined
    try {
      const runner = runnerOn(() => client)
      const [fresh, there, wanted] = await Promise.all([
        runner.one(IS_FRESH, [needed]) as Promise<{ fresh: boolean }>,
        same === null ? null : (runner.maybeOne(same.statement) as Promise<{ value: string | null } | null>),
        same === null ? null : valueOnPrimary(same, primary),
      ])
      if (!fresh.fresh) throw new NotUsed('behind')
      if (same !== null && there?.value !== wanted) throw new NotUsed('older_than_asked')
      return await work(readsOf(world, runner))
    } catch (error) {
      if (error instanceof DatabaseUnavailable) broken = error
      throw error
    } finally {
      client.release(broken)
    }
  }

  async #inTime<T>(work: Promise<T>, primary: PrimaryCall | null = null): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const notUsed = () => new NotUsed(primary?.isWaiting === true ? 'primary_unknown' : 'slow')
    const timer = setTimeout(() => reject(notUsed()), this.#options.answerMs ?? ANSWER_MS)
    // After the time limit no code awaits the work, so its error must not become an unhandled rejection.
    work.catch(() => {})
    try {
      return await Promise.race([work, late])
    } finally {
      clearTimeout(timer)
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#watch.end(), ...Object.values(this.#pools).map((pool) => pool.end())])
  }
}

/** Whether a read on a replica is waiting for the primary. */
type PrimaryCall = { isWaiting: boolean }

/**
 * If the primary is busy or lost, the replica stays in use. Otherwise all later reads of the replica would run on the busy
 * primary too.
 */
async function valueOnPrimary(same: SameAsPrimary, primary: PrimaryCall): Promise<string | null> {
  primary.isWaiting = true
  try {
    return await same.value()
  } catch {
    throw new NotUsed('primary_unknown')
  } finally {
    primary.isWaiting = false
  }
}

function readsOf(world: World, runner: Runner): WorldReads {
  return {
    world,
    // As in open.ts: a runner accepts every statement, and the types limit which a caller may pass.
    reads: { world, ...runner } as WorldReads['reads'],
    short: <Row>(short: ShortStatement<Row>, values: readonly SqlValue[] = []) =>
      runner.many(short, values) as Promise<Row[]>,
  }
}

/** PostgreSQL cancels a read that blocks the replica's replay. The replica itself works. */
function isConflict({ message }: DatabaseUnavailable): boolean {
  return message.includes('conflict with recovery')
}

/** `16/B374D848` as a number: the two halves of 64 bits, in hexadecimal. */
function toNumber(position: string): bigint {
  const [high = '', low = ''] = position.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

function hostOf(url: string): string {
  const { hostname, port } = new URL(url)
  return `${decodeURIComponent(hostname)}${port === '' ? '' : `:${port}`}`
}
