import { digestOf } from '#system/crypto/secret.ts'
import type { Content } from './intent.ts'

/** "Different action, resource or params under the same key": the same in whatever order their fields were sent. */
export function contentDigest({ action, resourceType, resourceId, params }: Content): Buffer {
  return digestOf(JSON.stringify(inOrder({ action, resourceType, resourceId, params })))
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return fields.map(([name, field]) => [name, inOrder(field)])
}
