import { setTimeout as wait } from 'node:timers/promises'
import { WAITING } from '#webhooks/queue/testing/pack-store.ts'
import type { Random } from '../random.ts'
import { causeEvent, recordFannedOut } from './caused-events.ts'
import { reenableAll, unsuspendAll } from './changes.ts'
import { APP_EVENT } from './entitlement.ts'
import { isStanding } from './participants.ts'
import type { Receiver } from './receiver.ts'
import { count, type Stage } from './stage.ts'

/**
 * A step is longer than the longest wait for an attempt. All steps together are shorter than the retention of the
 * history.
 */
const STEP = '30 hours'
/** Steps after the last receiver has recovered. */
const STEPS_MORE = 7

export type Patience = {
  /** If nothing changes for this long, a due delivery counts as stuck. */
  readonly patienceMs: number
  /**
   * One receiver keeps failing for this many steps. Ten steps exhaust deliveries and five disable endpoints. A step has
   * no effect if the endpoint is disabled before a delivery was sent to it.
   */
  readonly failingSteps: number
}

/** Advances the world's clock step by step until no delivery is left to send. A disabled endpoint is enabled again. */
export async function settle(stage: Stage, random: Random, { patienceMs, failingSteps }: Patience): Promise<void> {
  await everybodyWell(stage)
  const failing = failingSteps > 0 ? stage.participants.receivers[1] : undefined
  await failing?.turn('failing')
  // A suspended app stays suspended for a while, and gets no deliveries.
  if (!(await quietPastPauses(stage, patienceMs))) return
  await nextStep(stage)
  await unsuspendAll(stage)
  if (failing !== undefined) await somethingFor(failing, stage, random)
  for (let step = 0; step < failingSteps + STEPS_MORE; step++) {
    if (step === failingSteps) await everybodyWell(stage)
    if (!(await quietPastPauses(stage, patienceMs))) return
    if ((await remaining(stage)).length === 0) return recordFannedOut(stage)
    await nextStep(stage)
  }
  for (const one of await remaining(stage)) stage.findings.add('stuck', `left at the end: ${JSON.stringify(one)}`)
}

async function nextStep(stage: Stage): Promise<void> {
  await recordFannedOut(stage)
  await reenableAll(stage)
  await stage.sql('update test.world_clock set ahead = ahead + $1::interval', [STEP])
  count(stage, 'steps')
}

/**
 * Adds an event for the failing receiver. Otherwise all events might be delivered already, and no delivery would fail.
 */
async function somethingFor(receiver: Receiver, stage: Stage, random: Random): Promise<void> {
  const endpoint = stage.participants.endpoints.find((each) => each.receiver === receiver && isStanding(each))
  if (endpoint === undefined) throw new Error('a removed endpoint must have a successor')
  await causeEvent(stage, random, { name: APP_EVENT, subject: { appId: endpoint.app.id }, data: {} })
}

async function everybodyWell({ participants }: Stage): Promise<void> {
  for (const receiver of participants.receivers) await receiver.turn('ok')
}

const remaining = ({ sql }: Stage) =>
  sql(`select q.id::text as id, q.endpoint_id, q.attempt, q.due_at, l.state, l.owner, l.next_due_at, l.by_id
         from ${WAITING} q join test.webhook_lanes l on l.endpoint_id = q.endpoint_id limit 3`)

/**
 * The query for a lane that is idle while one of its deliveries is due. This must never happen, because no worker would
 * ever send the delivery.
 */
const ASLEEP = `
  select q.id::text as id, q.endpoint_id, q.due_at, l.owner, l.next_due_at, test.world_now() as now
    from ${WAITING} q join test.webhook_lanes l on l.endpoint_id = q.endpoint_id
   where l.state = 'enabled' and (l.next_due_at is null or l.next_due_at > greatest(q.due_at, test.world_now()))
   order by q.id limit 1`

export async function watchSleepers({ sql, findings }: Stage): Promise<void> {
  for (const one of await sql(ASLEEP)) findings.add('stuck', `asleep: ${JSON.stringify(one)}`)
}

const DUE = `
  select q.id::text as id, q.endpoint_id, q.attempt, l.owner, l.lease_until, l.next_due_at, test.world_now() as now
    from ${WAITING} q join test.webhook_lanes l on l.endpoint_id = q.endpoint_id
   where l.state = 'enabled' and q.due_at <= test.world_now()
     and (l.paused_until is null or l.paused_until <= test.world_now()) order by q.id`
const UNTAKEN =
  'select event_id as id from test.event_queue union select event_id from test.deferred_events order by id'

const PAUSED = `
  select from ${WAITING} q join test.webhook_lanes l on l.endpoint_id = q.endpoint_id
   where l.state = 'enabled' and q.due_at <= test.world_now() and l.paused_until > test.world_now() limit 1`

/**
 * Waits until no delivery is due, and moves the clock past the pauses of 30 seconds that receivers request. After a pause
 * an endpoint gets one delivery, and may request another pause.
 */
async function quietPastPauses(stage: Stage, patienceMs: number): Promise<boolean> {
  while (await quiet(stage, patienceMs)) {
    if ((await stage.sql(PAUSED)).length === 0) return true
    await stage.sql(`update test.world_clock set ahead = ahead + interval '1 minute'`)
  }
  return false
}

/** Waits until no delivery is due. Returns false and adds a finding if a delivery stays due while nothing changes. */
async function quiet(stage: Stage, patienceMs: number): Promise<boolean> {
  let [before, since] = ['', Date.now()]
  for (;;) {
    const due = [...(await stage.sql<{ id: string }>(UNTAKEN)), ...(await stage.sql<{ id: string }>(DUE))]
    if (due.length === 0) return true
    const now = due.map(({ id }) => id).join()
    if (now !== before) [before, since] = [now, Date.now()]
    if (Date.now() - since > patienceMs) {
      for (const one of due.slice(0, 3)) stage.findings.add('stuck', JSON.stringify(one))
      return false
    }
    await wait(20)
  }
}
