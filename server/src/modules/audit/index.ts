export { type AuditEntry, recordAudit } from './store.ts'
