import type { MailBrand, MailSettings } from '#mail/index.ts'
import type { LogFormat } from '#system/log.ts'
import type { MetricSnapshot } from '#system/metrics.ts'

/** The settings of a worker, as plain data that can be sent to a thread. */
export type WorkerSettings = {
  readonly databaseUrl: string
  readonly poolSize: number
  readonly logLevel: string
  readonly logFormat: LogFormat | null
  /** The sealing secret, which opens the signing secrets of endpoints. */
  readonly secret: string
  readonly previousSecrets: readonly string[]
  readonly brand: string
  readonly platformName: string
  /** Whether deliveries of the test world may go to this machine. */
  readonly loopbackWebhooks: boolean
  /** The addresses of this service: deliveries are never sent there. */
  readonly ownOrigins: readonly string[]
  /** The smallest group of people in referral statistics. */
  readonly referralPeopleMin: number
  /** How mail is sent; null if it is not configured. */
  readonly mail: MailSettings | null
  readonly mailBrand: MailBrand
}

/** Messages from the API's thread to the workers' thread. */
export type ToWorker =
  | { readonly say: 'stop' }
  /** Something was committed: look for work now instead of at the next poll. */
  | { readonly say: 'wake' }
  | { readonly say: 'measure'; readonly question: number }
export type FromWorker =
  | { readonly say: 'alive'; readonly eventLoopMs: number }
  | { readonly say: 'measured'; readonly question: number; readonly snapshot: MetricSnapshot }
