// These exports need Node’s file system. All other exports are in index.ts, and also run in browsers and workers.
export { type NdjsonStore, ndjsonStore } from './sync/ndjson-store.ts'
