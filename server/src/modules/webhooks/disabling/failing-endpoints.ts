import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { DisabledReason } from '../endpoints/endpoint.ts'
import { type Failing, type FailingStep, failingStep } from './failing-step.ts'
import { disableRows, type FailingLane, findFailing, lockEnabled, setTold } from './store.ts'

const NOTICE: Readonly<Record<Exclude<FailingStep, 'disabled'>, { told: number; kind: EndpointNoticeKind }>> = {
  started: { told: 1, kind: 'webhook_endpoint.failing' },
  warned: { told: 2, kind: 'webhook_endpoint.disabled_soon' },
}

/** Takes the next step with every failing endpoint for which it is time, and says how many it looked at. */
export async function watchFailing(tx: Tx, limit: number, tell: NotifyTeam): Promise<number> {
  const found = await findFailing(tx, limit)
  if (found.length === 0) return 0
  // Locked, and looked at again: one of them may have had a success meanwhile.
  for (const lane of await lockEnabled(tx, found)) await takeStep(tx, lane, tell)
  return found.length
}

async function takeStep(tx: Tx, lane: FailingLane, tell: NotifyTeam): Promise<void> {
  const { endpoint, app, url, failing_since: failingSince } = lane
  if (failingSince === null) return
  const step = failingStep(failingOf(lane))
  if (step === null) return
  if (step === 'disabled') return disable(tx, lane, { reason: 'failing', tell })
  await setTold(tx, endpoint, NOTICE[step].told)
  await tell(tx, { kind: NOTICE[step].kind, app, world: tx.world, endpoint, url, failingSince, reason: null })
}

function failingOf({ for_seconds, last_failure_after_seconds, told, since_told_seconds }: FailingLane): Failing {
  return {
    forSeconds: for_seconds ?? 0,
    lastFailureAfterSeconds: last_failure_after_seconds ?? 0,
    told,
    sinceToldSeconds: since_told_seconds,
  }
}

/** "410 disables." One that is disabled or removed by now stays as it is. */
export async function disableGone(tx: Tx, endpoint: Id<'webhookEndpoint'>, tell: NotifyTeam): Promise<void> {
  for (const lane of await lockEnabled(tx, [endpoint])) await disable(tx, lane, { reason: 'gone', tell })
}

type Disabling = { readonly reason: DisabledReason; readonly tell: NotifyTeam }

/** What waits for it stays in the queue, and what happens meanwhile joins it: nothing is lost while it is disabled. */
async function disable(tx: Tx, lane: FailingLane, { reason, tell }: Disabling): Promise<void> {
  const { endpoint, app, url, failing_since: failingSince } = lane
  await disableRows(tx, endpoint, reason)
  await tell(tx, { kind: 'webhook_endpoint.disabled', app, world: tx.world, endpoint, url, failingSince, reason })
}

export const ENDPOINT_NOTICES = [
  'webhook_endpoint.failing',
  'webhook_endpoint.disabled_soon',
  'webhook_endpoint.disabled',
] as const
export type EndpointNoticeKind = (typeof ENDPOINT_NOTICES)[number]

/** What the team of an app is told about one of its endpoints. */
export type EndpointNotice = {
  readonly kind: EndpointNoticeKind
  readonly app: Id<'app'>
  readonly world: World
  readonly endpoint: Id<'webhookEndpoint'>
  readonly url: string
  /** World time; null where it answered that it is gone. */
  readonly failingSince: string | null
  /** Null while it is enabled. */
  readonly reason: DisabledReason | null
}

/** In the transaction that makes it so. Telling is the business of a module that knows this one; main hands it in. */
export type NotifyTeam = (tx: Tx, notice: EndpointNotice) => Promise<void>
