import type { WorldTime } from '#kernel/clock.ts'
import type { EventNameOf, NewEvent } from '#modules/events/index.ts'
import { type Installation, recordOf, type Target } from './installation.ts'

/**
 * "id, status, target, tier, scopes, installed_at, installed_by.role, occurred_at"; revoked, "plus revoked_at and
 * revoked_by.role": the record itself, at the time of its last change.
 */
export function installationEvent(name: EventNameOf<'installation'>, installation: Installation): NewEvent {
  return {
    name,
    subject: { installationId: installation.id, ...targetOf(installation.target) },
    occurredAt: lastChange(installation),
    data: recordOf(installation),
  }
}

function lastChange({ installedAt, revokedAt }: Installation): WorldTime {
  return revokedAt ?? installedAt
}

function targetOf(target: Target): NewEvent['subject'] {
  switch (target.type) {
    case 'company':
      return { companyId: target.id }
    case 'syndicate':
      return { syndicateId: target.id }
    case 'user':
      return { userId: target.id }
  }
}
