export type { Around } from './actions/action.ts'
export { carryOutApproved } from './decide.ts'
export { eraseIntents, expireDueIntents, expireOnRevoked, expireOnStopped } from './expire.ts'
export { nextExpiryInMs } from './expiry-store.ts'
