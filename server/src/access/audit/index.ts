export { CHAIN_END, chainAudit, type Finding, verifyAudit } from './chain.ts'
export { auditQueue } from './chain-store.ts'
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
  withPeople,
} from './store.ts'
