import { replaceLines } from './replace-lines.ts'

/** Loaded with `--import` into a service with traces: SIGUSR2 switches the traces off, and on again. */
replaceLines({
  '/server/src/http/exchange.ts': [
    [
      '  const { tracing = null } = edge.ports\n',
      "  const { tracing = null } = globalThis['benchTracesPaused'] === true ? {} : edge.ports\n",
    ],
  ],
})

const shared = globalThis as { benchTracesPaused?: boolean }
process.on('SIGUSR2', () => {
  shared.benchTracesPaused = shared.benchTracesPaused !== true
})
