import { createHash } from 'node:crypto'
import type { Input } from './input/read-input.ts'

/** Two requests are the same if this is equal, in any order of fields. */
export function fingerprint(method: string, { params, query, body }: Input): Buffer {
  return createHash('sha256')
    .update(canonicalJson([method, params ?? null, query ?? null, body ?? null]))
    .digest()
}

/** JSON with sorted keys and no spaces: equal values give equal text. Reading the body has bounded its depth. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  // A raw query, which the route parses itself.
  if (value instanceof Map) return canonicalJson([...value])
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`)
  return `{${fields.join(',')}}`
}
