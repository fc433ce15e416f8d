import type { Contract, Expected } from './client.ts'
import { anything, type Decoder, flag, listOf, nullable, object, text, week, whole } from './decode.ts'
import { errorOf, INTROSPECTION } from './errors.ts'
import * as records from './same-records.ts'
import { SANDBOX } from './sandbox-records.ts'

export const ok = (body: Decoder): Expected => ({ status: 200, body })
export const created = (body: Decoder): Expected => ({ status: 201, body })
export const single = (data: Decoder): Decoder => object({ data })
const named = { request_id: text }
/**
 * `next_cursor` is "string or null" in every list of the newest version, and in each list whose response is the same in
 * every version.
 */
const PAGE = { has_more: flag, page_count: whole, next_cursor: nullable(text) }
export const page = (data: Decoder, more: Readonly<Record<string, Decoder>> = {}): Decoder =>
  object({ data: listOf(data), meta: object({ ...PAGE, ...more }) })
const withRequestId = (data: Decoder): Decoder => object({ data, meta: object(named) })

/** "attribution-related endpoints removed on 2026-10-14" */
const REMOVED = [
  ...['listAttributionCampaigns', 'listPartnerInvites', 'createPartnerInvite', 'revokePartnerInvite'],
  ...['getAttributionMe', 'registerAsPartner', 'listAttributedInvestments', 'getAttributionStats'],
  ...['listWebhookSubscriptions', 'createWebhookSubscription', 'getWebhookSubscription', 'deleteWebhookSubscription'],
  ...['reactivateWebhookSubscription', 'regenerateWebhookSecret', 'testWebhookSubscription'],
] as const

/** Operations that answer alike in every version. */
export const SAME: Contract = {
  ...SANDBOX,
  ...Object.fromEntries(REMOVED.map((operation) => [operation, { status: 410, body: errorOf(410) }])),
  getAuthorizationServerMetadata: ok(records.SERVER_METADATA),
  createToken: ok(records.OAUTH_TOKEN),
  introspectToken: ok(INTROSPECTION),
  revokeToken: ok(object({})),
  createReferralCode: created(withRequestId(records.REFERRAL_CODE)),
  listReferralCodes: ok(page(records.REFERRAL_CODE, { ...named, quota: whole })),
  getReferralCode: ok(withRequestId(records.REFERRAL_CODE)),
  updateReferralCode: ok(withRequestId(records.REFERRAL_CODE)),
  getReferralCodeStats: ok(
    page(records.REFERRAL_WEEK, { ...named, referral_code: text, published_through: nullable(week), k: whole }),
  ),
  createJoinSession: created(single(records.JOIN_SESSION)),
  listJoinSessions: ok(page(records.JOIN_SESSION)),
  getJoinSession: ok(single(records.JOIN_SESSION)),
  cancelJoinSession: ok(single(records.JOIN_SESSION)),
  createJoinTheme: created(single(records.JOIN_THEME)),
  listJoinThemes: ok(page(records.JOIN_THEME)),
  updateJoinTheme: ok(single(records.JOIN_THEME)),
  reorderSyndicateMembers: ok(single(records.REORDERED)),
  exportSyndicateMembersCsv: ok(anything),
  listWebhookDeliveries: ok(page(records.DELIVERY, named)),
  getWebhookDelivery: ok(withRequestId(records.DELIVERY_WITH_PAYLOAD)),
  redeliverWebhookDelivery: { status: 202, body: withRequestId(records.DELIVERY_WITH_ATTEMPTS) },
  replayWebhookDeliveries: { status: 202, body: withRequestId(records.REPLAY) },
  listEvents: ok(page(records.EVENT, named)),
  getEvent: ok(withRequestId(records.EVENT)),
  deleteWebhookEndpoint: ok(single(records.REMOVED_ENDPOINT)),
  revokeConnectedApp: ok(single(records.DISCONNECTED)),
}
