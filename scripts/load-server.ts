import { flushCompileCache } from 'node:module'
import { demoIfInstalled, loadEmbeddedPostgres } from '../server/src/main/optional-workspaces.ts'

// A program of its own, because Node stores the code of a module in the cache only for the process that loaded it.
// It loads what `npm start` loads, in both threads, and runs nothing.
await import('../server/src/main/start.ts')
await import('../server/src/main/welcome.ts')
await import('../server/src/main/serve.ts')
await import('../server/src/main/serve-api.ts')
await import('../server/src/main/demo.ts')
await import('../server/src/main/worker.ts')
await demoIfInstalled()
// A production install has no embedded PostgreSQL.
await loadEmbeddedPostgres().catch(() => null)
flushCompileCache()
process.exit(0)
