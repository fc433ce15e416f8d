/**
 * Two kinds of time that must not be mixed. Wall time is real time: rate-limit windows, idempotency, leases, ids, logs,
 * signatures, mails, sign-in sessions. World time is the database's clock plus the world's `ahead` (the sandbox clock can be
 * moved forward): expiry of tokens, join sessions and investment sessions, grace periods, retries of deliveries, and the times
 * in records, events and delivery records. docs/sandbox.md has the full list. World time comes from PostgreSQL as text with
 * microseconds. It never becomes a JavaScript Date, which would cut it to milliseconds.
 */
declare const wall: unique symbol
/** Milliseconds since 1970, real time. */
export type WallTime = number & { readonly [wall]: true }

export type WallClock = { now(): WallTime }

export const systemClock: WallClock = { now: () => Date.now() as WallTime }

declare const world: unique symbol
/** `2026-11-15T08:30:00.123456Z`: sorts and compares as text, and is sent to clients unchanged. */
export type WorldTime = string & { readonly [world]: true }

const WORLD_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/

export function worldTime(text: string): WorldTime {
  if (!WORLD_TIME.test(text)) throw new TypeError(`not a world time: ${text}`)
  return text as WorldTime
}
