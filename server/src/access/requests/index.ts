export { purgeRequests, type RequestRecorder, requestRecorder, turnRequestLog } from './recorder.ts'
