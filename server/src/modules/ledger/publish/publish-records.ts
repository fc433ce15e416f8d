import { setImmediate as others } from 'node:timers/promises'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Facts } from '../derive/facts.ts'
import { readFacts } from '../derive/facts-store.ts'
import type { Derivation } from '../derive/record.ts'
import { isSameRecord, renderRecord } from '../derive/render.ts'
import { announce, eventsOf, type Published } from './announce.ts'
import { departuresOf } from './departures.ts'
import { writeDepartures } from './departures-store.ts'
import type { Head } from './head.ts'
import { readHeads, writeHeads } from './heads-store.ts'
import type { HeldLedger } from './hold-ledger.ts'
import { type Difference, nextHead } from './next-head.ts'
import type { Cause } from './reason.ts'
import { statsDeltas } from './stats.ts'
import { addToStats } from './stats-store.ts'
import { findWaiting } from './waiting-store.ts'

export type Order = {
  readonly ledger: HeldLedger
  readonly derivation: Derivation
  readonly investments: readonly Id<'investment'>[]
  readonly cause: Cause
}

/**
 * Derives the records anew and publishes those that differ from what was published, each at a position of its own, with
 * all that follows from it. Gives the ledger's position after that.
 */
export async function publishRecords(tx: Tx, { ledger, derivation, investments, cause }: Order): Promise<number> {
  if (investments.length === 0) return ledger.position
  const facts = await readFacts(tx, investments)
  const heads = await readHeads(tx, investments)
  const ours = cause === 'derivation' ? await withoutWaiting(tx, facts) : facts
  const differences = await compare(inOrder(ours, investments), heads, { derivation, ledger })
  const published = differences.map((difference, place): Published => {
    const moment = { position: ledger.position + place + 1, observedAt: ledger.now, cause }
    return { before: difference.before, after: nextHead(difference, moment) }
  })
  await write(tx, published, ledger)
  return ledger.position + published.length
}

/** What has changed besides is published as a change, by whoever takes it from the list: by the same derivation. */
async function withoutWaiting(tx: Tx, facts: readonly Facts[]): Promise<Facts[]> {
  const waiting = await findWaiting(tx, facts)
  return facts.filter(({ id }) => !waiting.has(id))
}

async function write(tx: Tx, published: readonly Published[], { now }: HeldLedger): Promise<void> {
  if (published.length === 0) return
  const heads = published.map(({ after }) => after)
  const writing = writeHeads(tx, heads)
  // Put into words while PostgreSQL writes the heads, which takes the longest of all.
  const events = published.flatMap(eventsOf)
  await writing
  await writeDepartures(tx, published.flatMap(departuresOf))
  await addToStats(tx, statsDeltas(published))
  await announce(tx, events, now)
}

/** So many take about a millisecond; then the event loop gets its turn. */
const TURN = 50

type By = { readonly derivation: Derivation; readonly ledger: HeldLedger }

async function compare(
  facts: readonly Facts[],
  heads: ReadonlyMap<Id<'investment'>, Head>,
  { derivation, ledger }: By,
): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const [place, each] of facts.entries()) {
    if (place % TURN === TURN - 1) await others()
    const record = derivation.derive(each)
    const text = renderRecord(record, ledger.now)
    const before = heads.get(each.id) ?? null
    if (before === null || !isSameRecord(before, text)) differences.push({ record, text, before })
  }
  return differences
}

function inOrder(facts: readonly Facts[], ids: readonly Id<'investment'>[]): Facts[] {
  const byId = new Map(facts.map((each) => [each.id, each]))
  return ids.map((id) => byId.get(id)).filter((each) => each !== undefined)
}
