export { ACTION_NAMES, ACTION_SCOPES, type ActionName, scopeOfAction } from './action-scopes.ts'
export {
  type CatalogueScope,
  inCatalogueOrder,
  isScopeName,
  SCOPE_CATALOGUE,
  SCOPE_NAMES,
  type ScopeName,
  type ScopeNames,
} from './catalogue.ts'
export {
  type Grant,
  issuable,
  mayCarry,
  PICKER,
  rejectStillImplied,
  rejectUnselectable,
  selectable,
  stillImplied,
} from './declared-scopes.ts'
export type { ScopeRequest } from './requested-scopes.ts'
export {
  authorizeScopes,
  clientCredentialScopes,
  needsOwnName,
  parseScopes,
  printScopes,
  requestable,
} from './requested-scopes.ts'
export { CONCERNS, type Concern, type Holder, type Obtained, type Program, type ScopeGroup } from './scope-entry.ts'
export {
  closure,
  DEFAULT_SCOPE,
  declaredIn,
  heldScopes,
  holdableBy,
  INVESTOR_PII,
  isLost,
  narrow,
  PUBLIC_SCOPE,
  seesEveryFollow,
  withoutPublic,
  withoutWrites,
  withPublic,
} from './scope-sets.ts'
