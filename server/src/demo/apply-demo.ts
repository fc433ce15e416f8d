import { applyFactsTogether, FactRefused, type FactRules } from '#modules/facts/index.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { findFactTime } from './demo-store.ts'
import { type DemoWorld, demoWorld } from './demo-world.ts'
import { inOrder } from './in-order.ts'
import { FIRST_FACT_DAYS } from './people.ts'
import { DAY_MS, type DemoFact, FIRST_FACT, LAST_FACT } from './timeline.ts'

/** Beyond this the processors are busy. */
const AT_ONCE = 6

export type Applied = {
  readonly world: DemoWorld
  /** Zero when the demo was there already. */
  readonly applied: number
}

/**
 * Sends the demo's facts the way the host platform sends its own. Each is applied once by its id, so a first start that was
 * killed goes on where it was: the dates are those of its first fact. A refused fact ends it with an error.
 */
export async function applyDemo(db: WorldDatabase, rules: FactRules, nowMs: number): Promise<Applied> {
  const begun = await findFactTime(db.reads, FIRST_FACT)
  const world = demoWorld(begun === null ? nowMs : Date.parse(begun) + FIRST_FACT_DAYS * DAY_MS)
  if (begun !== null && (await findFactTime(db.reads, LAST_FACT)) !== null) return { world, applied: 0 }

  let applied = 0
  const run = async (unit: readonly DemoFact[]) => {
    for (const { status } of await applyUnit(db, rules, unit)) if (status === 'applied') applied++
  }
  const [first, ...rest] = units(world.facts)
  const last = rest.pop()
  if (first === undefined || last === undefined) throw new Error('the demo has no facts')
  // The first before all others and the last after them: what is found later is found in this order.
  await run(first)
  await inOrder(rest, { keysOf: namesIn, run, atOnce: AT_ONCE })
  await run(last)
  return { world, applied }
}

async function applyUnit(db: WorldDatabase, rules: FactRules, unit: readonly DemoFact[]) {
  const facts = unit.map(({ fact }) => fact)
  try {
    return await applyFactsTogether(db, rules, facts)
  } catch (error) {
    if (!(error instanceof FactRefused)) throw error
    const named = facts.map(({ id, type }) => `${id} (${type})`).join(', ')
    const cause = { cause: error }
    throw new Error(
      `the demo world was refused at ${named}: ${error.message}. Start with --reset to make it anew`,
      cause,
    )
  }
}

/** Facts that go together stand where the last of them happened: what any of them needs is there by then. */
function units(facts: readonly DemoFact[]): readonly (readonly DemoFact[])[] {
  const last = new Map(facts.map((fact, at) => [fact.together, at]))
  const gathered = new Map<string, DemoFact[]>()
  const all: (readonly DemoFact[])[] = []
  for (const [at, fact] of facts.entries()) {
    if (fact.together === '') {
      all.push([fact])
      continue
    }
    const unit = gathered.get(fact.together) ?? []
    gathered.set(fact.together, unit)
    unit.push(fact)
    if (last.get(fact.together) === at) all.push(unit)
  }
  return all
}

const ID = /^[a-z]+_[0-9A-Za-z]{24}$/

/** Whatever a fact names or is about: two facts that name the same thing keep their order. */
function* namesIn(unit: readonly DemoFact[]): Generator<string> {
  for (const { fact, about } of unit) {
    if (about !== '') yield about
    yield* idsIn(fact.data)
  }
}

function* idsIn(value: unknown): Generator<string> {
  if (typeof value === 'string' && ID.test(value)) yield value
  if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* idsIn(each)
}
