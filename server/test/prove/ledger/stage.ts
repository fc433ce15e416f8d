import { randomBytes } from 'node:crypto'
import { DERIVATION } from '#ledger/derive/record.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { openDatabases } from '#system/postgres/open.ts'
import { statement } from '#system/postgres/statement.ts'
import type { TestDatabase } from '#test/database.ts'
import { PATIENT } from '#test/patient.ts'
import { type Faults, withFaults } from '../fault-injection.ts'
import { noFindings } from '../findings.ts'
import type { Random } from '../random.ts'
import type { Findings } from './findings.ts'
import { createFixedData, type FixedData } from './fixed-data.ts'
import { oneByOneDatabase } from './one-by-one.ts'
import { type KillableWorker, startPublisherProcess, startServerProcess } from './processes.ts'
import { publishEverything, publishOnce } from './publishers.ts'
import { type Server, startServer } from './servers.ts'
import type { Scene } from './writers.ts'

const BACKEND = statement<{ pid: number }>('probe.prove_backend', 'select pg_backend_pid() as pid')

/** The servers, publishers and data of a run. */
export type Stage = {
  readonly db: TestDatabase
  readonly fixed: FixedData
  readonly scene: Scene
  readonly findings: Findings
  /** The current derivation of the publishers. */
  version: number
  readonly servers: Server[]
  server(random: Random): string
  replaceServer(random: Random): Promise<void>
  /** Runs a slow publisher for a batch or for a while. It may be killed in the middle. */
  publishOnce(random: Random): Promise<void>
  publishEverything(): Promise<void>
  close(): Promise<void>
}

const EXTENT = { companies: 3, readers: 2, investors: 9 }
/** Whether servers and publishers run in this process, or in separate processes that are killed. */
export type RunMode = 'in this process' | 'processes'

const SERVERS = 2
const PUBLISHER_CONNECTIONS = 5
const LIFETIME_MAX_MS = 4_000
/** A publisher's connection ends at one of this many statements. */
const KILLED_ONE_IN = 150

export async function openStage(bodies: RunMode): Promise<Stage> {
  const db = await oneByOneDatabase()
  const findings: Findings = noFindings()
  const fixed = await createFixedData(db, EXTENT)
  const parts = { databaseUrl: db.url, secret: randomBytes(32).toString('hex'), faults: {} }
  const start = () => (bodies === 'processes' ? startServerProcess(parts) : startServer(parts))
  const servers = await Promise.all(Array.from({ length: SERVERS }, start))
  const publishers = await (bodies === 'processes' ? processesPublishing(db) : connectionsPublishing(db))
  const stage: Stage = {
    ...{ db, fixed, findings, servers },
    scene: { db: db.databases.test, fixed, investments: [], revision: 0, findings },
    version: DERIVATION.version,
    server: (random) => random.pick(servers).url,
    replaceServer: async (random) => {
      const at = random.below(servers.length)
      const old = servers[at]
      // The old server is killed before the new server starts, so for a while one server is missing, as in production.
      await old?.kill()
      servers[at] = await start()
    },
    publishOnce: (random) => publishers.publishOnce(random, stage.version),
    publishEverything: async () => {
      await publishers.stop()
      await publishEverything(db.databases.test, stage.version)
    },
    close: async () => {
      await Promise.all(servers.map((server) => server.kill()))
      await publishers.close()
      await db.close()
    },
  }
  return stage
}

type Publishers = {
  publishOnce(random: Random, version: number): Promise<void>
  /** Stops the publishers until `publishOnce` is called again. */
  stop(): Promise<void>
  close(): Promise<void>
}

async function connectionsPublishing(db: TestDatabase): Promise<Publishers> {
  const publishing = await openDatabases({
    url: db.url,
    poolSize: PUBLISHER_CONNECTIONS,
    times: PATIENT,
    onError: () => {},
  })
  return {
    publishOnce: (random, version) => publishOnce(withFaults(publishing.test, nervous(db, random)), random, version),
    stop: async () => {},
    close: () => publishing.close(),
  }
}

/** Each call starts a new process, which works for a while and is killed in the middle of its work. */
async function processesPublishing(db: TestDatabase): Promise<Publishers> {
  const alive = new Set<KillableWorker>()
  const stop = async () => {
    await Promise.all([...alive].map((each) => each.kill()))
    alive.clear()
  }
  return {
    publishOnce: async (random, version) => {
      const publisher = await startPublisherProcess({ databaseUrl: db.url, version, seed: random.below(2 ** 32) })
      alive.add(publisher)
      await random.pause(LIFETIME_MAX_MS)
      await publisher.kill()
      alive.delete(publisher)
    },
    stop,
    close: stop,
  }
}

/** Publishes slowly, as on a busy machine. The connection may end at any statement, which ends the transaction. */
function nervous(db: TestDatabase, random: Random): Faults {
  const die = async (queries: WorldQueries) => {
    const { pid } = await queries.one(BACKEND)
    await db.sql('select pg_terminate_backend($1)', [pid])
  }
  return {
    before: async (_name, queries) => {
      if (random.oneIn(3)) await random.pause(6)
      if (random.oneIn(KILLED_ONE_IN)) await die(queries)
    },
    beforeCommit: async (queries) => {
      await random.pause(8)
      if (random.oneIn(KILLED_ONE_IN / 10)) await die(queries)
    },
  }
}
