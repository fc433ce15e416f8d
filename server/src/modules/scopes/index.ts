export { authorizeScopes } from './authorize-scopes.ts'
export {
  type CatalogueScope,
  inCatalogueOrder,
  isScopeName,
  SCOPE_CATALOGUE,
  SCOPE_NAMES,
  type ScopeName,
  type ScopeNames,
} from './catalogue.ts'
export { clientCredentialScopes } from './client-credential-scopes.ts'
export { closure, declaredIn, heldScopes } from './closure.ts'
export { DEFAULT_SCOPE } from './default-scope.ts'
export { seesEveryFollow } from './follow-list.ts'
export { holdableBy } from './holdable.ts'
export { type Grant, issuable } from './issuable.ts'
export { mayCarry } from './may-carry.ts'
export { narrow } from './narrow.ts'
export { isLost, PUBLIC_SCOPE, withoutPublic, withPublic } from './public-scope.ts'
export { needsOwnName, requestable } from './requestable.ts'
export { CONCERNS, type Concern, type Holder, type Obtained, type Program, type ScopeGroup } from './scope-entry.ts'
export type { ScopeRequest } from './scope-request.ts'
export { parseScopes, printScopes } from './scope-text.ts'
export { PICKER, refuseUnselectable, selectable } from './selectable.ts'
export { refuseStillImplied, stillImplied } from './still-implied.ts'
export { withoutWrites } from './without-writes.ts'
