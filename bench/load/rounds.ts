import { cpuSeconds, postgresIn, postgresOf, serverOf, watchMemory } from '../processes.ts'
import { percentile } from '../table.ts'
import type { Load } from './generator.ts'
import type { Generator } from './with-generator.ts'

/** One of the compared sides: its process, and the requests that it gets. */
export type Side = {
  readonly pid: number
  readonly load: Omit<Load, 'ms'>
  /**
   * Runs before each round of this side. If two sides share a process, this function switches the process to the state
   * of this side.
   */
  readonly prepare?: () => Promise<void>
}

export type Round = {
  readonly answers: number
  readonly perSecond: number
  /** Responses per second of processor time. All processes and threads of the server are counted together. */
  readonly perCpuSecond: number
  /** Microseconds of processor time per response. */
  readonly serverUs: number
  /** Microseconds of the primary's processor time per response; a replica is counted separately. */
  readonly postgresUs: number
  readonly replicaUs: number
  readonly generatorUs: number
  /** The maximum resident memory of the side's process in this round. */
  readonly memoryMib: number
  readonly p50Ms: number
  readonly p99Ms: number
}

type Setup = {
  readonly generator: Generator
  readonly dataDirectory: string
  /** The folders of a PostgreSQL that the measured service did not start, and of its replica. */
  readonly servers?: { readonly primary: string; readonly replica: string }
}

/** Loads one side for this long, watches its memory, and reads the processor time of all processes before and after. */
async function runRound({ pid, load, prepare }: Side, ms: number, setup: Setup): Promise<Round> {
  await prepare?.()
  const { generator, dataDirectory, servers } = setup
  const cpuTimes = () => ({
    server: cpuSeconds(serverOf(pid, dataDirectory)),
    postgres: cpuSeconds(servers === undefined ? postgresOf(dataDirectory) : postgresIn(servers.primary)),
    replica: servers === undefined ? 0 : cpuSeconds(postgresIn(servers.replica)),
    generator: cpuSeconds([generator.pid]),
  })
  const memory = watchMemory(pid)
  const before = cpuTimes()
  const { answers, ms: took, latenciesMs } = await generator.run({ ...load, ms })
  const after = cpuTimes()
  const eachUs = (from: number, to: number) => ((to - from) * 1_000_000) / answers
  return {
    answers,
    perSecond: (answers * 1_000) / took,
    perCpuSecond: answers / (after.server - before.server),
    serverUs: eachUs(before.server, after.server),
    postgresUs: eachUs(before.postgres, after.postgres),
    replicaUs: eachUs(before.replica, after.replica),
    generatorUs: eachUs(before.generator, after.generator),
    memoryMib: memory.stop(),
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
  }
}

export type Rounds = { readonly warmUp: Round; readonly measured: readonly Round[] }

/** Runs all sides in turns. Every other round reverses the order, so that the order does not favour one side. */
export async function runRounds<Name extends string>(
  sides: Readonly<Record<Name, Side>>,
  { rounds, warmUpMs, ms }: { readonly rounds: number; readonly warmUpMs: number; readonly ms: number },
  setup: Setup,
): Promise<Record<Name, Rounds>> {
  const names = Object.keys(sides) as Name[]
  const warmUps = new Map<Name, Round>()
  const measured = new Map<Name, Round[]>(names.map((name) => [name, []]))
  for (const name of names) warmUps.set(name, await runRound(sides[name], warmUpMs, setup))
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      measured.get(name)?.push(await runRound(sides[name], ms, setup))
    }
  }
  const entries = names.map((name) => [name, { warmUp: warmUps.get(name), measured: measured.get(name) }])
  return Object.fromEntries(entries) as Record<Name, Rounds>
}
