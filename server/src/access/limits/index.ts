export type { LimitSettings } from './limit-table.ts'
export type { Limits } from './limits.ts'
export { purgeLimitUse, type RecordedLimit } from './use-store.ts'
