import { applyFactsInWaves, FactRefused, type FactRules } from '@portico/server/intake/facts/index.ts'
import type { WorldDatabase } from '@portico/server/system/postgres/database.ts'
import { type DemoWorld, demoWorld } from './demo-world.ts'
import { FIRST_FACT_DAYS } from './people.ts'
import { findFactTime } from './store.ts'
import { DAY_MS, type DemoFact, FIRST_FACT, LAST_FACT } from './timeline.ts'

export type Applied = {
  readonly world: DemoWorld
  /** Zero when the demo was there already. */
  readonly applied: number
}

/** What is applied, and in which waves. */
export type DemoPlan = { readonly world: DemoWorld; readonly waves: readonly (readonly DemoFact['fact'][])[] }

type Options = {
  /** Milliseconds since 1970. The demo's dates lie before it, if this is the first time. */
  readonly nowMs: number
  /** For this very moment, made while there was time. */
  readonly plan?: DemoPlan | null
  /** The share of the facts that are applied, up to 1. */
  readonly onProgress?: (share: number) => void
}

/** Half a second of work that needs no database. */
export function planDemo(nowMs: number): DemoPlan {
  const world = demoWorld(nowMs)
  return { world, waves: wavesOf(world.facts).map((wave) => wave.map(({ fact }) => fact)) }
}

/**
 * Applies the demo's facts with the use cases that also apply those of the host platform, all in one transaction: a first
 * start that was killed left nothing behind, and the next one begins again. A rejected fact ends it with an error.
 */
export async function applyDemo(db: WorldDatabase, rules: FactRules, options: Options): Promise<Applied> {
  const { nowMs, plan = null, onProgress = () => {} } = options
  const begun = await findFactTime(db.reads, FIRST_FACT)
  const madeMs = begun === null ? nowMs : Date.parse(begun) + FIRST_FACT_DAYS * DAY_MS
  if (begun !== null && (await findFactTime(db.reads, LAST_FACT)) !== null) {
    return { world: demoWorld(madeMs), applied: 0 }
  }
  const { world, waves } = begun === null && plan !== null ? plan : planDemo(madeMs)
  const { facts } = world
  const onApplied = (done: number) => onProgress(done / facts.length)
  try {
    // Some were applied before, where an earlier version was killed: it applied one fact after the other.
    const outcomes = await applyFactsInWaves(db, rules, { waves, onApplied })
    return { world, applied: outcomes.filter(({ status }) => status === 'applied').length }
  } catch (error) {
    if (!(error instanceof FactRefused)) throw error
    const refused = facts.find(({ fact }) => fact.id === error.factId)?.fact
    throw new Error(
      `the demo world was refused at ${refused?.id} (${refused?.type}): ${error.message}. Start with --reset to make it anew`,
      { cause: error },
    )
  }
}

/**
 * Puts the facts into waves: facts of one wave do not depend on each other, so they can be applied side by side. Two facts
 * keep their order if both touch the same thing, unless both only refer to it.
 */
export function wavesOf(facts: readonly DemoFact[]): readonly (readonly DemoFact[])[] {
  const waves: DemoFact[][] = []
  /** The last wave that changes a thing, and the last that has anything to do with it. */
  const changedIn = new Map<string, number>()
  const touchedIn = new Map<string, number>()
  for (const fact of facts) {
    const { changed, referred } = touchedBy(fact)
    let wave = 0
    for (const thing of changed) wave = Math.max(wave, 1 + (touchedIn.get(thing) ?? -1))
    for (const thing of referred) wave = Math.max(wave, 1 + (changedIn.get(thing) ?? -1))
    for (const thing of changed) changedIn.set(thing, wave)
    for (const thing of [...changed, ...referred]) touchedIn.set(thing, Math.max(wave, touchedIn.get(thing) ?? 0))
    waves[wave] ??= []
    waves[wave]?.push(fact)
  }
  return waves
}

type Touched = { readonly changed: readonly string[]; readonly referred: readonly string[] }

function touchedBy({ fact, about }: DemoFact): Touched {
  const named = new Set(about.referred)
  addIds(named, fact.data)
  const changed = [...about.changed]
  const referred: string[] = []
  for (const id of named) (onlyRefers(fact.type, id) ? referred : changed).push(id)
  // A fact between things that it does not change, as who follows whom: facts between the same things keep their order.
  return { changed: changed.length === 0 ? [referred.join(' ')] : changed, referred }
}

/** Such a fact needs the thing to be there, and leaves it as it is. Everything else that a fact names it may change. */
function onlyRefers(type: string, id: string): boolean {
  if (id.startsWith('usr_')) return !/^user\.|\.(?:person|manager)_set$/.test(type)
  if (id.startsWith('ofr_')) return /^investment|^offering\.user_invited$/.test(type)
  if (id.startsWith('syn_')) return /^membership\.|^join_session\./.test(type)
  if (!id.startsWith('co_')) return false
  return /^company\.(?:un)?followed$|^company_update\.|^question\.|^comment\.|^investment/.test(type)
}

const ID = /^[a-z]+_[0-9A-Za-z]{24}$/

function addIds(ids: Set<string>, value: unknown): void {
  if (typeof value === 'string') {
    if (ID.test(value)) ids.add(value)
  } else if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) addIds(ids, each)
  }
}
