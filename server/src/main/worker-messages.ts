import type { MetricSnapshot } from '#system/metrics.ts'

/** What the API's thread says to the workers' thread, and what it answers. */
export type ToWorker =
  | { readonly say: 'stop' }
  /** Something was committed: look now and not at the next poll. */
  | { readonly say: 'wake' }
  | { readonly say: 'measure'; readonly question: number }
export type FromWorker =
  | { readonly say: 'alive'; readonly eventLoopMs: number }
  | { readonly say: 'measured'; readonly question: number; readonly snapshot: MetricSnapshot }
