export { Security } from './security.ts'
