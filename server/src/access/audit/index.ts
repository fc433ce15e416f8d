export { CHAIN_END, chainAudit, type Finding, verifyAudit } from './chain.ts'
export { auditQueue } from './chain-store.ts'
export {
  type AuditEntry,
  announceIn,
  eraseReasons,
  eraseReasonsIn,
  explainIn,
  operatorAudit,
  recordAudit,
  recordAuditIn,
  recordAudits,
  recordAuditsIn,
  recordOutcomeIn,
  withPeople,
} from './store.ts'
