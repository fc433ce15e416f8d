export { purgeRequests, type RequestRecorder, requestRecorder, turnRequestLog } from './recorder.ts'
export { areStillAllowed, findRequest, type Watcher } from './store.ts'
