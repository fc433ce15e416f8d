import { BYTES, COSTS } from './costs.ts'

export type Install = {
  readonly investments: number
  readonly partners: number
  /** Events a second, on average over the busiest hour. */
  readonly eventsPerSecond: number
}

/** Assumptions about partners and the platform. docs/capacity.md lists them, and what changes if your values differ. */
const ASSUMED = {
  /** Endpoints that are entitled to an event, on average. */
  receivers: 2,
  /** A partner that syncs sends a request every ten seconds. */
  pagesPerPartnerAndSecond: 0.1,
  /** The average rate over 90 days, divided by that of the busiest hour. */
  averageOfPeak: 0.1,
  eventDays: 90,
  deliveryDays: 30,
  /** Above this share of a resource, work waits in a queue in front of it. */
  fullAt: 0.6,
}

const SECONDS_A_DAY = 86_400
const MICROSECONDS = 1e6

/** A limited resource, how much of it the load uses, and what to do when it is used up (`lift`). */
export type Resource = { readonly name: string; readonly unit: string; readonly used: number; readonly lift: string }

/** The sizes that one machine of each kind has today, in the units of the resources. */
const ONE_MACHINE: Readonly<Record<string, number>> = {
  'API processes': 16,
  'worker processes': 16,
  'processors of the primary': 32,
  'publisher of the live world': 1,
  'storage of the primary': 8,
}

export function resourcesOf({ investments, partners, eventsPerSecond }: Install): readonly Resource[] {
  const { receivers, pagesPerPartnerAndSecond, averageOfPeak, eventDays, deliveryDays } = ASSUMED
  const pages = partners * pagesPerPartnerAndSecond
  const deliveries = eventsPerSecond * receivers
  const cores = (perSecond: number, cost: keyof typeof COSTS) => (perSecond * COSTS[cost].value) / MICROSECONDS
  const daily = eventsPerSecond * averageOfPeak * SECONDS_A_DAY
  const bytes =
    investments * (BYTES.investment + BYTES.ledgerHead) +
    daily * eventDays * BYTES.event +
    daily * receivers * deliveryDays * BYTES.delivery
  return [
    {
      name: 'API processes',
      unit: 'processors',
      used: cores(eventsPerSecond, 'factInNode') + cores(pages, 'pageInNode'),
      lift: 'more API processes; they share nothing but PostgreSQL and Redis',
    },
    {
      name: 'worker processes',
      unit: 'processors',
      used: cores(deliveries, 'deliveryInNode'),
      lift: 'more workers; each takes lanes of its own',
    },
    {
      name: 'processors of the primary',
      unit: 'processors',
      used:
        cores(eventsPerSecond, 'factInPostgres') +
        cores(eventsPerSecond, 'changeInPostgres') +
        cores(deliveries, 'deliveryInPostgres') +
        cores(pages, 'pageInPostgres'),
      lift: 'a larger primary, replicas for reads that may be stale, then PostgreSQL sharded by company (Citus)',
    },
    {
      name: 'publisher of the live world',
      unit: 'connections',
      used: cores(eventsPerSecond, 'changeOnPublisher'),
      lift: 'one ledger for each shard of companies: positions are compared within a reader’s companies only',
    },
    {
      name: 'storage of the primary',
      unit: 'TB',
      used: bytes / 1e12,
      lift: 'events in a partition for each week, as deliveries are, and old partitions on cheaper storage; then shards',
    },
  ]
}

export type Bottleneck = { readonly resource: Resource; readonly share: number; readonly isFull: boolean }

/** The resource that is used up first if there is one machine of each kind. */
export function firstBottleneck(install: Install): Bottleneck {
  const shares = resourcesOf(install).map((resource) => ({
    resource,
    share: resource.used / (ONE_MACHINE[resource.name] ?? 1),
  }))
  const [first] = shares.sort((a, b) => b.share - a.share)
  if (first === undefined) throw new Error('the model has no resources')
  return { ...first, isFull: first.share > ASSUMED.fullAt }
}
