export { type DealOf, showDeal } from './deal/show-deal.ts'
