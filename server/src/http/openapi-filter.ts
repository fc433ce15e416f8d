import type { JsonSchema } from './openapi-types.ts'

/** Among the options of a query field that names a thing: an unknown one is answered with 404, and the document says so. */
export const UNKNOWN_IS_404 = { 'x-unknown': 404 } as const

export function namesSomething(query: (object & JsonSchema) | undefined): boolean {
  return Object.values(query?.properties ?? {}).some((field) => Reflect.get(field, 'x-unknown') === 404)
}
