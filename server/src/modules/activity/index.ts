export { type ActionRecorder, actionRecorder } from './action-recorder.ts'
export { ACTIONS_COUNTED_MAX, countActions } from './count-store.ts'
export type { NewEntry } from './entry.ts'
export { eraseActivity, purgeActivity, recordAction, recordActionInto } from './store.ts'
