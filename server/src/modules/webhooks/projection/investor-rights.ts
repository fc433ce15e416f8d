import { INVESTOR_PII } from '#modules/installations/index.ts'
import { givesScope } from './gives-scope.ts'
import type { ReceivingInstallation } from './receiver.ts'
import type { InvestorRights } from './visible-data.ts'

type Holder = {
  readonly target: ReceivingInstallation['target']['type']
  readonly scopes: readonly string[]
  /** Whether this installation created the investment session that the event is about. */
  readonly creator: boolean
}

/**
 * The address belongs to "the company's installation" that holds read:investors:pii, the totals to every installation of
 * a company: an app that a user connected to their own account learns neither. Whether a field of identity differs is
 * told to whoever reads it in the record: "a user always sees their own". The address of an investment session goes to the
 * installation that gave it, and to others with the scope.
 */
export function investorRights({ target, scopes, creator }: Holder): InvestorRights {
  const onCompany = target === 'company'
  const pii = givesScope(scopes, INVESTOR_PII)
  return {
    email: onCompany && pii,
    totals: onCompany,
    identityFields: target === 'user' || (onCompany && pii),
    recipient: creator || pii,
  }
}
