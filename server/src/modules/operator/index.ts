export { authenticateOperator } from './authenticate-operator.ts'
export { knownOperatorKeys } from './known-keys.ts'
export { createOperatorKey, type MadeKey, revokeOperatorKey } from './manage-keys.ts'
export { type KeyRow, listKeys } from './store.ts'
