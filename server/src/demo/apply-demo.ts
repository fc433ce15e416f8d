import { applyFact, type FactOutcome, type FactRules } from '#modules/facts/index.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { findFactTime } from './demo-store.ts'
import { type DemoWorld, demoWorld } from './demo-world.ts'
import { inOrder } from './in-order.ts'
import { FIRST_FACT_DAYS } from './people.ts'
import { DAY_MS, type DemoFact, FIRST_FACT, LAST_FACT } from './timeline.ts'

/** Beyond this the processors are busy. */
const AT_ONCE = 6

type Refused = Extract<FactOutcome, { status: 'refused' }>

export type Applied = {
  readonly world: DemoWorld
  /** Zero when the demo was there already. */
  readonly applied: number
  /** None, unless the demo was begun by a version that told it otherwise. */
  readonly refused: readonly Refused[]
}

/**
 * The demo world, told through the same door as the host platform's facts. Each is applied once by its id, so a first
 * start that was killed goes on where it was: the dates are those that the first of them was told with.
 */
export async function applyDemo(db: WorldDatabase, rules: FactRules, nowMs: number): Promise<Applied> {
  const begun = await findFactTime(db.reads, FIRST_FACT)
  const world = demoWorld(begun === null ? nowMs : Date.parse(begun) + FIRST_FACT_DAYS * DAY_MS)
  if (begun !== null && (await findFactTime(db.reads, LAST_FACT)) !== null) return { world, applied: 0, refused: [] }

  const refused: Refused[] = []
  let applied = 0
  const run = async ({ fact }: DemoFact) => {
    const outcome = await applyFact(db, rules, fact)
    if (outcome.status === 'applied') applied++
    if (outcome.status === 'refused') refused.push(outcome)
  }
  const [first, ...rest] = world.facts
  const last = rest.pop()
  if (first === undefined || last === undefined) throw new Error('the demo has no facts')
  // The first before all others and the last after them: what is found later is found in this order.
  await run(first)
  await inOrder(rest, { keysOf: namesIn, run, atOnce: AT_ONCE })
  await run(last)
  return { world, applied, refused }
}

const ID = /^[a-z]+_[0-9A-Za-z]{24}$/

/** Whatever a fact names or is about: two facts that name the same thing keep their order. */
function* namesIn({ fact, about }: DemoFact): Generator<string> {
  if (about !== '') yield about
  yield* idsIn(fact.data)
}

function* idsIn(value: unknown): Generator<string> {
  if (typeof value === 'string' && ID.test(value)) yield value
  if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* idsIn(each)
}
