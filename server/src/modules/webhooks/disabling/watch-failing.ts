import type { Tx } from '#system/postgres/database.ts'
import { disable } from './disable-endpoint.ts'
import type { EndpointNoticeKind, TellTeam } from './endpoint-notice.ts'
import { type Failing, type FailingStep, failingStep } from './failing-step.ts'
import { type FailingLane, findFailing, lockEnabled, setTold } from './store.ts'

const NOTICE: Readonly<Record<Exclude<FailingStep, 'disabled'>, { told: number; kind: EndpointNoticeKind }>> = {
  started: { told: 1, kind: 'webhook_endpoint.failing' },
  warned: { told: 2, kind: 'webhook_endpoint.disabled_soon' },
}

/** Takes the next step with every failing endpoint for which it is time, and says how many it looked at. */
export async function watchFailing(tx: Tx, limit: number, tell: TellTeam): Promise<number> {
  const found = await findFailing(tx, limit)
  if (found.length === 0) return 0
  // Locked, and looked at again: one of them may have had a success meanwhile.
  for (const lane of await lockEnabled(tx, found)) await takeStep(tx, lane, tell)
  return found.length
}

async function takeStep(tx: Tx, lane: FailingLane, tell: TellTeam): Promise<void> {
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
