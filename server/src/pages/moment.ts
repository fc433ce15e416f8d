import { type Html, html } from './html.ts'

const UNITS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** Two clocks may differ by this much: what has happened is not to be said to be still to come. */
const SKEW_SECONDS = 5

/** What is to come is rounded: seven days are said to be seven, although a second of them is over. */
function inWords(count: number, unit: Intl.RelativeTimeFormatUnit): string {
  return relative.format(count > 0 ? Math.round(count) : Math.trunc(count), unit)
}

/** When, as people say it, with the exact time on hover. `iso` as the database gives times. */
export function moment(iso: string, nowMs: number): Html {
  const then = new Date(iso)
  const seconds = (then.getTime() - nowMs) / 1_000
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length)
  const soon = seconds > SKEW_SECONDS ? 'within a minute' : 'just now'
  const words = unit === undefined ? soon : inWords(seconds / unit[1], unit[0])
  return html`<time datetime="${then.toISOString()}" title="${exact.format(then)} UTC">${words}</time>`
}
