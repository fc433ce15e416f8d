import type { Fields } from '../version-step.ts'

/** The cursor of some lists was the number of rows so far, and a number. */
export function withCountedCursor(body: unknown): unknown {
  if (!isFields(body) || !isFields(body['meta'])) return body
  const { next_cursor: next, ...meta } = body['meta']
  return { ...body, meta: { ...meta, next_cursor: typeof next === 'string' ? Number(next) : next } }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
