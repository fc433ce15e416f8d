import type { Id } from '#kernel/ids.ts'

/** Installations that were revoked, or endpoints that were removed: what was queued for them is over. */
export type Stop =
  | { readonly reason: 'installation_revoked'; readonly ids: readonly Id<'installation'>[] }
  | { readonly reason: 'endpoint_removed'; readonly ids: readonly Id<'webhookEndpoint'>[] }

export type StopReason = Stop['reason']
