import type { LimitSettings } from '../limit-table.ts'

/** The limits in the specification's table, and three of our own. */
export const AS_SPECIFIED: LimitSettings = {
  access_token: 1_000,
  address: 5_000,
  public_catalog: 60,
  publishable_key: 300,
  token_client: 60,
  token_address: 300,
  server_key: 1_000,
  webhook_test: 10,
  pending_intent: 10,
  document: 300,
  unknown_token: 100,
}

/** Only these limits; all others are switched off. */
export function onlyLimits(some: Partial<LimitSettings>): LimitSettings {
  const off = Object.keys(AS_SPECIFIED).map((name) => [name, 0])
  return { ...(Object.fromEntries(off) as LimitSettings), ...some }
}
