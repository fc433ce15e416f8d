import { securityLabel } from '#modules/catalog/index.ts'
import type { SecurityType } from '#modules/offerings/index.ts'

/** "SecuritySummary: kind only, no terms." */
export function labelled(type: SecurityType | null): { readonly type: SecurityType; readonly label: string } | null {
  return type === null ? null : { type, label: securityLabel(type) }
}
