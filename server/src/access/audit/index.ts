export { chainAudit } from './chain.ts'
export { operatorAudit } from './operator-audit.ts'
export {
  type AuditEntry,
  eraseReasons,
  eraseReasonsIn,
  explainIn,
  recordAudit,
  recordAuditIn,
  recordAudits,
  recordAuditsIn,
} from './store.ts'
export { type Finding, verifyAudit } from './verify-chain.ts'
