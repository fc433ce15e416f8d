export { type ActionRecorder, actionRecorder } from './action-recorder.ts'
export type { NewEntry } from './entry.ts'
export { type ActivityRouteDeps, activityRoutes } from './routes.ts'
export { eraseActivity, purgeActivity, recordAction, recordActionInto } from './store.ts'
