export { isShownTo } from './store.ts'
