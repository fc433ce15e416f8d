import { type Audience, EVENT_CATALOGUE } from '#modules/events/index.ts'
import { INVESTOR_PII } from '#modules/installations/index.ts'
import { scopeOfAction } from '#modules/intents/index.ts'
import { concernedBy } from './concerned-by.ts'
import { givesScope } from './gives-scope.ts'
import type { ConcerningEvent, ReceivingApp, ReceivingInstallation } from './receiver.ts'

/** Why a delivery is canceled instead of sent, as its history says. */
export type NotEntitled =
  | 'app_inactive'
  | 'not_concerned'
  | 'installation_revoked'
  | 'account_disabled'
  | 'scope_missing'
  | 'not_visible'
  | 'unsubscribed'
  | 'event_expired'

export type Asking = {
  readonly event: ConcerningEvent
  readonly app: ReceivingApp
  readonly installation: ReceivingInstallation | null
}

/**
 * "Entitlement (installation active, scopes, PII) is looked at again at every send." Through which door the event comes,
 * or why it does not.
 */
export function entitlement({ event, app, installation }: Asking): Audience | NotEntitled {
  // "A violating app is suspended (credentials stop being accepted)": nor is anything told to it meanwhile.
  if (!app.active) return 'app_inactive'
  const audience = concernedBy(event, { app, installation })
  if (audience === null) return 'not_concerned'
  if (installation === null) return audience
  // "The revocation's own event to app-wide endpoints still goes out."
  if (installation.state === 'revoked' && event.name !== 'installation.revoked') return 'installation_revoked'
  // "Disabling an account … cuts … deliveries through its own connections." The revocation's own event still goes out.
  if (installation.accountDisabled === true && installation.state === 'active') return 'account_disabled'
  if (!holdsScope(audience, event, installation.scopes)) return 'scope_missing'
  if (lacksIdentity(audience, event, installation)) return 'scope_missing'
  return isHiddenFrom(audience, event) ? 'not_visible' : audience
}

/** "While it is active and holds the scope it was proposed with": an intent's scope is its action's. */
function holdsScope({ through, scope }: Audience, { action }: ConcerningEvent, granted: readonly string[]): boolean {
  if (through !== 'proposer') return scope === null || givesScope(granted, scope)
  const proposedWith = scopeOfAction(action ?? '')
  return proposedWith !== null && givesScope(granted, proposedWith)
}

/**
 * "A change that only identity readers can see is … no investment.changed for callers without read:investors:pii." The
 * investor's own connections see the identity without the scope.
 */
function lacksIdentity(
  { through }: Audience,
  { identity_only }: ConcerningEvent,
  { scopes }: ReceivingInstallation,
): boolean {
  return identity_only && through === 'company' && !givesScope(scopes, INVESTOR_PII)
}

/**
 * "All data returned is bounded by what … the installing party could see", and "a hidden record by id is 404 to the
 * company": nor does it hear what becomes of it. That it is gone it learns from investment.changed, which says no more.
 * (What was canceled or converted is gone from its lists too, and is told as that.) The investor goes on hearing of it. Whose
 * referral code was credited hears of it through the company, and no more than the company.
 */
function isHiddenFrom({ through }: Audience, { name, hidden }: ConcerningEvent): boolean {
  if (!hidden) return false
  return through === 'code_owner' || (through === 'company' && EVENT_CATALOGUE[name].group === 'investment')
}
