import type { StaffMember } from '#http/ports.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import type { StaffLimits } from '../settings.ts'
import { findStaffSession, touchStaffSession } from './store.ts'

/**
 * Whether the person of this session may act for the platform. The session is the one of the portal, with more
 * conditions: a second factor that was proved in it a short time ago, and no long pause. Only admitted requests count
 * as use, so that a rejected request does not revive a session that ended.
 */
export async function findStaffMember(
  db: WorldDatabase,
  sessionHash: Buffer,
  limits: StaffLimits,
): Promise<StaffMember | null> {
  const session = await findStaffSession(db, sessionHash, limits)
  if (session === null) return null
  const { account_id: accountId, name, role, has_factor: hasFactor, ends_at: endsAt } = session
  const serves = role !== null && hasFactor && endsAt !== null
  // Runs beside the request, which does not wait for it. If it fails, the next request tries again.
  if (serves && session.unseen_lately) touchStaffSession(db, sessionHash).catch(() => {})
  return { accountId, name, sessionHash, role, hasFactor, endsAt }
}
