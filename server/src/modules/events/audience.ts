import type { Scope } from '#kernel/scope.ts'

/**
 * One way to an app: through which of its installations, and the scope that one must hold (retired names and implied
 * scopes count; whoever asks expands them first).
 *
 * company          every installation on the company the event is about
 * user             every connection of the user whose investment it is
 * syndicate        every installation on the syndicate the event is about
 * session_company  the installation on the session's company of the app that created the session
 * session_creator  the installation that created the session; "other apps on the same company never receive them". Fan-out picks
 *                  one of these two for each event (webhooks/fan-out/deliveries-of.ts)
 * code_owner       the installation on the investment's company of the one app whose referral code was credited
 * itself           the installation the event is about
 * proposer         the installation that proposed the intent, or the proposing user's own connection with the same app; the
 *                  scope is the one that its action is proposed with
 * app              no installation: the app as such, and the envelope has no installation block
 */
export type Audience = {
  readonly through:
    | 'company'
    | 'user'
    | 'syndicate'
    | 'session_company'
    | 'session_creator'
    | 'code_owner'
    | 'itself'
    | 'proposer'
    | 'app'
  readonly scope: Scope | null
}

/** Which endpoints of the app: those registered for the whole app only, or also those bound to the installation. */
export type Reach = 'app_wide' | 'app_wide_and_bound'

export const ON_COMPANY: Audience = { through: 'company', scope: 'read:companies' }
/** "To apps a user connected to their own account for that user's investments (requires read:investments)." */
export const CONNECTED_BY_INVESTOR: Audience = { through: 'user', scope: 'read:investments' }
/** "To apps installed on the company (requires read:investments)": the sync event's door, not the lifecycle events'. */
export const SYNCING_COMPANY: Audience = { through: 'company', scope: 'read:investments' }
export const ON_SYNDICATE: Audience = { through: 'syndicate', scope: 'read:syndicates' }
export const SESSION_COMPANY: Audience = { through: 'session_company', scope: 'read:investment_sessions' }
export const SESSION_CREATOR: Audience = { through: 'session_creator', scope: 'read:investment_sessions' }
/** "Delivered to the app the installation belongs to; no read scope needed." */
export const ITSELF: Audience = { through: 'itself', scope: null }
/** "Only through an installation on the investment's company that grants read:attribution:anonymized." */
export const CODE_OWNER: Audience = { through: 'code_owner', scope: 'read:attribution:anonymized' }
/** Its scope depends on the intent's action, so it is looked up for each event (webhooks/projection/entitlement.ts). */
export const PROPOSER: Audience = { through: 'proposer', scope: null }
/** "Every app with a referral code active that week … has no installation block." */
export const APP: Audience = { through: 'app', scope: null }
