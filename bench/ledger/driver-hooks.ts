import { registerHooks } from 'node:module'

const OURS = '/server/src/system/postgres/pipeline/pipeline.ts'
const DRIVERS = new URL('./driver-pipeline.ts', import.meta.url).href

/** With `--import`: the service as it is, with pg's own pipeline for its short reads. */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    return resolved.url.endsWith(OURS) ? { ...resolved, url: DRIVERS } : resolved
  },
})
