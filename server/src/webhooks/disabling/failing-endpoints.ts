import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { DisabledReason } from '../endpoints/endpoint.ts'
import { type Failing, type FailingStep, failingStep } from './failing-step.ts'
import { disableRows, type FailingLane, findFailing, lockEnabled, setNoticesSent } from './store.ts'

const NOTICE: Readonly<Record<Exclude<FailingStep, 'disabled'>, { notices: number; kind: EndpointNoticeKind }>> = {
  started: { notices: 1, kind: 'webhook_endpoint.failing' },
  warned: { notices: 2, kind: 'webhook_endpoint.disabled_soon' },
}

/** Takes the next due step for each failing endpoint and returns how many endpoints it checked. */
export async function watchFailing(tx: Tx, limit: number, notify: NotifyTeam): Promise<number> {
  const found = await findFailing(tx, limit)
  if (found.length === 0) return 0
  // Read again under the lock: an attempt may have succeeded meanwhile.
  for (const lane of await lockEnabled(tx, found)) await takeStep(tx, lane, notify)
  return found.length
}

async function takeStep(tx: Tx, lane: FailingLane, notify: NotifyTeam): Promise<void> {
  const { endpoint, app, url, failing_since: failingSince } = lane
  if (failingSince === null) return
  const step = failingStep(failingOf(lane))
  if (step === null) return
  if (step === 'disabled') return disable(tx, lane, { reason: 'failing', notify })
  await setNoticesSent(tx, endpoint, NOTICE[step].notices)
  await notify(tx, { kind: NOTICE[step].kind, app, world: tx.world, endpoint, url, failingSince, reason: null })
}

function failingOf({ for_seconds, last_failure_after_seconds, notices, since_notice_seconds }: FailingLane): Failing {
  return {
    forSeconds: for_seconds ?? 0,
    lastFailureAfterSeconds: last_failure_after_seconds ?? 0,
    notices,
    sinceNoticeSeconds: since_notice_seconds,
  }
}

/** "410 disables." A disabled or removed endpoint does not change. */
export async function disableGone(tx: Tx, endpoint: Id<'webhookEndpoint'>, notify: NotifyTeam): Promise<void> {
  for (const lane of await lockEnabled(tx, [endpoint])) await disable(tx, lane, { reason: 'gone', notify })
}

type Disabling = { readonly reason: DisabledReason; readonly notify: NotifyTeam }

/** While the endpoint is disabled, queued and new deliveries wait in the queue, as long as their events are stored. */
async function disable(tx: Tx, lane: FailingLane, { reason, notify }: Disabling): Promise<void> {
  const { endpoint, app, url, failing_since: failingSince } = lane
  await disableRows(tx, endpoint, reason)
  await notify(tx, { kind: 'webhook_endpoint.disabled', app, world: tx.world, endpoint, url, failingSince, reason })
}

export const ENDPOINT_NOTICES = [
  'webhook_endpoint.failing',
  'webhook_endpoint.disabled_soon',
  'webhook_endpoint.disabled',
] as const
export type EndpointNoticeKind = (typeof ENDPOINT_NOTICES)[number]

/** A notice to the team of an app about one of its endpoints. */
export type EndpointNotice = {
  readonly kind: EndpointNoticeKind
  readonly app: Id<'app'>
  readonly world: World
  readonly endpoint: Id<'webhookEndpoint'>
  readonly url: string
  /** World time; null if the endpoint answered 410 and was not failing before. */
  readonly failingSince: string | null
  /** Null while the endpoint is enabled. */
  readonly reason: DisabledReason | null
}

/**
 * Runs in the transaction that changes the endpoint. The notices module depends on the webhooks module, so `main` passes
 * the function of the notices module.
 */
export type NotifyTeam = (tx: Tx, notice: EndpointNotice) => Promise<void>
