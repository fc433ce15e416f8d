import type { Attempt, Delivery } from './delivery.ts'
import { ALL_SCOPES } from './make-participants.ts'
import type { Receipt } from './receiver.ts'
import type { Stage } from './stage.ts'

const ATTEMPTS_MAX = 10
/**
 * A request that was being sent when its worker lost the lane may still arrive this much later. See also `stalls.ts`.
 */
const IN_FLIGHT_MS = 3_000

type DeliveryRecord = {
  readonly delivery: Delivery
  /** The receipts, in the order in which the receiver got them. */
  readonly receipts: readonly Receipt[]
  /** The times at which another worker took over the lane. */
  readonly takenOver: readonly number[]
}

/** Compares the history of a delivery with what the receiver got. */
export function checkDelivery(stage: Stage, { delivery, receipts, takenOver }: DeliveryRecord): void {
  const wrong = whatIsWrong(stage, delivery, receipts)
  if (wrong !== null) stage.findings.add('history', `${delivery.id}: ${wrong}: ${JSON.stringify(delivery)}`)
  const again = unexcused({ delivery, receipts, takenOver }, IN_FLIGHT_MS + stage.stalls.longestMs)
  if (again !== null)
    stage.findings.add('duplicate', `${delivery.id}: ${again}: ${described({ delivery, receipts, takenOver })}`)
}

function described({ delivery: { attempts }, receipts, takenOver }: DeliveryRecord): string {
  return JSON.stringify({ receipts: receipts.map(({ at, status }) => [at, status]), attempts, takenOver })
}

const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300
const succeeded = ({ response_code }: Attempt) => isSuccess(response_code)

function whatIsWrong(stage: Stage, delivery: Delivery, receipts: readonly Receipt[]): string | null {
  const { state, attempts } = delivery
  if (!areAnswers(attempts, receipts)) return 'the history has an answer that the receiver never gave'
  if (attempts.length > ATTEMPTS_MAX) return 'too many attempts'
  if (attempts.slice(0, -1).some(succeeded)) return 'attempts continued after a success'
  const isOver = attempts.slice(-1).some(succeeded)
  if (isOver !== (state === 'delivered')) return isOver ? `${state} after a success` : 'delivered without a success'
  if (state === 'exhausted' && attempts.length < ATTEMPTS_MAX) return 'exhausted too early'
  return state === 'canceled' && !isReason(stage, delivery) ? 'the recorded reason was never true' : null
}

/** Whether the receiver gave every recorded status. */
function areAnswers(attempts: readonly Attempt[], receipts: readonly Receipt[]): boolean {
  const given = receipts.map(({ status }) => status)
  return attempts.every(({ response_code }) => {
    if (response_code === null) return true
    const at = given.indexOf(response_code)
    if (at >= 0) given.splice(at, 1)
    return at >= 0
  })
}

/** Whether the recorded reason was ever true. */
function isReason({ participants }: Stage, { reason, endpoint_id, installation_id }: Delivery): boolean {
  const endpoint = participants.endpoints.find(({ id }) => id === endpoint_id)
  const installation = participants.installations.find(({ id }) => id === installation_id)
  switch (reason) {
    case 'endpoint_removed':
      return endpoint?.state.latest === 'removed'
    case 'app_inactive':
      return endpoint?.app.active.ever((active) => !active) ?? false
    case 'installation_revoked':
      return installation?.active.latest === false
    case 'scope_missing':
      return installation?.scopes.ever((all) => all.length < ALL_SCOPES.length) ?? false
    default:
      return false
  }
}

/**
 * "Duplicates only where an attempt's outcome was not a recorded 2xx." A delivery with a 2xx answer is sent again only
 * if its sender died or lost the response. The number of receipts is at most the number of recorded attempts, plus
 * one for each takeover of the lane, plus one if the delivery was canceled.
 */
function unexcused({ delivery, receipts, takenOver }: DeliveryRecord, inFlightMs: number): string | null {
  const excused = (from: number, to: number) => takenOver.filter((at) => at >= from - inFlightMs && at <= to).length
  let unheard = delivery.attempts.filter(({ error }) => error !== null).length
  for (const [at, receipt] of receipts.entries()) {
    const next = receipts[at + 1]
    if (next === undefined || !isSuccess(receipt.status) || excused(receipt.at, next.at) > 0) continue
    unheard -= 1
    if (unheard < 0) return 'the delivery was sent again after a success'
  }
  const excuses = excused(receipts[0]?.at ?? 0, Infinity) + (delivery.state === 'canceled' ? 1 : 0)
  return receipts.length > delivery.attempts.length + excuses ? 'there are more receipts than attempts' : null
}
