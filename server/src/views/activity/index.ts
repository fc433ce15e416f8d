export { type ActionRecorder, actionRecorder } from './action-recorder.ts'
export type { NewEntry } from './entry.ts'
export {
  ACTIONS_COUNTED_MAX,
  countActions,
  eraseActivity,
  purgeActivity,
  recordAction,
  recordActionInto,
} from './store.ts'
