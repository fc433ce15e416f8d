export { exemptionBefore, securityBefore } from './older-versions.ts'
export { Security } from './security.ts'
