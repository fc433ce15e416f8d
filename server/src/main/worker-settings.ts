import type { MailBrand, MailSettings } from '#mail/index.ts'
import type { LogFormat } from '#system/log.ts'
import type { MetricSnapshot } from '#system/metrics.ts'

/** What a worker needs to run, plain enough to be handed to a thread. */
export type WorkerSettings = {
  readonly databaseUrl: string
  readonly poolSize: number
  readonly logLevel: string
  readonly logFormat: LogFormat | null
  /** Opens what deliveries are signed with. */
  readonly secret: string
  readonly previousSecrets: readonly string[]
  readonly brand: string
  readonly platformName: string
  /** Whether deliveries of the test world may go to this machine. */
  readonly loopbackWebhooks: boolean
  /** Under which this service is reached: deliveries never go there. */
  readonly ownOrigins: readonly string[]
  /** In how large a group of people one of them may be counted, in referral statistics. */
  readonly referralPeopleMin: number
  /** How mail is sent; null: not at all. */
  readonly mail: MailSettings | null
  readonly mailBrand: MailBrand
}

/** What the API's thread says to the workers' thread, and what it answers. */
export type ToWorker =
  | { readonly say: 'stop' }
  /** Something was committed: look now and not at the next poll. */
  | { readonly say: 'wake' }
  | { readonly say: 'measure'; readonly question: number }
export type FromWorker =
  | { readonly say: 'alive'; readonly eventLoopMs: number }
  | { readonly say: 'measured'; readonly question: number; readonly snapshot: MetricSnapshot }
