import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { FactType } from './fact-type.ts'

/** A fact type with its schema compiled: once at the start, since each takes longer to compile than to check a batch. */
export type KnownFact = FactType & { readonly validator: Validator }

type Validator = {
  Check(value: unknown): value is Static<TSchema>
  Errors(value: unknown): { keyword: string; schemaPath: string; instancePath: string; params: object }[]
}

export type FactTable = ReadonlyMap<string, KnownFact>

/** Two use cases for one type would leave it to chance which of them hears of a fact. */
export function factTable(types: readonly FactType[]): FactTable {
  const table = new Map<string, KnownFact>()
  for (const fact of types) {
    if (table.has(fact.type)) throw new Error(`two fact types are named ${fact.type}`)
    table.set(fact.type, { ...fact, validator: Compile(fact.data) })
  }
  return table
}
