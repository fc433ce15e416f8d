import type { OperatorAuditPort } from '#http/ports.ts'
import type { PlatformDatabase } from '#system/postgres/database.ts'
import { explain, explainIn, recordOperatorEntry } from './store.ts'

/** More ids would not fit into an entry. A page has at most 100 records. */
const IDS_MAX = 200

/**
 * Implements the edge's port. Each change by an operator, and each read of data about people, is recorded with the
 * operator, the reason and the request's id.
 */
export function operatorAudit(platform: PlatformDatabase): OperatorAuditPort {
  return {
    within: explainIn,
    onPlatform: explain,
    recordRead: async ({ caller, operation, subject, shown, ...why }) => {
      const details = { operation, mode: caller.world, shown: shown.slice(0, IDS_MAX) }
      await recordOperatorEntry(platform, { actor: caller.actor, action: 'operator.read', subject, details }, why)
    },
  }
}
