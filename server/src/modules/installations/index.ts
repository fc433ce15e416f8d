export { actingUser, forThemselves } from './acting-user.ts'
export { type Because, becauseOf, type OnRevoked } from './because.ts'
export { type Connected, connectUser, type NewConnection } from './connect-user.ts'
export { type Disconnected, type Disconnecting, disconnectUser } from './disconnect-user.ts'
export { type Installation, type InstallationRecord, recordOf, type Target, TIERS, type Tier } from './installation.ts'
export {
  INSTALLATION_MACHINE,
  INSTALLATION_STATES,
  type InstallationAlso,
  type InstallationMove,
  type InstallationState,
} from './installation-states.ts'
export { type EligibleTarget, eligibleTargets } from './installing/eligible-targets.ts'
export {
  type GrantOffer,
  type GrantRequest,
  grantOffer,
  type WhyWithheld,
  type Withheld,
} from './installing/grant-offer.ts'
export { type Installed, type Installing, installApp } from './installing/install-app.ts'
export { findStanding, type InstallTarget, isOnTeam, type Standing } from './installing/store.ts'
export { type AskedTier, askedTier, COMPANY_TIERS, type InstallerTier } from './installing/tier-asked.ts'
export { type Grantor, type WhyNotTheirs, whyNotTheirs } from './may-grant.ts'
export { type NarrowedInstallations, type Narrowing, narrowInstallations } from './narrow-installations.ts'
export { INVESTOR_PII, type PiiBy, piiBy } from './pii-grant.ts'
export { revokeConnectionsOfUser } from './revoke-connections-of-user.ts'
export { type Revoked, type Revoking, revokeInstallation } from './revoke-installation.ts'
export { revokeWithApp, revokeWithOrganization } from './revoke-with-organization.ts'
export { sameScopes } from './same-scopes.ts'
export { type SpokenGroup, type SpokenScope, spokenScopes } from './spoken-scopes.ts'
export {
  type Connection,
  connectionsOf,
  findConnection,
  findInstallations,
  findUserOfAccount,
  type UserOfAccount,
  worldNowMs,
} from './store.ts'
export { type Withdrawal, type Withdrawn, withdrawPiiApproval } from './withdraw-pii-approval.ts'
