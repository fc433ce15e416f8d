import { createHash } from 'node:crypto'
import type { Input } from './input/read-input.ts'

/** What makes two requests the same request, whatever order their fields were written in. */
export function fingerprint(method: string, { params, query, body }: Input): Buffer {
  return createHash('sha256')
    .update(canonicalJson([method, params ?? null, query ?? null, body ?? null]))
    .digest()
}

/** JSON with sorted keys and no spaces: equal values give equal text. Depth was bounded when the body was read. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  // A query that its route reads by itself.
  if (value instanceof Map) return canonicalJson([...value])
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`)
  return `{${fields.join(',')}}`
}
