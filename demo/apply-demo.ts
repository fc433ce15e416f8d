import { applyFactsInWaves, FactRefused, type FactRules } from '@portico/server/intake/facts/index.ts'
import type { WorldDatabase } from '@portico/server/system/postgres/database.ts'
import { findFactTime } from './demo-store.ts'
import { type DemoWorld, demoWorld } from './demo-world.ts'
import { FIRST_FACT_DAYS } from './people.ts'
import { DAY_MS, type DemoFact, FIRST_FACT, LAST_FACT } from './timeline.ts'
import { wavesOf } from './waves.ts'

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
 * start that was killed left nothing behind, and the next one begins again. A refused fact ends it with an error.
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
