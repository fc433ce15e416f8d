export {
  type Connected,
  connectUser,
  type Disconnected,
  type Disconnecting,
  disconnectUser,
  type NewConnection,
  revokeConnectionsIn,
  revokeConnectionsOfUser,
  sameScopes,
} from './connect-user.ts'
export {
  COMPANY_TIERS,
  type GrantOffer,
  type Grantor,
  type GrantRequest,
  grantOffer,
  type InstallerTier,
  type PiiBy,
  piiBy,
  type ResolvedTier,
  resolveTier,
  type WhyUngrantable,
  type WhyWithheld,
  type Withheld,
  whyUngrantable,
} from './grant-rules.ts'
export { type EligibleTarget, eligibleTargets, type Installed, type Installing, installApp } from './install-app.ts'
export {
  INSTALLATION_MACHINE,
  INSTALLATION_STATES,
  type Installation,
  type InstallationAlso,
  type InstallationMove,
  type InstallationRecord,
  type InstallationState,
  recordOf,
  type Target,
  TIERS,
  type Tier,
} from './installation.ts'
export { actingUser, findOfApp, forThemselves } from './installation-access.ts'
export { type ChangeContext, changeContext, type OnRevoked } from './lifecycle.ts'
export { type AppWishes, missingScopes } from './missing-scopes.ts'
export {
  countActive,
  countInstallations,
  type DutyRow,
  listDuties,
  listInstallationsOfPartners,
  type PartnerInstallation,
} from './platform-store.ts'
export {
  type NarrowedInstallations,
  type Narrowing,
  narrowInstallations,
  previewNarrowing,
  type Revoked,
  type Revoking,
  revokeInstallation,
  revokeWithApp,
  revokeWithOrganization,
  type Withdrawal,
  type Withdrawn,
  withdrawPiiApproval,
} from './revocations.ts'
export { type ScopeSentence, type ScopeSentenceGroup, scopeSentences } from './scope-sentences.ts'
export {
  type Connection,
  connectionsOf,
  findConnection,
  findInstallations,
  findUserOfAccount,
  type UserOfAccount,
} from './store.ts'
export { findInstallableTarget, type InstallableTarget, type InstallTarget, isOnTeam } from './target-store.ts'
