import { loadavg } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { median, percentile, printTable, whole } from '../../bench/table.ts'
import type { Random } from '../../server/test/prove/random.ts'
import { watch } from '../support/availability.ts'
import { openCopies } from '../support/copies.ts'
import { missingDeliveries } from '../support/deliveries.ts'
import { factLoad, lostFacts } from '../support/facts.ts'
import { freshnessLoad, staleReads } from '../support/freshness.ts'
import { Statuses } from '../support/http.ts'
import type { Machine } from '../support/machine.ts'
import type { Receiver } from '../support/receiver.ts'
import { type Check, reportChecks } from '../support/report-checks.ts'
import { logStep } from '../support/run.ts'
import { readOnce, tokenLoad } from '../support/tokens.ts'
import type { Cluster } from './cluster.ts'
import { type Failure, planFailures } from './failures.ts'
import { watchPositions } from './positions.ts'

/** How long the API was unavailable after one failure, in milliseconds. */
type Outage = { readonly failure: Failure; readonly writesMs: number; readonly readsMs: number }

const WRITERS = 2
const PROBE_TIMEOUT_MS = 3_000

type Run = {
  readonly cluster: Cluster
  readonly receiver: Receiver
  readonly kills: number
  readonly seed: number
  readonly random: Random
}

/** Resolves to true if all checks passed. */
export async function runUnderLoad(
  machine: Machine,
  { cluster, receiver, kills, seed, random }: Run,
): Promise<boolean> {
  const { stage, api } = cluster
  const isOver = { now: false }
  const over = () => isOver.now
  const statuses = new Statuses()
  const facts = factLoad(stage, statuses)
  const places = [{ name: 'the proxy', url: stage.baseUrl }, ...api]
  const tokens = tokenLoad(stage, places, statuses)
  const freshness = freshnessLoad(stage, places, statuses)
  const copies = openCopies(stage, machine.directory)
  const positions = watchPositions(cluster.databaseUrl, over)
  const writes = watch(() => facts.probe(PROBE_TIMEOUT_MS), over)
  const reads = watch(() => readOnce(stage, statuses, PROBE_TIMEOUT_MS), over)
  const working = Promise.all([
    ...Array.from({ length: WRITERS }, () => facts.write(random.fork(), 150, over)),
    ...copies.map((copy) => copy.syncRepeatedly(random.fork(), over)),
    tokens.work(random.fork(), over),
    freshness.work(over),
  ])
  const broken: { error?: unknown } = {}
  working.catch((error: unknown) => {
    broken.error = error
  })

  const outages: Outage[] = []
  const loads: number[] = []
  const plan = planFailures(kills, random)
  for (const [at, failure] of plan.entries()) {
    await wait(2_000 + random.below(3_000))
    if ('error' in broken) throw broken.error
    logStep(`${at + 1} of ${plan.length}: ${failure.name}`)
    const startedMs = performance.now()
    await failure.strike(cluster, random)
    await Promise.all([writes.steady(10), reads.steady(10)])
    const outage = { failure, writesMs: writes.longestGap(startedMs), readsMs: reads.longestGap(startedMs) }
    outages.push(outage)
    loads.push(loadavg()[0] ?? 0)
    logStep(`    no write succeeded for ${seconds(outage.writesMs)}, no read for ${seconds(outage.readsMs)}`)
    await cluster.untilWhole()
  }

  logStep('ending the load and checking the results')
  isOver.now = true
  await working
  await tokens.useAllTokens()
  const lost = await lostFacts(stage, facts.acknowledged, statuses)
  const delivered = await missingDeliveries(stage, facts.acknowledged, { receiver, statuses })
  const differences = (await Promise.all(copies.map((copy) => copy.differences()))).flat()
  await positions.finish()
  const stale = await staleReads(api)
  const unused = (stale.get('replica') ?? 0) > 0 ? [] : ['no read ran on a replica']

  const checks: readonly Check[] = [
    ['acknowledged facts lost', facts.acknowledged.length, lost],
    ['facts rejected', facts.acknowledged.length, facts.refused],
    ['entitled deliveries lost', delivered.entitled, delivered.missing],
    ['deliveries with a wrong signature', receiver.received.size, receiver.faults],
    ['records in which a copy differs from a listing', copies.length, differences],
    ['requests with a token in the wrong state accepted or rejected', tokens.issued, tokens.faults],
    ['positions assigned twice in an epoch', positions.count, positions.faults],
    ['responses without a change of the catalogue that was acknowledged', freshness.checked, freshness.faults],
    ['replicas unused', stale.get('replica') ?? 0, unused],
    ['responses 500', writes.sent + reads.sent, statuses.faults],
  ]
  printOutages(outages)
  const runs = copies.map(({ counts }) => counts)
  const sum = (pick: (counts: (typeof runs)[number]) => number) => runs.reduce((all, counts) => all + pick(counts), 0)
  printTable('What happened', [
    ['epochs that began', String(positions.epochs)],
    ['tokens issued, and revoked', `${tokens.issued}, ${tokens.revoked}`],
    [
      'runs of a sync, interrupted, and listings',
      [sum((d) => d.runs), sum((d) => d.interrupted), sum((d) => d.listings)].join(', '),
    ],
    [
      'reads of replicas since the processes were last started, and of the primary instead',
      [...stale].map(([outcome, count]) => `${outcome}: ${count}`).join(', '),
    ],
    ['write probes, and failed', `${writes.sent}, ${writes.failed}`],
    ['read probes, and failed', `${reads.sent}, ${reads.failed}`],
    ['responses', statuses.toString()],
    ['load of the machine after each failure, median and most', loadOf(loads)],
  ])
  return reportChecks(`High availability: ${kills} kills of the primary, seed ${seed}`, checks)
}

const loadOf = (loads: readonly number[]) => `${whole(median(loads), 1)}, ${whole(Math.max(...loads), 1)}`
const seconds = (ms: number) => `${whole(ms / 1_000, 1)} s`

function printOutages(outages: readonly Outage[]): void {
  const names = [...new Set(outages.map(({ failure }) => failure.name))]
  const row = (name: string, of: readonly Outage[]) => {
    const [writes, reads] = [of.map(({ writesMs }) => writesMs), of.map(({ readsMs }) => readsMs)]
    const figures = [median(writes), percentile(writes, 0.95), median(reads), percentile(reads, 0.95)]
    return [name, String(of.length), ...figures.map(seconds)] as const
  }
  const failovers = outages.filter(({ failure }) => failure.movesPrimary)
  printTable('Unavailability: the longest time without a success', [
    ['', 'times', 'writes p50', 'writes p95', 'reads p50', 'reads p95'],
    row('every failover', failovers),
    ...names.map((name) =>
      row(
        name,
        outages.filter(({ failure }) => failure.name === name),
      ),
    ),
  ])
}
