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

/** When, as people say it, with the exact time on hover. `iso` as the database gives times. */
export function moment(iso: string, nowMs: number): Html {
  const then = new Date(iso)
  const seconds = (then.getTime() - nowMs) / 1_000
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length)
  const words = unit === undefined ? 'just now' : relative.format(Math.trunc(seconds / unit[1]), unit[0])
  return html`<time datetime="${then.toISOString()}" title="${exact.format(then)} UTC">${words}</time>`
}
