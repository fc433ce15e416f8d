import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../../server/test/prove/random.ts'
import { until } from '../support/http.ts'
import type { Cluster } from './cluster.ts'

/** A way to break a part of the cluster. `movesPrimary` says whether a new primary must take over. */
export type Failure = {
  readonly name: FailureName
  readonly movesPrimary: boolean
  strike(cluster: Cluster, random: Random): Promise<void>
}

export type FailureName =
  | 'kill -9 PostgreSQL of the primary'
  | 'kill -9 the whole primary node'
  | 'freeze the primary node'
  | 'kill an etcd'
  | 'kill Redis'
  | 'kill an API process'
  | 'kill a worker'

/** Longer than Patroni's `ttl`, so that a standby takes over while the old primary is frozen. */
const FROZEN_MS = 28_000

async function primaryOf({ postgres }: Cluster): Promise<string> {
  const primary = await postgres.primary()
  if (primary === null) throw new Error('there is no primary to kill or freeze')
  return primary
}

/** Far beyond `ttl`: a run in which no standby takes over fails instead of waiting. */
const TAKEN_OVER_WITHIN_MS = 240_000

async function movedFrom(old: string, { postgres }: Cluster): Promise<void> {
  await until(`a standby takes over from ${old}`, TAKEN_OVER_WITHIN_MS, async () => {
    const now = await postgres.primary()
    return now !== null && now !== old
  })
}

const killPostgres: Failure = {
  name: 'kill -9 PostgreSQL of the primary',
  movesPrimary: true,
  strike: async (cluster) => {
    const old = await primaryOf(cluster)
    cluster.postgres.killPostgres(old)
    await movedFrom(old, cluster)
  },
}

const killNode: Failure = {
  name: 'kill -9 the whole primary node',
  movesPrimary: true,
  strike: async (cluster) => {
    const old = await primaryOf(cluster)
    await cluster.postgres.killNode(old)
    await movedFrom(old, cluster)
    cluster.postgres.startAgain(old)
  },
}

const freeze: Failure = {
  name: 'freeze the primary node',
  movesPrimary: true,
  strike: async (cluster) => {
    const old = await primaryOf(cluster)
    cluster.postgres.freeze(old)
    // The old primary continues after another node has replaced it.
    await Promise.all([wait(FROZEN_MS), movedFrom(old, cluster)])
    cluster.postgres.thaw(old)
  },
}

const killEtcd: Failure = {
  name: 'kill an etcd',
  movesPrimary: false,
  strike: async ({ etcd }, random) => {
    const name = random.pick(etcd.names)
    await etcd.kill(name)
    await wait(3_000)
    etcd.startAgain(name)
  },
}

const killRedis: Failure = {
  name: 'kill Redis',
  movesPrimary: false,
  strike: async ({ redis }) => {
    await redis.kill()
    await wait(3_000)
    await redis.startAgain()
  },
}

const killPortico = (name: FailureName, nodesOf: (cluster: Cluster) => Cluster['api']): Failure => ({
  name,
  movesPrimary: false,
  strike: async (cluster) => {
    // Kills the processes one after the other, and starts each again, as a service manager would do.
    for (const node of nodesOf(cluster)) {
      await node.end('SIGKILL')
      await wait(500)
      node.launch()
      await node.ready()
    }
  },
})

const OTHERS: readonly Failure[] = [
  freeze,
  killPortico('kill an API process', ({ api }) => api),
  killEtcd,
  killPortico('kill a worker', ({ workers }) => workers),
  killRedis,
]

/**
 * Plans `kills` kills of the primary, and another kind of failure after every second kill. The kinds that the plan then still
 * lacks are added at its end.
 */
export function planFailures(kills: number, random: Random): readonly Failure[] {
  const plan: Failure[] = []
  for (let kill = 0; kill < kills; kill++) {
    plan.push(random.oneIn(2) ? killNode : killPostgres)
    const other = OTHERS[Math.floor(kill / 2) % OTHERS.length]
    if (kill % 2 === 1 && other !== undefined) plan.push(other)
  }
  return [...plan, ...OTHERS.filter((each) => !plan.includes(each))]
}
