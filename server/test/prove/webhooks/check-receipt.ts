import { Webhook } from 'standardwebhooks'
import { checkSignature } from '#test/webhook-signature.ts'
import type { Delivery } from './delivery.ts'
import { type HappenedEvent, INVESTOR_PII, isAddressed, isRight, scopesNeeded } from './entitlement.ts'
import type { Endpoint, Installation } from './participants.ts'
import type { Receipt } from './receiver.ts'
import type { Stage } from './stage.ts'
import type { Timeline } from './timeline.ts'
import { SIGNATURE_HEADER } from './worker.ts'

type Received = { readonly receipt: Receipt; readonly delivery: Delivery; readonly event: HappenedEvent }

/** A receipt with its event, its endpoint and its installation. */
type Case = {
  readonly receipt: Receipt
  readonly event: HappenedEvent
  readonly endpoint: Endpoint
  readonly installation: Installation | null
  readonly slackMs: number
}

export function checkReceipt({ participants, findings, stalls }: Stage, { receipt, delivery, event }: Received): void {
  const endpoint = participants.endpoints.find(({ path }) => path === receipt.path)
  const installation = participants.installations.find(({ id }) => id === delivery.installation_id) ?? null
  const about = `${delivery.id} (${event.name}) at ${receipt.path} for ${delivery.installation_id}`
  if (endpoint?.id !== delivery.endpoint_id || !isAddressed(event, installation, endpoint)) {
    findings.add('stranger', about)
    return
  }
  const seen = { receipt, event, endpoint, installation, slackMs: SLACK_MS + stalls.longestMs }
  if (!isSigned(seen)) findings.add('signature', about)
  const why = whyNotEntitled(seen)
  if (why !== null) findings.add('withdrawn', `${about}: ${why}`)
  if (!saysTheRightThing(seen)) findings.add('projection', `${about}: ${receipt.body}`)
}

/** The maximum time between reading a delivery and signing it, on a machine that does not stall (`stalls.ts`). */
const SLACK_MS = 1_000

/** Returns the values that this timeline may have had when the worker read the delivery. */
function possibleValues<T>({ receipt: { headers, at }, slackMs }: Case, timeline: Timeline<T>): T[] {
  return timeline.possible(Number(headers['webhook-timestamp']) * 1_000 - slackMs, at)
}

function whyNotEntitled(seen: Case): string | null {
  const { event, endpoint, installation } = seen
  if (!possibleValues(seen, endpoint.state).includes('enabled')) return 'the endpoint was not enabled'
  if (!possibleValues(seen, endpoint.app.active).includes(true)) return 'the app was suspended'
  if (installation === null || event.name === 'installation.revoked') return null
  if (!possibleValues(seen, installation.active).includes(true)) return 'the installation was revoked'
  const needed = scopesNeeded(event, installation) ?? []
  const held = possibleValues(seen, installation.scopes).some((all) => needed.every((scope) => all.includes(scope)))
  return held ? null : `without ${needed}`
}

function saysTheRightThing(seen: Case): boolean {
  const { event, installation, receipt } = seen
  const body = JSON.parse(receipt.body.toString()) as unknown
  const scopes = installation === null ? [[]] : possibleValues(seen, installation.scopes)
  return scopes.some((all) => isRight({ event, installation, pii: all.includes(INVESTOR_PII) }, body))
}

/**
 * Whether the receipt is signed with the newest secret and every replaced secret that is still valid: "one v1 per
 * active secret". If the secret may have been rotated meanwhile, only the newest secret is checked.
 */
function isSigned(seen: Case): boolean {
  const possible = possibleValues(seen, seen.endpoint.secrets)
  if (possible.length > 1) return possible.some(([newest]) => verifies(seen.receipt, newest))
  return possible.flat().every((secret) => verifies(seen.receipt, secret))
}

/** Verifies our signature with `checkSignature`, and that of Standard Webhooks with the library that partners use. */
function verifies({ headers, body, at }: Receipt, secret: string): boolean {
  const header = String(headers[SIGNATURE_HEADER.toLowerCase()])
  if (checkSignature(secret, { header, body, nowSeconds: Math.floor(at / 1_000) }) !== 'valid') return false
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}
