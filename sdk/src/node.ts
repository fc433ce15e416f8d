// What needs Node’s file system. Everything else is in index.ts, and runs in browsers and workers too.
export { type NdjsonStore, ndjsonStore } from './sync/ndjson-store.ts'
