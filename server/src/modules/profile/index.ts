export { isShownTo } from './follow-list-store.ts'
