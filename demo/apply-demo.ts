import { applyFactsInWaves, FactRefused, type FactRules, inWaves } from '@portico/server/intake/facts/index.ts'
import type { WorldDatabase } from '@portico/server/system/postgres/database.ts'
import { type DemoWorld, demoWorld } from './demo-world.ts'
import { FIRST_FACT_DAYS } from './people.ts'
import { findFactTime } from './store.ts'
import { DAY_MS, type DemoFact, FIRST_FACT, LAST_FACT } from './timeline.ts'

export type Applied = {
  readonly world: DemoWorld
  /** The number of applied facts. Zero if the demo existed already. */
  readonly applied: number
}

/** The facts to apply, grouped in waves. */
export type DemoPlan = { readonly world: DemoWorld; readonly waves: readonly (readonly DemoFact['fact'][])[] }

type Options = {
  /** Milliseconds since 1970. On the first start all facts are dated before this time. Later starts ignore it. */
  readonly nowMs: number
  /** A plan for this `nowMs`, if the caller has computed one. Only the first start uses it. */
  readonly plan?: DemoPlan | null
  /** Called with the share of applied facts, up to 1. */
  readonly onProgress?: (share: number) => void
}

/** Computes the facts. This takes half a second and needs no database, so a caller can run it while the database starts. */
export function planDemo(nowMs: number): DemoPlan {
  const world = demoWorld(nowMs)
  return { world, waves: wavesOf(world.facts).map((wave) => wave.map(({ fact }) => fact)) }
}

/**
 * Applies the demo's facts with the use cases of the fact feed, all in one transaction. So a killed first start leaves no facts,
 * and the next start begins again. If a fact is rejected, the start fails with an error.
 */
export async function applyDemo(db: WorldDatabase, rules: FactRules, options: Options): Promise<Applied> {
  const { nowMs, plan = null, onProgress = () => {} } = options
  const firstFactTime = await findFactTime(db.reads, FIRST_FACT)
  const createdMs = firstFactTime === null ? nowMs : Date.parse(firstFactTime) + FIRST_FACT_DAYS * DAY_MS
  if (firstFactTime !== null && (await findFactTime(db.reads, LAST_FACT)) !== null) {
    return { world: demoWorld(createdMs), applied: 0 }
  }
  const { world, waves } = firstFactTime === null && plan !== null ? plan : planDemo(createdMs)
  const { facts } = world
  const onApplied = (done: number) => onProgress(done / facts.length)
  try {
    // Some facts may be applied already: an earlier version of this function committed each fact separately, and may have been killed.
    const outcomes = await applyFactsInWaves(db, rules, { waves, onApplied })
    return { world, applied: outcomes.filter(({ status }) => status === 'applied').length }
  } catch (error) {
    if (!(error instanceof FactRefused)) throw error
    const refused = facts.find(({ fact }) => fact.id === error.factId)?.fact
    throw new Error(
      `the demo world was rejected at ${refused?.id} (${refused?.type}): ${error.message.replace(/\.$/, '')}. Start with --reset to create it again`,
      { cause: error },
    )
  }
}

/**
 * Groups the facts into waves. The facts of a wave do not depend on each other, so they can be applied concurrently. Two facts
 * that use the same record keep their order, unless both only refer to it.
 */
export function wavesOf(facts: readonly DemoFact[]): readonly (readonly DemoFact[])[] {
  return inWaves(facts, recordsOf)
}

type UsedRecords = { readonly changed: readonly string[]; readonly referred: readonly string[] }

function recordsOf({ fact, about }: DemoFact): UsedRecords {
  const ids = new Set(about.referred)
  addIds(ids, fact.data)
  const changed = [...about.changed]
  const referred: string[] = []
  for (const id of ids) (onlyRefers(fact.type, id) ? referred : changed).push(id)
  // A fact such as a follow changes none of its records. The joined key keeps facts between the same records in order.
  return { changed: changed.length === 0 ? [referred.join(' ')] : changed, referred }
}

/** True if a fact of this type needs the record to exist but does not change it. */
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
