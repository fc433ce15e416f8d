export {
  authenticateOperator,
  createOperatorKey,
  KEY_DAYS_MAX,
  knownOperatorKeys,
  type MadeKey,
  revokeOperatorKey,
} from './operator-keys.ts'
export { type KeyRow, listKeys } from './store.ts'
