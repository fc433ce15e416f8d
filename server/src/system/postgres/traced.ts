import type { World } from '#kernel/world.ts'
import { type ActiveSpan, activeSpan, type EndedStatement, nowMs, withSpan } from '../tracing.ts'
import type {
  Databases,
  PlatformDatabase,
  PlatformTx,
  StaleReads,
  Tx,
  WorldDatabase,
  WorldQueries,
  WorldReads,
} from './database.ts'
import type { Runner } from './transactions.ts'

/** The same databases, with spans for the transactions and statements of code that runs in a sampled trace. */
export function traced(databases: Databases): Databases {
  const { test, live, platform } = databases
  return { ...databases, test: tracedWorld(test), live: tracedWorld(live), platform: tracedPlatform(platform) }
}

/**
 * The same reads, with spans for the statements that run on a replica. For statements on the primary, `traced` creates the spans.
 */
export function tracedStaleReads(reads: StaleReads): StaleReads {
  return (db, same, work) => reads(db, same, (from) => work(from === db ? from : onReplica(from)))
}

type Place = World | 'platform'
type Where = { readonly place: Place; readonly isReplica: boolean }

function tracedReads({ world, reads, short }: WorldReads, where: Where): WorldReads {
  return {
    world,
    reads: { world, ...observedRunner(reads as Runner, where) } as WorldQueries,
    short: (statement, values) => observe(where, statement.name, () => short(statement, values), read),
  }
}

const onReplica = (from: WorldReads) => tracedReads(from, { place: from.world, isReplica: true })

function tracedWorld(db: WorldDatabase): WorldDatabase {
  const { world } = db
  const where = { place: world, isReplica: false }
  const observed = (queries: WorldQueries) => ({ world, ...observedRunner(queries as Runner, where) }) as WorldQueries
  return {
    ...db,
    ...tracedReads(db, where),
    transaction: (work) =>
      inTransactionSpan(world, (begun) => db.transaction((tx) => work(observedTx(tx, begun, world)))),
    snapshot: (work) => inTransactionSpan(world, () => db.snapshot((queries) => work(observed(queries)))),
    beside: (tx, work) => db.beside(tx, (queries) => work(observed(queries))),
  }
}

function tracedPlatform(db: PlatformDatabase): PlatformDatabase {
  return {
    transaction: (work) =>
      inTransactionSpan('platform', (begun) => db.transaction((ptx) => work(observedTx(ptx, begun, 'platform')))),
    reads: observedRunner(db.reads as Runner, { place: 'platform', isReplica: false }) as PlatformDatabase['reads'],
  }
}

/** The events of the transaction contain the id of its span, so that their deliveries belong to the same trace. */
function observedTx<T extends Tx | PlatformTx>(tx: T, begun: ActiveSpan | null, place: Place): T {
  if (begun === null) return tx
  return { ...tx, ...observedRunner(tx as unknown as Runner, { place, isReplica: false }), trace: begun.traceparent }
}

/** `begun` is the span that encloses the transaction; null outside of a sampled trace. */
function inTransactionSpan<T>(place: Place, transaction: (begun: ActiveSpan | null) => Promise<T>): Promise<T> {
  const around = activeSpan()
  const span = around?.child('transaction', { 'db.system.name': 'postgresql', 'db.namespace': place }) ?? null
  return span === null ? transaction(around) : withSpan(span, () => transaction(span))
}

function observedRunner(runner: Runner, where: Where): Runner {
  return {
    many: (statement, values) => observe(where, statement.name, () => runner.many(statement, values), taken),
    maybeOne: (statement, values) => observe(where, statement.name, () => runner.maybeOne(statement, values), found),
    one: (statement, values) => observe(where, statement.name, () => runner.one(statement, values), found),
    run: (statement, values) => observe(where, statement.name, () => runner.run(statement, values), written),
  }
}

type Result = Pick<EndedStatement, 'rows' | 'isEffect'>

const taken = ({ length: rows }: readonly unknown[]): Result => ({ rows, isEffect: rows > 0 })
const written = (rows: number): Result => ({ rows, isEffect: rows > 0 })
/** Reading a single row does not count as an effect, because jobs read one row to see whether there is work. */
const found = (row: unknown): Result => ({ rows: row === null ? 0 : 1, isEffect: false })
const read = ({ length: rows }: readonly unknown[]): Result => ({ rows, isEffect: false })

function observe<T>(where: Where, name: string, work: () => Promise<T>, resultOf: (answer: T) => Result): Promise<T> {
  const span = activeSpan()
  return span === null ? work() : observeIn(span, { where, name }, { work, resultOf })
}

type Statement = { readonly where: Where; readonly name: string }
type Running<T> = { readonly work: () => Promise<T>; readonly resultOf: (response: T) => Result }

async function observeIn<T>(span: ActiveSpan, { where, name }: Statement, { work, resultOf }: Running<T>): Promise<T> {
  const startedMs = nowMs()
  try {
    const response = await work()
    span.statement({ name, ...where, startedMs, ...resultOf(response) })
    return response
  } catch (error) {
    span.statement({ name, ...where, startedMs, rows: 0, isEffect: true, error })
    throw error
  }
}
