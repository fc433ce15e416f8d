export { purgeRequests, type RequestRecorder, requestRecorder, turnRequestLog } from './recorder.ts'
export { areStillAllowed, countsOf, countsOfAll, findRequest, type Watcher } from './store.ts'
