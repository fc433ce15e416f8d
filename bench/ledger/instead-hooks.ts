import { registerHooks } from 'node:module'

/** Our files that are compared with a library, and their replacements. */
const REPLACEMENTS = {
  'pg-pipeline': ['/server/src/system/postgres/pipeline/pipeline.ts', new URL('./driver-pipeline.ts', import.meta.url)],
  'hmac-numbers': ['/server/src/system/crypto/bound-numbers.ts', new URL('./hmac-numbers.ts', import.meta.url)],
} as const

export type Instead = keyof typeof REPLACEMENTS
export const INSTEAD_KEY = 'BENCH_INSTEAD'

/** Loaded with `--import`: runs the unchanged service, except for one file. */
const chosen = process.env[INSTEAD_KEY]
if (chosen !== undefined && Object.hasOwn(REPLACEMENTS, chosen)) {
  const [ours, { href }] = REPLACEMENTS[chosen as Instead]
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context)
      return resolved.url.endsWith(ours) && context.parentURL !== href ? { ...resolved, url: href } : resolved
    },
  })
}
