import type { Outcome } from '#system/outbound/outcome.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

/**
 * "At once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h (10 attempts, about 3 days)": the seconds
 * between each attempt and the one before.
 */
export const ATTEMPT_AFTER_SECONDS: readonly number[] = [
  ...[0, 5, 5 * MINUTE, 30 * MINUTE],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
]

/** "Each with ±20 % jitter": without it, deliveries that failed together would be retried together. */
const JITTER = 0.2

export type Verdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'again'; readonly afterSeconds: number }
  | { readonly kind: 'exhausted' }

/** A random number from 0 to below 1. */
export type Random = () => number

/** The verdict on an attempt, by its outcome and its number (the first is 1). Only 2xx is a success. */
export function verdictOf(outcome: Outcome, attempt: number, random: Random): Verdict {
  return isSuccess(outcome) ? { kind: 'delivered' } : afterFailure(attempt, random, requestedWait(outcome))
}

/** The verdict on a failed attempt. Our own internal errors count like errors of the receiver. */
export function afterFailure(attempt: number, random: Random, requestedSeconds = 0): Verdict {
  const step = ATTEMPT_AFTER_SECONDS[attempt]
  if (step === undefined) return { kind: 'exhausted' }
  const honoured = Math.min(requestedSeconds, oneStepLater(attempt))
  return { kind: 'again', afterSeconds: Math.max(jittered(step, random), notBefore(honoured, random)) }
}

const BUSY: ReadonlySet<number> = new Set([429, 503])

/**
 * A 429 or 503 is about the receiver, not about one delivery, so all deliveries to this receiver wait for the time that
 * the response names. The pause is at most as long as Retry-After can delay the first retry (five minutes), so that one
 * response cannot stop a lane for hours.
 */
export function pauseSeconds(outcome: Outcome): number {
  const isBusy = outcome.kind === 'answered' && BUSY.has(outcome.status)
  return isBusy ? Math.min(requestedWait(outcome), oneStepLater(1)) : 0
}

function requestedWait(outcome: Outcome): number {
  return outcome.kind === 'answered' ? (outcome.retryAfterSeconds ?? 0) : 0
}

export function isSuccess(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300
}

/** "410 disables": the receiver says that the address is gone for good. */
export function isGone(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && outcome.status === 410
}

/**
 * "Retry-After is honoured within one step": before jitter, Retry-After can extend a wait at most to the wait that
 * follows it in the schedule. Retry-After never shortens a wait, and never extends the wait of the last attempt.
 */
function oneStepLater(attempt: number): number {
  return ATTEMPT_AFTER_SECONDS[attempt + 1] ?? ATTEMPT_AFTER_SECONDS[attempt] ?? 0
}

function jittered(seconds: number, random: Random): number {
  return seconds * (1 - JITTER + 2 * JITTER * random())
}

/** With jitter, but never sooner than the receiver requested. */
function notBefore(seconds: number, random: Random): number {
  return seconds * (1 + JITTER * random())
}

const BEGIN = '<!-- The table below is generated from the retry policy by `npm run generate`; do not edit. -->'
const END = '<!-- End of the table. -->'

/** Replaces the generated table of attempts in docs/webhooks.md; the rest is written by hand. */
export function webhookDocument(current: string): string {
  const [before, rest] = [current.indexOf(BEGIN), current.indexOf(END)]
  if (before === -1 || rest === -1) throw new Error('docs/webhooks.md has lost the marks of its table')
  return `${current.slice(0, before)}${BEGIN}\n\n${attemptTable()}\n\n${current.slice(rest)}`
}

function attemptTable(): string {
  const rows = ATTEMPT_AFTER_SECONDS.map((seconds, index) => {
    const total = ATTEMPT_AFTER_SECONDS.slice(0, index + 1).reduce((sum, each) => sum + each, 0)
    return `| ${index + 1} | ${index === 0 ? 'at once' : spoken(seconds)} | ${index === 0 ? '0' : spoken(total)} |`
  })
  const heading = `| attempt | wait after the previous attempt (±${JITTER * 100} %) | time since the first attempt, about |\n|---|---|---|`
  return [heading, ...rows].join('\n')
}

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
]

/** The two largest units are precise enough. */
function spoken(seconds: number): string {
  let left = seconds
  const parts = UNITS.flatMap(([size, name]) => {
    const count = Math.floor(left / size)
    left %= size
    return count === 0 ? [] : [`${count} ${name}`]
  })
  return parts.slice(0, 2).join(' ')
}
