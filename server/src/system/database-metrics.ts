import { Gauge, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client'
import type { World } from '#kernel/world.ts'
import type { PoolUse } from './postgres/database.ts'
import type { QueueLength } from './postgres/statement.ts'

export type Pools = Readonly<Record<string, { poolUse(): readonly PoolUse[] }>>

/** The pools of this thread, by name; read when metrics are collected. */
export function measurePools(registry: Registry, pools: Pools): void {
  const connections: Gauge = new Gauge({
    name: 'portico_database_connections',
    help: 'Pooled database connections, in use and idle.',
    labelNames: ['pool', 'home', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, { poolUse }] of Object.entries(pools)) {
        for (const { home, inUse, idle } of poolUse()) {
          connections.set({ pool, home, state: 'in_use' }, inUse)
          connections.set({ pool, home, state: 'idle' }, idle)
        }
      }
    },
  })
  const waiting: Gauge = new Gauge({
    name: 'portico_database_waiting',
    help: 'Callers that wait for a pooled connection.',
    labelNames: ['pool', 'home'],
    registers: [registry],
    collect() {
      for (const [pool, { poolUse }] of Object.entries(pools)) {
        for (const use of poolUse()) waiting.set({ pool, home: use.home }, use.waiting)
      }
    },
  })
  const shortReads: Gauge = new Gauge({
    name: 'portico_short_reads_in_flight',
    help: 'Statements in flight on the shared connection of short reads.',
    labelNames: ['pool', 'home'],
    registers: [registry],
    collect() {
      for (const [pool, { poolUse }] of Object.entries(pools)) {
        for (const use of poolUse()) {
          if (use.shortReads !== null) shortReads.set({ pool, home: use.home }, use.shortReads)
        }
      }
    },
  })
}

export type Queue = QueueLength & { readonly queue: string; readonly world: World | 'platform' }

export type LedgerState = { readonly world: World; readonly setAside: number; readonly publisherSeconds: number }

/**
 * Values that are read from the database when metrics are collected. Every process reads the same values, so they have no label
 * for a thread or process. Take the maximum over all nodes, never the sum.
 */
export function databaseSnapshot(queues: readonly Queue[], ledgers: readonly LedgerState[]) {
  const registry = new Registry()
  const registers = [registry]
  const length = new Gauge({
    name: 'portico_queue_length',
    help: 'Entries that wait in a queue, counted up to ten thousand.',
    labelNames: ['queue', 'world'],
    registers,
  })
  const oldest = new Gauge({
    name: 'portico_queue_oldest_seconds',
    help: 'How long the oldest entry of a queue has waited. In the queue of deliveries, retries and failing endpoints do not count.',
    labelNames: ['queue', 'world'],
    registers,
  })
  for (const { queue, world, waiting, oldestSeconds } of queues) {
    length.set({ queue, world }, waiting)
    oldest.set({ queue, world }, oldestSeconds)
  }
  const publisher = new Gauge({
    name: 'portico_publisher_seconds',
    help: 'How long ago a publisher of the ledger last recorded that it works.',
    labelNames: ['world'],
    registers,
  })
  const setAside = new Gauge({
    name: 'portico_ledger_set_aside',
    help: 'Changes that could not be published and are retried every ten minutes.',
    labelNames: ['world'],
    registers,
  })
  for (const ledger of ledgers) {
    publisher.set({ world: ledger.world }, ledger.publisherSeconds)
    setAside.set({ world: ledger.world }, ledger.setAside)
  }
  return registry.getMetricsAsJSON() as Promise<MetricObjectWithValues<MetricValue<string>>[]>
}
