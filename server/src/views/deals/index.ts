export { type DealOf, showDeal } from './deals.ts'
