import type { Facts } from './facts.ts'

/**
 * "Company audience: canceled, converted, hidden records arrive as tombstones. Own audience: always the full record,
 * `visible` as the company sees it."
 */
export function isVisible({ hidden, status }: Pick<Facts, 'hidden' | 'status'>): boolean {
  return !hidden && status !== 'canceled' && status !== 'converted'
}
