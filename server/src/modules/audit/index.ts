export { type AuditEntry, recordAudit, recordAuditIn } from './store.ts'
