export type { LimitSettings } from './limit-table.ts'
export { type Limits, openLimits } from './limits.ts'
