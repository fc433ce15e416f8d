import { authenticateTokens } from '../../server/src/access/tokens/index.ts'
import { hexDigestOf } from '../../server/src/system/crypto/secret.ts'
import type { WorldDatabase } from '../../server/src/system/postgres/database.ts'
import { openDatabases } from '../../server/src/system/postgres/open.ts'
import { allStatements, type ShortStatement, shortStatement } from '../../server/src/system/postgres/statement.ts'
import { readOptions } from '../arguments.ts'
import { cpuSeconds, postgresOf } from '../processes.ts'
import { withDatabaseAndService } from '../service.ts'
import { median, percentile, printTable, whole } from '../table.ts'
import { explainPrepared } from './explain.ts'
import { makeManyTokens, tokenText } from './many-tokens.ts'

const OPTIONS = {
  count: { usual: 1_000_000, most: 2_000_000 },
  rounds: { usual: 7, most: 50 },
  seconds: { usual: 2, most: 30 },
  'in-flight': { usual: 64, most: 500 },
} as const

type Numbers = Readonly<Record<keyof typeof OPTIONS, number>>

/** Measures the token check among a million tokens, and compares it with the minimum cost of a statement. */
export async function measureTokenCheck(argv: readonly string[]): Promise<void> {
  const { numbers } = readOptions(argv, OPTIONS, [])
  await withDatabaseAndService(async ({ url, dataDirectory }) => {
    await makeManyTokens(url, numbers.count)
    await reportPlan(url, numbers.count)
    const databases = await openDatabases({ url, poolSize: 2, onError: (_, reason) => process.stderr.write(reason) })
    try {
      await reportSpeed(numbers, {
        checks: checksOf(databases.live, authenticateTokens(databases), numbers.count),
        postgresCpu: () => cpuSeconds(postgresOf(dataDirectory)),
      })
    } finally {
      await databases.close()
    }
  })
}

const CHECK = 'tokens.check'

function checkStatement(): ShortStatement<unknown> {
  const isCheck = (each: { readonly name: string; readonly home: string; readonly short: boolean }) =>
    each.name === CHECK && each.home === 'world' && each.short
  const found = allStatements().find((each): each is ShortStatement<unknown> => isCheck(each))
  if (found === undefined) throw new Error(`no short statement is named ${CHECK}`)
  return found
}

async function reportPlan(url: string, count: number): Promise<void> {
  const { text } = checkStatement()
  const { looks, ms } = await explainPrepared(url, { text, hash: hexDigestOf(tokenText(Math.ceil(count / 2))) })
  printTable(`EXPLAIN (ANALYZE, BUFFERS) of ${CHECK} among ${whole(count)} tokens`, [
    ['table', 'how', 'rows', 'times', 'blocks'],
    ...looks.map(({ table, how, rows, times, blocks }) => [table, how, ...[rows, times, blocks].map(String)] as const),
    ['executed in', `${ms.toFixed(3)} ms`],
  ])
}

type Check = () => Promise<unknown>
type Checks = { readonly floor: Check; readonly statement: Check; readonly whole: Check }

const FLOOR = shortStatement<{ one: number }>('bench.floor', 'select 1 as one')

/** Checks a random token each time; with one token, only the cached case would be measured. */
function checksOf(db: WorldDatabase, lookup: (bearer: string) => Promise<unknown>, count: number): Checks {
  const statement = checkStatement()
  const any = () => tokenText(1 + Math.floor(Math.random() * count))
  return {
    floor: () => db.short(FLOOR),
    statement: () => db.short(statement, [[`\\x${hexDigestOf(any())}`]]),
    whole: async () => {
      if ((await lookup(any())) === null) throw new Error('a valid token was rejected')
    },
  }
}

type Measured = {
  readonly perSecond: number
  readonly p50Us: number
  readonly nodeUs: number
  readonly postgresUs: number
}

type Setup = { readonly checks: Checks; readonly postgresCpu: () => number }

/** Measures the checks in turns, each round in another order: first many at once for throughput, then one by one for latency. */
async function reportSpeed(numbers: Numbers, { checks, postgresCpu }: Setup): Promise<void> {
  const ms = numbers.seconds * 1_000
  const measure = async (check: Check): Promise<Measured> => {
    const [node, postgres] = [process.cpuUsage(), postgresCpu()]
    const busy = await repeat(check, { ms, inFlight: numbers['in-flight'] })
    const { user, system } = process.cpuUsage(node)
    const done = busy.latenciesMs.length
    const postgresUs = ((postgresCpu() - postgres) * 1_000_000) / done
    const alone = await repeat(check, { ms: ms / 4, inFlight: 1 })
    const p50Us = percentile(alone.latenciesMs, 0.5) * 1_000
    return { perSecond: (done * 1_000) / busy.ms, p50Us, nodeUs: (user + system) / done, postgresUs }
  }
  const names = ['floor', 'statement', 'whole'] as const
  const measured = new Map<string, Measured[]>(names.map((name) => [name, []]))
  for (const name of names) await repeat(checks[name], { ms, inFlight: numbers['in-flight'] })
  for (let round = 0; round < numbers.rounds; round++) {
    const first = round % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      measured.get(name)?.push(await measure(checks[name]))
    }
  }
  const row = (title: string, of: (each: Measured) => number) => {
    const [floor = 0, ...others] = names.map((name) => median(measured.get(name)?.map(of) ?? []))
    const values = others.flatMap((value) => [whole(value), `${(value / floor).toFixed(2)}×`])
    return [title, whole(floor), ...values] as const
  }
  printTable(
    `The check through the pipelined connection: medians of ${numbers.rounds} rounds of ${numbers.seconds} s`,
    [
      ['', 'select 1', 'statement', ': floor', 'whole check', ': floor'],
      row(`a second, ${numbers['in-flight']} in flight`, ({ perSecond }) => perSecond),
      row('µs each, one in flight, p50', ({ p50Us }) => p50Us),
      row('µs of processor a response, Node', ({ nodeUs }) => nodeUs),
      row('µs of processor a response, PostgreSQL', ({ postgresUs }) => postgresUs),
    ],
  )
}

async function repeat(check: Check, { ms, inFlight }: { readonly ms: number; readonly inFlight: number }) {
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  const one = async () => {
    for (let at = performance.now(); at - startedAt < ms; ) {
      await check()
      const doneAt = performance.now()
      latenciesMs.push(doneAt - at)
      at = doneAt
    }
  }
  await Promise.all(Array.from({ length: inFlight }, one))
  return { latenciesMs, ms: performance.now() - startedAt }
}
