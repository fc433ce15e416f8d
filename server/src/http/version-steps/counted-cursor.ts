import { isFields } from './fields.ts'

/** The cursor of some lists was the number of rows so far, and a number. */
export function withCountedCursor(body: unknown): unknown {
  if (!isFields(body) || !isFields(body['meta'])) return body
  const { next_cursor: next, ...meta } = body['meta']
  return { ...body, meta: { ...meta, next_cursor: typeof next === 'string' ? Number(next) : next } }
}
