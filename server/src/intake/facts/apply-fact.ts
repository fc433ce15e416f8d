import { createHash } from 'node:crypto'
import { type EventName, findCaused, type Occasion } from '#events/index.ts'
import { canonicalJson } from '#http/idempotency.ts'
import type { DailyLimit } from '#intake/refused/index.ts'
import type { Id } from '#kernel/ids.ts'
import { findInvestors } from '#market/investments/index.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { DatabaseUnavailable } from '#system/postgres/errors.ts'
import { gatheringTx } from '#system/postgres/gathered-statements.ts'
import { pace } from '#system/share-thread.ts'
import {
  FactRefused,
  type FactSettings,
  type FactTable,
  invalidFact,
  type Refusal,
  refusalOf,
  type Touches,
} from './fact-type.ts'
import { type Fact, idOfSent, readFact } from './read-fact.ts'
import { claimFact, findFact } from './store.ts'

type CausedEvent = { readonly id: Id<'event'>; readonly event: EventName }

/** The result of one fact in the response. The id is null if the fact has no readable id. */
export type FactOutcome =
  | { readonly id: string; readonly status: 'applied' | 'duplicate'; readonly events: CausedEvent[] }
  | { readonly id: string | null; readonly status: 'refused'; readonly events: []; readonly error: Refusal }

export type FactRules = {
  readonly table: FactTable
  readonly settings: FactSettings
  /** How many of a day's refused facts are stored, and how many bytes. Only tests change the default. */
  readonly refusedLimit?: DailyLimit
}

/**
 * Applies one fact in its own transaction, which stores its id, its changes and its events, or nothing. A rejected fact changes
 * nothing, so it can be sent again with the same id once the cause is fixed. The module `refused` stores the rejected fact.
 */
export async function applyFact(
  db: WorldDatabase,
  { table, settings }: FactRules,
  sent: unknown,
  extraWork?: ExtraWork,
): Promise<FactOutcome> {
  const fact = factOrRefused(table, sent)
  return 'status' in fact ? fact : applyAlone(db, fact, { settings, extraWork })
}

/** Further work in the transaction that applies a fact. `applyFact` does not call it for a fact that is refused. */
export type ExtraWork = (tx: Tx, outcome: FactOutcome) => Promise<void>
type Alone = { readonly settings: FactSettings; readonly extraWork?: ExtraWork | undefined }

function factOrRefused(table: FactTable, sent: unknown): Fact | FactOutcome {
  try {
    return readFact(table, sent)
  } catch (error) {
    return refused(idOfSent(sent), error)
  }
}

async function applyAlone(db: WorldDatabase, fact: Fact, { settings, extraWork }: Alone): Promise<FactOutcome> {
  const apply = async (tx: Tx) => {
    const outcome = await applyIn(tx, fact, settings)
    await extraWork?.(tx, outcome)
    return outcome
  }
  try {
    return await retryOnConflict(() => db.transaction(apply))
  } catch (error) {
    return refused(fact.id, error)
  }
}

/** The outcome of a rejected fact. An error that is not a rejection is thrown again. */
function refused(id: string | null, error: unknown): FactOutcome {
  const refusal = refusalOf(error)
  if (refusal === null) throw error
  return { id, status: 'refused', events: [], error: refusal }
}

/** Applying a larger wave would block the event loop for more than a few milliseconds at a time. */
const WAVE_MAX = 100

type Placed = { readonly fact: Fact; readonly at: number }

/**
 * Applies a batch. The outcomes are the same as if the facts were applied one after the other. Facts that do not depend on each
 * other form a wave: they are applied in one transaction, and their statements are batched. Facts that use the same record keep
 * their order.
 */
export async function applyBatch(
  db: WorldDatabase,
  { table, settings }: FactRules,
  batch: Iterable<unknown>,
): Promise<readonly FactOutcome[]> {
  const turn = pace()
  const outcomes: (FactOutcome | null)[] = []
  const placed: Placed[] = []
  for (const sent of batch) {
    const fact = factOrRefused(table, sent)
    const at = outcomes.push('status' in fact ? fact : null) - 1
    if (!('status' in fact)) placed.push({ fact, at })
    await turn()
  }
  for (const wave of await wavesOf(db, placed)) {
    for (let from = 0; from < wave.length; from += WAVE_MAX) {
      const part = wave.slice(from, from + WAVE_MAX)
      const applied = await applyTogether(
        db,
        part.map(({ fact }) => fact),
        settings,
      )
      for (const { fact, at } of part) outcomes[at] = applied.get(fact) ?? null
      await turn()
    }
  }
  return outcomes.filter((outcome) => outcome !== null)
}

