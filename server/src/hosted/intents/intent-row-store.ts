import type { ActionName } from '#access/scopes/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Intent, IntentState, Owner } from './intent.ts'
import type { Shown } from './review-facts.ts'

/** A row of `intents`. */
export type IntentRow = {
  readonly id: Id<'intent'>
  readonly app_id: Id<'app'>
  readonly user_id: Id<'user'> | null
  readonly installation_id: Id<'installation'> | null
  readonly action: ActionName
  readonly syndicate_id: string | null
  readonly company_id: string | null
  /** JSON text, as are `shown` and `execution_result`. */
  readonly params: string
  readonly content_digest: Buffer
  readonly requested_by_agent: string | null
  readonly impact_summary: string
  readonly shown: string
  readonly state: IntentState
  readonly decided_by: Id<'user'> | null
  readonly decided_at: WorldTime | null
  readonly approved_digest: Buffer | null
  readonly rejection_reason: string | null
  readonly execution_result: string | null
  readonly failure: string | null
  readonly executed_at: WorldTime | null
  readonly expires_at: WorldTime
  readonly created_at: WorldTime
  readonly updated_at: WorldTime
}

/** The state of `intents i`. An intent whose time is over counts as expired, even before a worker has recorded that. */
export const STATE = `case when i.state = 'pending' and i.expires_at <= world_now() then 'expired' else i.state end`

export const COLUMNS = `i.id, i.app_id, i.user_id, i.installation_id, i.action, i.syndicate_id, i.company_id, i.params,
          i.content_digest, i.requested_by_agent, i.impact_summary, i.shown, ${STATE} as state, i.decided_by,
          i.decided_at, i.approved_digest, i.rejection_reason, i.execution_result, i.failure, i.executed_at,
          i.expires_at, i.created_at, i.updated_at`

export function intentOf(row: IntentRow): Intent {
  return {
    ...ownerOf(row),
    id: row.id,
    action: row.action,
    resourceType: row.syndicate_id === null ? 'company' : 'syndicate',
    resourceId: row.syndicate_id ?? row.company_id ?? '',
    params: JSON.parse(row.params),
    contentDigest: row.content_digest,
    requestedByAgent: row.requested_by_agent,
    impactSummary: row.impact_summary,
    shown: JSON.parse(row.shown) as Shown,
    state: row.state,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
    approvedDigest: row.approved_digest,
    rejectionReason: row.rejection_reason,
    executionResult: row.execution_result === null ? null : JSON.parse(row.execution_result),
    failure: row.failure,
    executedAt: row.executed_at,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** A constraint of the table guarantees that exactly one of user_id and installation_id is set. */
function ownerOf({ app_id: appId, user_id, installation_id }: IntentRow): Owner {
  if (user_id !== null) return { appId, userId: user_id, installationId: null }
  if (installation_id !== null) return { appId, userId: null, installationId: installation_id }
  throw new Error('an intent without a user and an installation')
}
