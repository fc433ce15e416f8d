import { PAUSING_TRACES, replaceLines } from './replace-lines.ts'

/** Loaded with `--import` into a service with traces: SIGUSR2 switches the traces off, and on again. */
replaceLines(PAUSING_TRACES)

const shared = globalThis as { benchTracesPaused?: boolean }
process.on('SIGUSR2', () => {
  shared.benchTracesPaused = shared.benchTracesPaused !== true
})
