import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { DisabledReason } from '../endpoints/endpoint.ts'
import type { TellTeam } from './endpoint-notice.ts'
import { disableRows, type FailingLane, lockEnabled } from './store.ts'

/** "410 disables." One that is disabled or removed by now stays as it is. */
export async function disableGone(tx: Tx, endpoint: Id<'webhookEndpoint'>, tell: TellTeam): Promise<void> {
  for (const lane of await lockEnabled(tx, [endpoint])) await disable(tx, lane, { reason: 'gone', tell })
}

type Disabling = { readonly reason: DisabledReason; readonly tell: TellTeam }

/** What waits for it stays in the queue, and what happens meanwhile joins it: nothing is lost while it is disabled. */
export async function disable(tx: Tx, lane: FailingLane, { reason, tell }: Disabling): Promise<void> {
  const { endpoint, app, url, failing_since: failingSince } = lane
  await disableRows(tx, endpoint, reason)
  await tell(tx, { kind: 'webhook_endpoint.disabled', app, world: tx.world, endpoint, url, failingSince, reason })
}
