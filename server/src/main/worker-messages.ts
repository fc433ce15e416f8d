import type { MetricSnapshot } from '#system/metrics.ts'

/** What the API's thread says to the workers' thread, and what it hears back. */
export type ToWorker = { readonly say: 'stop' } | { readonly say: 'measure'; readonly question: number }
export type FromWorker =
  | { readonly say: 'alive'; readonly eventLoopMs: number }
  | { readonly say: 'measured'; readonly question: number; readonly snapshot: MetricSnapshot }
