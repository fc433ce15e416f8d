import type { Refusal } from '../rate-limited.ts'

/** At most `limit` hits of `key` in each window of `periodSeconds`, windows beginning at multiples of it since 1970. */
export type WindowRule = { readonly key: string; readonly limit: number; readonly periodSeconds: number }

export type WindowVerdict = { readonly allowed: true } | { readonly allowed: false; readonly refusing: Refusal }

/**
 * Counts one request against several rules at once, all or nothing: a request that one rule refuses counts on none,
 * so that a client waiting out one limit does not use up another. Refused, it hears of the rule it must wait longest
 * for. May be answered by a shared store, hence the promise.
 */
export type WindowCounter<V extends WindowVerdict | Promise<WindowVerdict> = WindowVerdict | Promise<WindowVerdict>> = {
  hit(rules: readonly WindowRule[]): V
}