/** Groups the facts into waves, and sorts each wave, so that waves of two batches lock the same records in the same order. */
async function wavesOf(db: WorldDatabase, placed: readonly Placed[]): Promise<Placed[][]> {
  const touching = placed.map((each) => ({ each, touches: each.fact.kind.touches?.(each.fact.data) ?? null }))
  const investments = touching.flatMap(({ touches }) => {
    const { investment, investor } = touches?.totalsOf ?? {}
    return investment === undefined || investor !== undefined ? [] : investment
  })
  const known = investments.length === 0 ? [] : await findInvestors(db.reads, investments)
  const investors: Investors = new Map(known.map(([investment, investor]) => [investment, new Set([investor])]))
  let mayBeNew = false
  const waves = inWaves(touching, ({ each: { fact }, touches }) => {
    const totals = touches && totalsIn(investors, touches)
    mayBeNew ||= touches === null
    // An earlier fact without `touches`, such as a move to another offering, may have created the investment.
    if (totals === null || (totals.length === 0 && touches?.totalsOf !== undefined && mayBeNew)) return null
    const { changes = [], refersTo = [] } = touches ?? {}
    return { changed: [`fact ${fact.id}`, ...changes, ...totals], referred: refersTo }
  })
  const first = ({ touches }: (typeof touching)[number]) => touches?.changes[0] ?? ''
  return waves.map((wave) => wave.toSorted((a, b) => (first(a) < first(b) ? -1 : 1)).map(({ each }) => each))
}

type Investors = Map<Id<'investment'>, Set<Id<'user'>>>

/**
 * The names of the totals that a fact changes. There are several if more than one fact of the batch creates the investment, because
 * it is not known yet which of them is rejected. There are none if the investment is unknown.
 */
function totalsIn(investors: Investors, { totalsOf }: Touches): string[] {
  if (totalsOf === undefined) return []
  const { investment, investor } = totalsOf
  const possible = investors.get(investment) ?? new Set()
  if (investor === undefined) return [...possible].map((each) => `totals ${each}`)
  investors.set(investment, possible.add(investor))
  return [`totals ${investor}`]
}

type Touched = { readonly changed: readonly string[]; readonly referred: readonly string[] }

/**
 * Groups items into waves. Two items keep their order if both use the same record and at least one of them changes it.
 * `touchedBy` returns null for an item that depends on all others.
 */
export function inWaves<Item>(items: readonly Item[], touchedBy: (item: Item) => Touched | null): Item[][] {
  const waves: Item[][] = []
  /** By record: the last wave that changes it, and the last wave that changes it or refers to it. */
  const changedIn = new Map<string, number>()
  const touchedIn = new Map<string, number>()
  /** No later item may be in an earlier wave. */
  let first = 0
  for (const item of items) {
    const touched = touchedBy(item)
    if (touched === null) {
      waves.push([item])
      first = waves.length
      continue
    }
    const { changed, referred } = touched
    let wave = first
    for (const record of changed) wave = Math.max(wave, 1 + (touchedIn.get(record) ?? -1))
    for (const record of referred) wave = Math.max(wave, 1 + (changedIn.get(record) ?? -1))
    for (const record of changed) changedIn.set(record, wave)
    for (const record of [...changed, ...referred]) touchedIn.set(record, Math.max(wave, touchedIn.get(record) ?? 0))
    waves[wave] ??= []
    waves[wave]?.push(item)
  }
  return waves
}

type Applied = Map<Fact, FactOutcome>
type Results = readonly PromiseSettledResult<FactOutcome>[]

/**
 * Applies independent facts in one transaction. If one of them fails, the transaction is rolled back, and the others are applied
 * again without it.
 */
async function applyTogether(db: WorldDatabase, wave: readonly Fact[], settings: FactSettings): Promise<Applied> {
  const [first, second] = wave
  if (first === undefined) return new Map()
  if (second === undefined) return new Map([[first, await applyAlone(db, first, { settings })]])
  const { applied, results } = await tryTogether(db, wave, settings)
  if (applied !== null) return applied
  const { rejected, parts } = planRetries(wave, results)
  const all: Applied = new Map(rejected)
  for (const part of parts) {
    for (const [fact, outcome] of await applyTogether(db, part, settings)) all.set(fact, outcome)
  }
  return all
}

/** `applied` is null if a fact failed or a deadlock ended the transaction. Throws if PostgreSQL is unavailable or overloaded. */
async function tryTogether(
  db: WorldDatabase,
  wave: readonly Fact[],
  settings: FactSettings,
): Promise<{ readonly applied: Applied | null; readonly results: Results }> {
  let results: Results = []
  try {
    const applied = await db.transaction(async (tx) => {
      const gathering = gatheringTx(tx)
      // Waits for all facts, even if one fails, because none may run after the end of the transaction.
      results = await Promise.allSettled(wave.map((fact) => applyIn(gathering, fact, settings)))
      const failed = results.find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
      return new Map(wave.flatMap((fact, at) => outcomeIn(fact, results[at])))
    })
    return { applied, results }
  } catch (error) {
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
    for (const each of [error, ...errors]) if (each instanceof DatabaseUnavailable && !isConflict(each)) throw each
    return { applied: null, results }
  }
}

function outcomeIn(fact: Fact, result: Results[number] | undefined): (readonly [Fact, FactOutcome])[] {
  return result?.status === 'fulfilled' ? [[fact, result.value]] : []
}

type Retries = {
  readonly rejected: readonly (readonly [Fact, FactOutcome])[]
  /** The facts to apply next, each list in its own transaction. */
  readonly parts: readonly (readonly Fact[])[]
}

