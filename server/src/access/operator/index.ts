export {
  authenticateOperator,
  createOperatorKey,
  knownOperatorKeys,
  type MadeKey,
  revokeOperatorKey,
} from './operator-keys.ts'
export { type KeyRow, listKeys } from './store.ts'
