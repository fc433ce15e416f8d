export { type AuditEntry, recordAudit, recordAuditIn, recordAudits, recordAuditsIn } from './store.ts'
