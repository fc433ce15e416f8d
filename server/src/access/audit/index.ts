export { chainAudit, type Finding, verifyAudit } from './chain.ts'
export {
  type AuditEntry,
  eraseReasons,
  eraseReasonsIn,
  explainIn,
  operatorAudit,
  recordAudit,
  recordAuditIn,
  recordAudits,
  recordAuditsIn,
} from './store.ts'
