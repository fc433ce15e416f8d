import type { RawQuery } from '#http/input/query-text.ts'

/**
 * Of a parameter that is known to have been sent at most once. "Parameters sent without a value MUST be treated as if
 * they were omitted" (RFC 6749, section 3.1).
 */
export function sentValue(query: RawQuery, name: string): string | undefined {
  const [value] = query.values.get(name) ?? []
  return value === '' ? undefined : value
}
