export { authenticateTokens, type Introspected, introspectToken } from './authenticate-tokens.ts'
export {
  type CodeAttempt,
  insertCode,
  issueClientToken,
  mintInstallationToken,
  type NewCode,
  type NewInstallationToken,
  redeemCode,
} from './grants.ts'
export type { GrantOutcome, GrantRefusal, IssuedToken, Sighting, UserToken } from './issued-token.ts'
export { LIFETIME_SECONDS, REPEAT_SECONDS } from './issued-token.ts'
export {
  deleteTokensOfApps,
  previewRevoking,
  purgeTokens,
  type Revocation,
  type RevokedTokens,
  revokeExceeding,
  revokePresented,
  revokeTokensIn,
  revokeTokensOf,
  type ScopeBounds,
} from './revoke-tokens.ts'
export { type RefreshAttempt, rotateFamily } from './rotate-family.ts'
export { countTokensOf, countTokensOfApps, lastUses, type TokenCounts } from './store.ts'
