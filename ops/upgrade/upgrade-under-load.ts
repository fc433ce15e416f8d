import { setTimeout as wait } from 'node:timers/promises'
import { printTable, whole } from '../../bench/table.ts'
import type { Random } from '../../server/test/prove/random.ts'
import { watch } from '../support/availability.ts'
import { openCopies } from '../support/copies.ts'
import { missingDeliveries } from '../support/deliveries.ts'
import { factLoad, lostFacts } from '../support/facts.ts'
import { Statuses } from '../support/http.ts'
import type { Machine } from '../support/machine.ts'
import { deliveryKey } from '../support/receiver.ts'
import { type Check, reportChecks } from '../support/report-checks.ts'
import { logStep } from '../support/run.ts'
import { readOnce, tokenLoad } from '../support/tokens.ts'
import type { Install } from './install.ts'
import { type Lock, watchLocks } from './locks.ts'
import { readStreams } from './streams.ts'

/** Facts in one request, which takes longer than most requests. */
const LONG_REQUEST = 400
const WRITERS = 2
const STREAMS = 3
const BOTH_VERSIONS_MS = 10_000

type Upgrade = {
  readonly install: Install
  readonly rows: number
  readonly lockMs: number
  readonly seed: number
  readonly random: Random
}

/** Replaces one process after the other: SIGTERM, wait for the end, start the new release in its place. */
async function replaceAll({ old, first, present }: Install): Promise<readonly string[]> {
  const faults: string[] = []
  logStep('the first process of the new release starts, and migrates')
  first.launch(present)
  await first.ready()
  logStep('both releases run side by side')
  await wait(BOTH_VERSIONS_MS)
  for (const each of old) {
    logStep(`replacing ${each.name}`)
    const code = await each.replace(present)
    if (code !== 0) faults.push(`${each.name} ended with ${code}`)
    await wait(2_000)
  }
  return faults
}

/** Resolves to true if all checks passed. */
export async function upgradeUnderLoad(
  machine: Machine,
  { install, rows, lockMs, seed, random }: Upgrade,
): Promise<boolean> {
  const { stage, receiver, server, previous } = install
  const isOver = { now: false }
  const over = () => isOver.now
  const statuses = new Statuses()
  const facts = factLoad(stage, statuses)
  const tokens = tokenLoad(stage, [{ name: 'the proxy', url: stage.baseUrl }], statuses)
  const copies = openCopies(stage, machine.directory)
  const streams = await readStreams(stage, STREAMS)
  await wait(2_000)
  const writes = watch(() => facts.probe(30_000), over)
  const reads = watch(() => readOnce(stage, statuses, 30_000), over)
  const working = Promise.all([
    ...Array.from({ length: WRITERS }, () => facts.write(random.fork(), 150, over)),
    facts.writeMany(LONG_REQUEST, over),
    ...copies.map((copy) => copy.syncRepeatedly(random.fork(), over)),
    tokens.work(random.fork(), over),
  ])
  working.catch(() => {})
  const watching = watchLocks(server.url.replace('portico@', 'postgres@'), over)
  await wait(5_000)
  const exits = await replaceAll(install)
  await wait(3_000)

  logStep('ending the load and checking the results')
  const gaps = { write: writes.longestGap(0), read: reads.longestGap(0) }
  isOver.now = true
  await working
  const locks = await watching
  await tokens.useAllTokens()
  const failed = statuses.failures
  const lost = await lostFacts(stage, facts.acknowledged, statuses)
  const delivered = await missingDeliveries(stage, facts.acknowledged, { receiver, statuses })
  const interrupted = copies
    .filter(({ counts }) => counts.interrupted > 0)
    .map(({ name, counts }) => `${name}: ${counts.interrupted}`)
  const differences = (await Promise.all(copies.map((copy) => copy.differences()))).flat()
  const wanted = facts.acknowledged
    .flatMap(({ events }) => events)
    .filter(({ event }) => event.startsWith('investment.'))
    .map(({ id }) => deliveryKey(id, stage.installation))
  const unread = await streams.lacking(wanted)
  const twice = [...receiver.received].filter(([, times]) => times > 1).map(([key]) => key)
  const slow = locks.filter(({ ms }) => ms > lockMs).map(nameOfLock)

  const checks: readonly Check[] = [
    ['requests failed', statuses.total, failed],
    ['runs of a sync interrupted', copies.reduce((sum, { counts }) => sum + counts.runs, 0), interrupted],
    ['processes that did not end with 0 after SIGTERM', install.old.length, exits],
    ['acknowledged facts lost', facts.acknowledged.length, lost],
    ['facts rejected', facts.acknowledged.length, facts.refused],
    ['entitled deliveries lost', delivered.entitled, delivered.missing],
    ['deliveries sent twice', receiver.received.size, twice],
    ['deliveries with a wrong signature', receiver.received.size, receiver.faults],
    ['streams that ended without saying why, or failed', streams.ended, streams.faults],
    ['events that a stream lacks', wanted.length * STREAMS, unread],
    ['records in which a copy differs from a listing', copies.length, differences],
    ['tokens in the wrong state accepted or rejected', tokens.issued, tokens.faults],
    [`locks of a table for more than ${lockMs} ms`, locks.length, slow],
  ]
  printTable('What happened', [
    ['migrations', previous.newMigrations.join(', ')],
    ['longest locks', locks.slice(0, 5).map(nameOfLock).join('; ')],
    ['longest time without a write', `${whole(gaps.write)} ms`],
    ['longest time without a read', `${whole(gaps.read)} ms`],
    ['streams that ended with server_closing', String(streams.ended)],
    ['responses', statuses.toString()],
  ])
  return reportChecks(`Rolling upgrade from ${previous.commit.slice(0, 12)}, ${whole(rows)} rows, seed ${seed}`, checks)
}

const nameOfLock = ({ relation, mode, ms }: Lock) => `${relation} ${mode} ${whole(ms)} ms`
