import type { TestDatabase } from './database.ts'

export type Plan = { readonly [field: string]: unknown; readonly Plans?: readonly Plan[] }

/** Returns the plan of a statement in the test world. It is the generic plan, so it does not depend on the values. */
export async function planOf(db: TestDatabase, text: string, values: readonly string[]): Promise<Plan> {
  await db.sql('set search_path = test')
  await db.sql('set plan_cache_mode = force_generic_plan')
  await db.sql(`prepare planned as ${text}`)
  const [row] = await db.sql<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(
    `explain (analyze, timing off, format json) execute planned (${values.join(', ')})`,
  )
  await db.sql('deallocate planned')
  await db.sql('reset plan_cache_mode')
  await db.sql('reset search_path')
  const plan = row?.['QUERY PLAN'][0]?.Plan
  if (plan === undefined) throw new Error(`no plan of ${text}`)
  return plan
}

export function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan
  for (const inner of plan.Plans ?? []) yield* nodesOf(inner)
}
