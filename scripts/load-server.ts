import { flushCompileCache } from 'node:module'
import { demoIfInstalled, loadEmbeddedPostgres } from '../server/src/main/optional-workspaces.ts'

// This is a separate program, because `flushCompileCache` stores only the compiled code of modules that its own process
// has loaded. The program loads what `npm start` loads, in both threads, and runs nothing.
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
