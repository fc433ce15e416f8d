import { findWaitingInvestments } from '#events/changes/index.ts'
import { appendEvents, type EventData, type NewEvent } from '#events/index.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { MAKING_MS_MAX, overlapped, pace } from '#system/share-thread.ts'
import { type Facts, isVisible } from '../derive/facts.ts'
import { readFacts } from '../derive/facts-store.ts'
import { type Derivation, isSameRecord, renderRecord } from '../derive/record.ts'
import {
  type Cause,
  changeOf,
  companyIsConcerned,
  type Difference,
  departuresOf,
  type Head,
  nextHead,
  type RecordChange,
  StatsDeltas,
} from './head.ts'
import type { LockedLedger } from './ledger.ts'
import { limitReads } from './ledger-store.ts'
import { addToStats, readHeads, writeDepartures, writeHeads } from './store.ts'

export type Order = {
  readonly ledger: LockedLedger
  readonly derivation: Derivation
  readonly investments: readonly Id<'investment'>[]
  readonly cause: Cause
  /**
   * A second connection that reads facts and heads while the transaction writes. It sees everything needed: the changes
   * in the change queue are committed, and only the process that locked the ledger writes heads.
   */
  readonly beside: WorldDatabase['beside']
}

/**
 * How many records are derived at once. The texts of up to four such parts are in memory: while one part is derived,
 * the next part is read and the two previous parts are written.
 */
const PART = 100

/**
 * Derives the records again and publishes those that changed, each at its own position, with departures, figures and
 * events. Returns the new position of the ledger.
 */
export async function publishRecords(tx: Tx, order: Order): Promise<number> {
  const { ledger, investments, cause, beside } = order
  if (investments.length === 0) return ledger.position
  let { position } = ledger
  const stats = new StatsDeltas()
  await beside(tx, async (reads) => {
    await limitReads(reads)
    await overlapped(inParts(investments), {
      read: (ids) => read({ tx, reads }, ids, cause),
      make: async (known) => {
        const differences = await compare(known, order)
        return differences.map((difference): Published => {
          position += 1
          return { ...difference, after: nextHead(difference, { position, observedAt: ledger.now, cause }) }
        })
      },
      write: (published) => {
        stats.add(published)
        return write(tx, published)
      },
    })
  })
  await addToStats(tx, stats.sums())
  return position
}

/** For small batches: reads on the transaction's own connection, one statement after the other. */
export const within: WorldDatabase['beside'] = (tx, work) => work(tx)

function inParts<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / PART) }, (_, at) => all.slice(at * PART, (at + 1) * PART))
}

type Known = { readonly facts: readonly Facts[]; readonly heads: ReadonlyMap<Id<'investment'>, Head> }

type Handles = { readonly tx: Tx; readonly reads: WorldQueries }

async function read({ tx, reads }: Handles, ids: readonly Id<'investment'>[], cause: Cause): Promise<Known> {
  const [facts, heads] = await Promise.all([readFacts(reads, ids), readHeads(reads, ids)])
  const ours = cause === 'derivation' ? await withoutWaiting(tx, facts) : facts
  return { facts: inOrder(ours, ids), heads }
}

/**
 * Leaves out investments with waiting changes: these are published from the change queue later, with the same derivation.
 */
async function withoutWaiting(tx: Tx, facts: readonly Facts[]): Promise<Facts[]> {
  const waiting = await findWaitingInvestments(tx, facts)
  return facts.filter(({ id }) => !waiting.has(id))
}

async function write(tx: Tx, published: readonly Published[]): Promise<void> {
  if (published.length === 0) return
  const heads = published.map(({ after }) => after)
  const [departures, events] = [published.flatMap(departuresOf), published.flatMap(eventsOf)]
  // The statements do not depend on each other, so they are sent together without waiting for each result.
  await Promise.all([writeHeads(tx, heads), writeDepartures(tx, departures), announce(tx, events)])
}

async function compare({ facts, heads }: Known, { derivation, ledger }: Order): Promise<Difference[]> {
  const differences: Difference[] = []
  const turn = pace(MAKING_MS_MAX)
  for (const each of facts) {
    await turn()
    const record = derivation.derive(each)
    const text = renderRecord(record, ledger.now)
    const before = heads.get(each.id) ?? null
    if (before !== null && isSameRecord(before, text)) continue
    differences.push({ record, text, before, changed: changeOf(before, record, text) })
  }
  return differences
}

function inOrder(facts: readonly Facts[], ids: readonly Id<'investment'>[]): Facts[] {
  const byId = new Map(facts.map((each) => [each.id, each]))
  return ids.map((id) => byId.get(id)).filter((each) => each !== undefined)
}

type Published = Difference & { readonly after: Head }

/**
 * Records the `investment.changed` events in the transaction that publishes, so that a receiver of an event can already
 * read the record. No single fact caused these events, so they have no entry in the index of causes.
 */
async function announce(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  await appendEvents(tx, events, { cause: null, caused: [] })
}

/**
 * "It is thin and carries routing only." Each audience (company, investor) gets the difference from what it saw last.
 * If the two differences are equal, one event is for both audiences. Otherwise each audience gets its own event, which
 * the other audience never receives. The company gets no event about a record that was hidden before the change and is
 * still hidden. `fields` of the event is empty exactly if only the identity differs: then the event goes only to
 * receivers that may see identities (`webhooks/projection/entitlement.ts`).
 */
function eventsOf(published: Published): NewEvent[] {
  const { after } = published
  const { investor_id: userId, company_id: companyId } = after
  const toInvestor = published.changed
  if (!companyIsConcerned(after)) return [eventOf(after, { userId }, toInvestor)]
  const toCompany = changeForCompany(published, toInvestor)
  if (toCompany === toInvestor) return [eventOf(after, { userId, companyId }, toInvestor)]
  return [eventOf(after, { userId }, toInvestor), eventOf(after, { companyId }, toCompany)]
}

function changeForCompany(published: Published, toInvestor: RecordChange): RecordChange {
  const { before, after, record, text } = published
  if (before === null) return toInvestor
  // The company had to delete its copy, or never had a copy: every field is new.
  if (!before.visible) return { ...changeOf(null, record, text), first: before.company === null }
  if (after.visible || isGoneByStatus(after) || toInvestor.fields.length === 1) return toInvestor
  // The company gets only a tombstone of a hidden record, and does not see which other fields changed.
  return { first: false, fields: ['visible'], ofIdentity: new Set() }
}

/**
 * A canceled or converted investment is not secret: the company gets a tombstone, and the investment's events say why.
 */
function isGoneByStatus({ status }: Head): boolean {
  return !isVisible({ hidden: false, status })
}

function eventOf(after: Head, to: Pick<NewEvent['subject'], 'userId' | 'companyId'>, what: RecordChange): NewEvent {
  const { investment_id: id, company_id: company, offering_id: offeringId } = after
  const { first, fields, ofIdentity } = what
  const data: EventData<'investment.changed'> = {
    id,
    visible: after.visible,
    reason: after.reason,
    company,
    observed_at: after.observed_at,
    first,
    fields: fields.filter((name) => !ofIdentity.has(name)),
  }
  return {
    name: 'investment.changed',
    subject: { ...to, offeringId, investmentId: id },
    occurredAt: after.observed_at,
    data,
    ...(ofIdentity.size === 0 ? {} : { identity: { fields: [...ofIdentity] } }),
  }
}
