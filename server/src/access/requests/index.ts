export { purgeRequests, type RequestRecorder, requestRecorder, turnRequestLog } from './recorder.ts'
export { areStillAllowed, countsOf, countsOfAll, findRequest, findRequestingApp, type Watcher } from './store.ts'
