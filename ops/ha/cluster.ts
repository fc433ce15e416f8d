import { freePort } from '../../server/test/support/free-port.ts'
import { until } from '../support/http.ts'
import type { Machine } from '../support/machine.ts'
import { commonSettings, PorticoNode, presentRelease } from '../support/portico.ts'
import type { Receiver } from '../support/receiver.ts'
import { logStep } from '../support/run.ts'
import { makeDemo, type Stage, setStage } from '../support/stage.ts'
import { Etcd } from './etcd.ts'
import { startProxy } from './haproxy.ts'
import { PostgresNodes } from './postgres-nodes.ts'
import { RedisNode } from './redis.ts'

/**
 * The parts of the cluster: etcd, PostgreSQL and Redis, two API processes and two workers, each on its own ports and, if it stores
 * data, in its own folder. HAProxy runs in front of them.
 */
export type Cluster = {
  readonly etcd: Etcd
  readonly postgres: PostgresNodes
  readonly redis: RedisNode
  readonly api: readonly PorticoNode[]
  readonly workers: readonly PorticoNode[]
  readonly stage: Stage
  /** The address of PostgreSQL's primary, through the proxy. */
  readonly databaseUrl: string
  /** Resolves when etcd, PostgreSQL and all processes of Portico are ready. Redis and HAProxy are not checked. */
  untilWhole(): Promise<void>
}

const WHOLE_WITHIN_MS = 240_000

export async function startCluster(machine: Machine, receiver: Receiver): Promise<Cluster> {
  logStep('bundling Portico')
  const release = await presentRelease(machine)
  logStep('starting three etcd')
  const etcd = await Etcd.start(machine)
  logStep('starting three PostgreSQL under Patroni')
  const postgres = await PostgresNodes.start(machine, etcd.hosts)
  const redis = await RedisNode.start(machine)

  const ports = { api: await freePort(), database: await freePort() }
  const baseUrl = `http://127.0.0.1:${ports.api}`
  const databaseUrl = postgres.url(ports.database)
  // Every PostgreSQL is listed, because after a failover each may be a replica. Portico skips the one that is the primary.
  const replicas = postgres.nodes.map(({ port }) => postgres.url(port)).join()
  const settings = {
    ...commonSettings(databaseUrl, baseUrl),
    REDIS_URL: redis.url,
    PORTICO_REPLICA_URLS: replicas,
  }
  const node = async (name: string, role: 'api' | 'worker') =>
    new PorticoNode(machine, release, settings, { name, role, port: await freePort() })
  const api = [await node('api1', 'api'), await node('api2', 'api')]
  const workers = [await node('worker1', 'worker'), await node('worker2', 'worker')]
  await startProxy(machine, {
    api: { port: ports.api, servers: api },
    database: { port: ports.database, servers: postgres.nodes },
  })
  logStep('making the demo world, whose people and apps the load uses')
  const demo = await makeDemo(machine, release, { settings, port: await freePort() })
  logStep('starting two API processes and two workers')
  for (const each of [...api, ...workers]) each.launch()
  await Promise.all([...api, ...workers].map((each) => each.ready()))
  const stage = await setStage(baseUrl, demo, receiver)

  const isReady = async (each: PorticoNode) => (await each.readiness()) === 200
  const untilWhole = () =>
    until('etcd, PostgreSQL and all processes are ready again', WHOLE_WITHIN_MS, async () => {
      const parts = [etcd.isHealthy(), postgres.isWhole(), ...[...api, ...workers].map(isReady)]
      return (await Promise.all(parts)).every(Boolean)
    })
  return { etcd, postgres, redis, api, workers, stage, databaseUrl, untilWhole }
}