/**
 * A rejection of one fact is final, because no other fact of the wave changed the records that this fact depends on.
 * Facts with the same error were in one statement, so they are applied again in halves. If no fact was rejected, the
 * whole wave is applied in halves.
 */
function planRetries(wave: readonly Fact[], results: Results): Retries {
  const groups = Map.groupBy(wave.keys(), (at) => {
    const result = results[at]
    return result?.status === 'rejected' && refusalOf(result.reason) !== null ? (result.reason as unknown) : null
  })
  const factsAt = (places: readonly number[]) => places.flatMap((at) => wave[at] ?? [])
  const others = factsAt(groups.get(null) ?? [])
  const failed = [...groups].flatMap(([error, places]) => (error === null ? [] : [{ error, facts: factsAt(places) }]))
  const rejected = failed.flatMap(({ error, facts }) =>
    facts.length === 1 ? facts.map((fact) => [fact, refused(fact.id, error)] as const) : [],
  )
  const halves = failed.flatMap(({ facts }) => (facts.length === 1 ? [] : halvesOf(facts)))
  return { rejected, parts: others.length === wave.length ? halvesOf(wave) : [others, ...halves] }
}

function halvesOf(facts: readonly Fact[]): (readonly Fact[])[] {
  const middle = Math.ceil(facts.length / 2)
  return [facts.slice(0, middle), facts.slice(middle)]
}

export type Waves = {
  /** The facts of a wave must not depend on each other, only on earlier waves. */
  readonly waves: readonly (readonly unknown[])[]
  readonly onApplied?: (facts: number) => void
}

/**
 * Applies many facts in one transaction, all or none, so that no job sees a state between two of them. The facts of a wave run
 * concurrently, and their statements are batched. Throws the first rejection as `FactRefused`.
 */
export async function applyFactsInWaves(
  db: WorldDatabase,
  { table, settings }: FactRules,
  { waves, onApplied = () => {} }: Waves,
): Promise<readonly FactOutcome[]> {
  return retryOnConflict(() =>
    db.transaction(async (tx) => {
      const gathering = gatheringTx(tx)
      const outcomes: FactOutcome[] = []
      for (const wave of waves) {
        const apply = async (sent: unknown) => applyIn(gathering, readFact(table, sent), settings)
        // Waits for all facts, even if one fails, because none may run after the end of the transaction.
        for (const [index, result] of (await Promise.allSettled(wave.map(apply))).entries()) {
          if (result.status === 'rejected') throw refusedAt(wave[index], result.reason)
          outcomes.push(result.value)
        }
        onApplied(outcomes.length)
      }
      return outcomes
    }),
  )
}

function refusedAt(sent: unknown, error: unknown): unknown {
  const refusal = refusalOf(error)
  return refusal === null ? error : new FactRefused(refusal, idOfSent(sent))
}

async function applyIn(tx: Tx, fact: Fact, settings: FactSettings): Promise<FactOutcome> {
  const { id, kind, occurredAt, data } = fact
  const fingerprint = fingerprintOf(fact)
  const claim = await claimFact(tx, { id, type: kind.type, occurredAt, fingerprint })
  if (claim === null) return repeat(tx, id, fingerprint)
  if (claim.ahead) {
    const message = 'must not lie more than 5 minutes ahead of the world’s time'
    throw invalidFact([{ field: 'occurred_at', code: 'in_the_future', message }])
  }
  const occasion: Occasion = { cause: id, occurredAt: claim.occurred_at, caused: [] }
  await kind.apply(tx, data, { occasion, settings })
  return { id, status: 'applied', events: named(occasion.caused) }
}

/** Reads with a new statement, because the claim started before the other transaction committed and cannot see its row. */
async function repeat(tx: Tx, id: string, fingerprint: Buffer): Promise<FactOutcome> {
  const earlier = await findFact(tx, id)
  if (earlier === null) throw new Error('a fact whose id is in use cannot be found')
  if (!earlier.fingerprint.equals(fingerprint)) {
    const message = 'was used for another fact; a new fact needs a new id'
    throw invalidFact([{ field: 'id', code: 'id_reused', message }], {
      type: earlier.type,
      occurred_at: earlier.occurred_at,
    })
  }
  return { id, status: 'duplicate', events: named(await findCaused(tx, id)) }
}

function named(events: readonly { readonly id: Id<'event'>; readonly name: EventName }[]): CausedEvent[] {
  return events.map(({ id, name }) => ({ id, event: name }))
}

/** Two facts are the same if everything but the id is equal, in any order of fields. */
function fingerprintOf({ kind, occurredAt, data }: Fact): Buffer {
  return createHash('sha256')
    .update(canonicalJson([kind.type, occurredAt, data]))
    .digest()
}

const TRIES_MAX = 5

/** Retries a transaction that PostgreSQL aborted because of a deadlock or a serialization failure. */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries >= TRIES_MAX || !isConflict(error)) throw error
    }
  }
}

function isConflict(error: unknown): boolean {
  const code: unknown =
    error instanceof DatabaseUnavailable && error.cause instanceof Error && Reflect.get(error.cause, 'code')
  return code === '40P01' || code === '40001'
}
