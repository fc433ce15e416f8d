import type { World } from '#kernel/world.ts'
import { type ActiveSpan, activeSpan, type EndedStatement, nowMs, withSpan } from '../tracing.ts'
import type { Databases, PlatformDatabase, PlatformTx, Tx, WorldDatabase, WorldQueries } from './database.ts'
import type { Runner } from './transactions.ts'

/** The same databases, with spans for the transactions and statements of code that runs in a sampled trace. */
export function traced(databases: Databases): Databases {
  const { test, live, platform } = databases
  return { ...databases, test: tracedWorld(test), live: tracedWorld(live), platform: tracedPlatform(platform) }
}

type Place = World | 'platform'

function tracedWorld(db: WorldDatabase): WorldDatabase {
  const { world } = db
  const observed = (queries: WorldQueries) => ({ world, ...observedRunner(queries as Runner, world) }) as WorldQueries
  return {
    ...db,
    transaction: (work) =>
      inTransactionSpan(world, (begun) => db.transaction((tx) => work(observedTx(tx, begun, world)))),
    snapshot: (work) => inTransactionSpan(world, () => db.snapshot((queries) => work(observed(queries)))),
    beside: (tx, work) => db.beside(tx, (queries) => work(observed(queries))),
    reads: observed(db.reads),
    short: (statement, values) => observe(world, statement.name, () => db.short(statement, values), read),
  }
}

function tracedPlatform(db: PlatformDatabase): PlatformDatabase {
  return {
    transaction: (work) =>
      inTransactionSpan('platform', (begun) => db.transaction((ptx) => work(observedTx(ptx, begun, 'platform')))),
    reads: observedRunner(db.reads as Runner, 'platform') as PlatformDatabase['reads'],
  }
}

/** Events of the transaction carry its span, so that their deliveries belong to the same trace. */
function observedTx<T extends Tx | PlatformTx>(tx: T, begun: ActiveSpan | null, place: Place): T {
  if (begun === null) return tx
  return { ...tx, ...observedRunner(tx as unknown as Runner, place), trace: begun.traceparent }
}

/** `begun` is the span that encloses the transaction; null outside of a sampled trace. */
function inTransactionSpan<T>(place: Place, transaction: (begun: ActiveSpan | null) => Promise<T>): Promise<T> {
  const around = activeSpan()
  const span = around?.child('transaction', { 'db.system.name': 'postgresql', 'db.namespace': place }) ?? null
  return span === null ? transaction(around) : withSpan(span, () => transaction(span))
}

function observedRunner(runner: Runner, place: Place): Runner {
  return {
    many: (statement, values) => observe(place, statement.name, () => runner.many(statement, values), taken),
    maybeOne: (statement, values) => observe(place, statement.name, () => runner.maybeOne(statement, values), found),
    one: (statement, values) => observe(place, statement.name, () => runner.one(statement, values), found),
    run: (statement, values) => observe(place, statement.name, () => runner.run(statement, values), written),
  }
}

type Result = Pick<EndedStatement, 'rows' | 'isEffect'>

const taken = ({ length: rows }: readonly unknown[]): Result => ({ rows, isEffect: rows > 0 })
const written = (rows: number): Result => ({ rows, isEffect: rows > 0 })
/** A single row does not count as an effect: jobs read one to see whether there is work. */
const found = (row: unknown): Result => ({ rows: row === null ? 0 : 1, isEffect: false })
const read = ({ length: rows }: readonly unknown[]): Result => ({ rows, isEffect: false })

async function observe<T>(
  place: Place,
  name: string,
  work: () => Promise<T>,
  resultOf: (answer: T) => Result,
): Promise<T> {
  const span = activeSpan()
  if (span === null) return work()
  const startedMs = nowMs()
  try {
    const answer = await work()
    span.statement({ name, place, startedMs, ...resultOf(answer) })
    return answer
  } catch (error) {
    span.statement({ name, place, startedMs, rows: 0, isEffect: true, error })
    throw error
  }
}
