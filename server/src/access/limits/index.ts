export type { LimitSettings } from './limit-table.ts'
export type { Limits } from './limits.ts'
export { purgeLimitUsage, type RecordedLimit } from './usage-store.ts'
